//! The order of summation, as data.

use crate::error::{Error, Result};

/// In which order the terms of a row are added. Lane l owns quads l, l + lanes, l + 2·lanes, …; its
/// sums fold as in `shaders/row/`, and the lanes' sums by a tree as in `shaders/reduce/tree.wgsl`.
/// The same order gives the same bits on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order {
    /// Lanes that share a row: a power of two up to [`Order::MAX_LANES`].
    pub lanes: u32,
    /// Whether a lane adds four quads pairwise before they enter a block.
    pub pairwise: bool,
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

    /// A row that is read anew by every pass, as in `shaders/row/sum_spans.wgsl`.
    pub const fn streamed(lanes: u32) -> Self {
        Self { lanes, pairwise: true, block: 32, span: 256, stretch: 2048 }
    }

    /// A row that is held in registers, as in `shaders/row/held.wgsl`: one chain of quads for each lane.
    pub const fn held(lanes: u32) -> Self {
        Self { lanes, pairwise: false, ..Self::streamed(lanes) }
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

impl Default for Order {
    /// Four lanes: 16 columns, which fill the vector registers of a CPU and run independently.
    fn default() -> Self {
        Self::streamed(4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_checked() {
        for lanes in [1, 2, 4, 64, 1024] {
            Order::streamed(lanes).validate().unwrap();
            Order::held(lanes).validate().unwrap();
        }
        let good = Order::default();
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
