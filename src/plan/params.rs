//! The uniform block: what changes from call to call.

use bytemuck::{Pod, Zeroable};

/// The uniform block of every program, word for word `struct Params` of `shaders/params.wgsl`.
/// Offsets and strides count elements.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Default, Pod, Zeroable)]
pub struct Params {
    /// Rows of this dispatch.
    pub rows: u32,
    /// ε.
    pub eps: f32,
    /// First element of x in its binding.
    pub x_offset: u32,
    /// Elements from row to row of x.
    pub x_stride: u32,
    /// First element of y in its binding.
    pub y_offset: u32,
    /// Elements from row to row of y.
    pub y_stride: u32,
    /// First element of weight in its binding.
    pub weight_offset: u32,
    /// First element of bias in its binding.
    pub bias_offset: u32,
    /// First element of stats in its binding.
    pub stats_offset: u32,
    /// Elements from row to row of stats.
    pub stats_stride: u32,
    /// Padding to a multiple of 16 bytes.
    pub padding: [u32; 2],
}
