//! Where the tensors of a case lie in their buffers.

use crate::plan::Tensor;

/// Offset and spacing of one tensor, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Elements in front of the first.
    pub offset: u64,
    /// Elements between the end of a row and the start of the next.
    pub gap: u64,
}

impl Place {
    /// Offset and gap.
    pub const fn new(offset: u64, gap: u64) -> Self {
        Self { offset, gap }
    }
}

/// Which tensors share a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sharing {
    /// None do.
    #[default]
    Apart,
    /// y overwrites x.
    InPlace,
    /// x, then y, in one buffer.
    XThenY,
    /// y, then x, in one buffer.
    YThenX,
    /// x, weight and bias in one buffer.
    Inputs,
    /// y, then stats, in one buffer.
    Outputs,
    /// x, then y, then stats, in one buffer.
    Written,
}

/// The placement of all tensors. `place` of a tensor behind another one in a shared buffer counts
/// from the end of that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Placement {
    /// x.
    pub x: Place,
    /// weight; its gap is not used.
    pub weight: Place,
    /// bias; its gap is not used.
    pub bias: Place,
    /// y.
    pub y: Place,
    /// stats.
    pub stats: Place,
    /// Which tensors share a buffer.
    pub sharing: Sharing,
}

impl Placement {
    /// Every tensor contiguous from the start of its own buffer.
    pub const CONTIGUOUS: Placement = {
        let place = Place::new(0, 0);
        Placement { x: place, weight: place, bias: place, y: place, stats: place, sharing: Sharing::Apart }
    };

    /// Every tensor at the same offset with the same gap.
    pub const fn uniform(offset: u64, gap: u64) -> Self {
        let place = Place::new(offset, gap);
        Placement { x: place, weight: place, bias: place, y: place, stats: place, sharing: Sharing::Apart }
    }

    /// The same with shared buffers.
    pub const fn sharing(mut self, sharing: Sharing) -> Self {
        self.sharing = sharing;
        self
    }

    pub(super) fn place(&self, tensor: Tensor) -> Place {
        match tensor {
            Tensor::X => self.x,
            Tensor::Weight => self.weight,
            Tensor::Bias => self.bias,
            Tensor::Y => self.y,
            Tensor::Stats => self.stats,
        }
    }

    /// The buffers and, in each, the tensors in the order they lie there.
    pub(super) fn buffers(&self, tensors: &[Tensor]) -> Vec<Vec<Tensor>> {
        use Tensor::*;
        let together: &[Tensor] = match self.sharing {
            Sharing::Apart => &[],
            Sharing::InPlace | Sharing::XThenY => &[X, Y],
            Sharing::YThenX => &[Y, X],
            Sharing::Outputs => &[Y, Stats],
            Sharing::Written => &[X, Y, Stats],
            Sharing::Inputs => &[X, Weight, Bias],
        };
        let shared: Vec<_> = together.iter().copied().filter(|tensor| tensors.contains(tensor)).collect();
        let alone = tensors.iter().filter(|tensor| !together.contains(tensor)).map(|tensor| vec![*tensor]);
        std::iter::once(shared).filter(|group| !group.is_empty()).chain(alone).collect()
    }
}
