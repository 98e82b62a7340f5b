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
}

impl Order {
    /// The most lanes: no WebGPU adapter runs wider workgroups.
    pub const MAX_LANES: u32 = 1024;

    /// A row that is read anew by every pass, as in `shaders/row/streamed.wgsl`.
    pub const fn streamed(lanes: u32) -> Self {
        Self { lanes, pairwise: true, block: 32, span: 1024 }
    }

    /// A row that is held in registers, as in `shaders/row/held.wgsl`: one chain of quads for each lane.
    pub const fn held(lanes: u32) -> Self {
        Self { lanes, pairwise: false, block: 32, span: 1024 }
    }

    /// Checks that the fields are as documented.
    pub fn validate(&self) -> Result<()> {
        let lanes = self.lanes.is_power_of_two() && self.lanes <= Self::MAX_LANES;
        let block = self.block > 0 && self.block.is_multiple_of(4);
        let span = self.span > 0 && self.span.checked_rem(self.block) == Some(0);
        if lanes && block && span {
            return Ok(());
        }
        Err(Error::Spec {
            what: format!(
                "an order of {} lanes, blocks of {} and spans of {} quads",
                self.lanes, self.block, self.span
            ),
            accepted: "accepted are lanes a power of two up to 1024, a block a multiple of 4, a span a multiple of it",
        })
    }
}

impl Default for Order {
    /// Four lanes: 16 columns, which fill the vector registers of a CPU and run independently.
    fn default() -> Self {
        Self::streamed(4)
    }
}
