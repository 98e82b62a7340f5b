//! The arrays of one call and what comes back, the same for every engine.

use crate::error::{Error, Result};
use crate::plan::{Request, Tensor};

/// The arrays of one call. Weight and bias are given exactly where the specification has them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Input<'a> {
    /// `[rows, dim]`.
    pub x: &'a [f32],
    /// `[dim]`.
    pub weight: Option<&'a [f32]>,
    /// `[dim]`.
    pub bias: Option<&'a [f32]>,
}

/// What a call computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Output {
    /// `[rows, dim]`.
    pub y: Vec<f32>,
    /// `[rows, 2]`: mean and rstd, where they were asked for.
    pub stats: Option<Vec<f32>>,
}

impl Input<'_> {
    /// Checks the arrays against a request and counts the rows.
    pub fn rows(&self, request: &Request) -> Result<u64> {
        request.spec.validate(request.dim)?;
        let len = self.x.len() as u64;
        if !len.is_multiple_of(request.dim) {
            let expected = len.next_multiple_of(request.dim);
            return Err(Error::Length { tensor: Tensor::X, actual: len, expected });
        }
        let vectors =
            [(Tensor::Weight, self.weight, request.spec.has_weight()), (Tensor::Bias, self.bias, request.spec.bias)];
        for (tensor, values, wanted) in vectors {
            match values {
                None if wanted => return Err(Error::MissingTensor { tensor }),
                Some(_) if !wanted => return Err(Error::UnusedTensor { tensor }),
                Some(values) if values.len() as u64 != request.dim => {
                    return Err(Error::Length { tensor, actual: values.len() as u64, expected: request.dim });
                }
                _ => {}
            }
        }
        Ok(len / request.dim)
    }
}
