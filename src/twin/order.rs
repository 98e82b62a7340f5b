//! The order of summation, as data.

use crate::error::{Error, Result};
use crate::plan::MAX_LANE_ONE;

/// In which order the terms of a row are added. Lane l owns quads l, l + lanes, l + 2·lanes, …; its
/// sums fold as in `shaders/row/`, and the lanes' sums by a tree as in `shaders/reduce/tree.wgsl`.
/// The same order gives the same bits on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order {
    /// Lanes that share a row: a power of two up to [`Order::MAX_LANES`].
    pub lanes: u32,
    /// Quads in a block, a multiple of 4.
    pub block: u32,
    /// Quads in a span, a multiple of `block`.
    pub span: u32,
    /// Quads in a stretch, a multiple of `span`.
    pub stretch: u32,
}

impl Order {
    /// The most lanes: no WebGPU adapter runs wider workgroups.
    pub const MAX_LANES: u32 = 1024;

    /// A row that is read anew by every pass, as in `shaders/row/sum_stretches.wgsl`: quads enter a block four by four.
    pub const fn streamed(lanes: u32) -> Self {
        Self { lanes, block: 32, span: 256, stretch: 2048 }
    }

    /// The order for a CPU. Four lanes: 16 columns, which fill its vector registers and run independently. Rows so
    /// long that a chain of stretches would lose digits get more, as on a device.
    pub const fn for_dim(dim: u64) -> Self {
        let lanes = dim.div_ceil(MAX_LANE_ONE).next_power_of_two();
        Self::streamed(if lanes < 4 {
            4
        } else if lanes > Self::MAX_LANES as u64 {
            Self::MAX_LANES
        } else {
            lanes as u32
        })
    }

    /// Checks that the fields are as documented.
    pub fn validate(&self) -> Result<()> {
        let lanes = self.lanes.is_power_of_two() && self.lanes <= Self::MAX_LANES;
        let holds = |outer: u32, inner: u32| outer > 0 && outer.checked_rem(inner) == Some(0);
        if lanes && holds(self.block, 4) && holds(self.span, self.block) && holds(self.stretch, self.span) {
            return Ok(());
        }
        Err(Error::Spec {
            what: format!("an order of summation {self:?}"),
            accepted: "accepted are lanes a power of two up to 1024, and block, span and stretch multiples of 4, block and span",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_get_more_lanes() {
        let lanes = |dim| Order::for_dim(dim).lanes;
        assert_eq!([0, 1, 4 * MAX_LANE_ONE].map(lanes), [4; 3]);
        assert_eq!(lanes(4 * MAX_LANE_ONE + 1), 8);
        assert_eq!(lanes(1 << 25), 256);
        assert_eq!(lanes(1 << 40), Order::MAX_LANES);
        Order::for_dim(1 << 40).validate().unwrap();
    }

    #[test]
    fn orders_are_checked() {
        for lanes in [1, 2, 4, 64, 1024] {
            Order::streamed(lanes).validate().unwrap();
        }
        let good = Order::streamed(4);
        let bad = [
            Order { lanes: 0, ..good },
            Order { lanes: 3, ..good },
            Order { lanes: 2048, ..good },
            Order { block: 0, ..good },
            Order { block: 30, span: 60, ..good },
            Order { span: 0, ..good },
            Order { span: 48, ..good },
            Order { stretch: 0, ..good },
            Order { stretch: 2049, ..good },
        ];
        for order in bad {
            assert!(order.validate().is_err(), "{order:?}");
        }
    }
}
