//! The tensors a plan reads and writes, and where a caller keeps them.

use std::fmt;

/// The tensors of a normalization, by the names the field uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tensor {
    /// Input `[rows, dim]`.
    X,
    /// Weight `[dim]` (papers: gain g).
    Weight,
    /// Bias `[dim]`.
    Bias,
    /// Output `[rows, dim]`.
    Y,
    /// Saved statistics `[rows, 2]`: mean and rstd of each row.
    Stats,
}

impl Tensor {
    /// The name used in shaders, options and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Tensor::X => "x",
            Tensor::Weight => "weight",
            Tensor::Bias => "bias",
            Tensor::Y => "y",
            Tensor::Stats => "stats",
        }
    }

    /// Whether the tensor has one row per row of x (else it is one row for all).
    pub const fn is_per_row(self) -> bool {
        matches!(self, Tensor::X | Tensor::Y | Tensor::Stats)
    }

    /// Whether the program writes it.
    pub const fn is_output(self) -> bool {
        matches!(self, Tensor::Y | Tensor::Stats)
    }

    /// Elements in one of its rows, given the row length of x.
    pub const fn row_len(self, dim: u64) -> u64 {
        match self {
            Tensor::Stats => 2,
            _ => dim,
        }
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a tensor lies: a buffer and a range in it, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TensorView {
    /// An identity of the buffer: equal numbers are the same buffer.
    pub buffer: usize,
    /// The buffer's size in bytes.
    pub buffer_size: u64,
    /// The first element, counted from the start of the buffer.
    pub offset: u64,
    /// Elements from the start of one row to the start of the next (unused for weight and bias).
    pub row_stride: u64,
}

impl TensorView {
    /// Contiguous rows of `row_len` elements from the start of a buffer.
    pub const fn contiguous(buffer: usize, buffer_size: u64, row_len: u64) -> Self {
        Self { buffer, buffer_size, offset: 0, row_stride: row_len }
    }
}
