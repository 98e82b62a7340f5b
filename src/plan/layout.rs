//! How tensors lie in memory, as far as it shapes the program text.

use super::Request;
use super::tensor::{Tensor, TensorView};
use crate::error::{Error, Result};

/// How a tensor's elements are loaded and stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Four at a time: offset, row stride and dim are multiples of 4.
    Vec4,
    /// One at a time: anything goes.
    Scalar,
}

impl Access {
    fn of(dim: u64, offset: u64, row_stride: u64) -> Self {
        let aligned = dim.is_multiple_of(4) && offset.is_multiple_of(4) && row_stride.is_multiple_of(4);
        if aligned { Access::Vec4 } else { Access::Scalar }
    }
}

/// The layout class of a request. It shapes loads and stores alone: the order of summation follows
/// the index in the row, so that a layout cannot change a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout {
    /// x.
    pub x: Access,
    /// weight.
    pub weight: Access,
    /// bias.
    pub bias: Access,
    /// y.
    pub y: Access,
    /// Whether x lies in y's buffer: the same elements (in place) or a range apart from them.
    pub x_in_y: bool,
}

impl Layout {
    /// Every tensor contiguous from the start of a buffer of its own.
    pub fn contiguous(dim: u64) -> Self {
        let access = Access::of(dim, 0, dim);
        Self { x: access, weight: access, bias: access, y: access, x_in_y: false }
    }

    /// y written over x.
    pub fn in_place(dim: u64) -> Self {
        Self { x_in_y: true, ..Self::contiguous(dim) }
    }

    /// The widest layout that serves these views; absent tensors do not count.
    pub fn of(dim: u64, views: &[(Tensor, TensorView)]) -> Self {
        let mut layout = Self::contiguous(dim);
        let find = |tensor| views.iter().find(|(t, _)| *t == tensor).map(|(_, view)| view);
        for (tensor, view) in views {
            match tensor {
                Tensor::X => layout.x = Access::of(dim, view.offset, view.row_stride),
                Tensor::Y => layout.y = Access::of(dim, view.offset, view.row_stride),
                Tensor::Weight => layout.weight = Access::of(dim, view.offset, dim),
                Tensor::Bias => layout.bias = Access::of(dim, view.offset, dim),
                Tensor::Stats => {}
            }
        }
        if let (Some(x), Some(y)) = (find(Tensor::X), find(Tensor::Y))
            && x.buffer == y.buffer
        {
            layout.share_y();
        }
        layout
    }

    /// x in y's buffer is read through y's binding, which has one element type: both accesses
    /// become the narrower of the two.
    fn share_y(&mut self) {
        self.x_in_y = true;
        if self.x != self.y {
            self.x = Access::Scalar;
            self.y = Access::Scalar;
        }
    }

    /// Refuses what no program can serve: vec4 access to rows with a tail, and two element types in one binding.
    pub(super) fn validate(&self, request: &Request) -> Result<()> {
        let by_fours = |tensor: &Tensor| self.access(*tensor) == Access::Vec4;
        if !request.dim.is_multiple_of(4)
            && let Some(tensor) = request.tensors().into_iter().find(by_fours)
        {
            return Err(Error::VectorAccess { tensor, dim: request.dim });
        }
        if self.x_in_y && self.x != self.y {
            return Err(Error::MixedAccess);
        }
        Ok(())
    }

    /// The access of a tensor.
    pub fn access(&self, tensor: Tensor) -> Access {
        match tensor {
            Tensor::X => self.x,
            Tensor::Weight => self.weight,
            Tensor::Bias => self.bias,
            Tensor::Y => self.y,
            Tensor::Stats => Access::Scalar,
        }
    }
}
