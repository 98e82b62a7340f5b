//! Row normalization for WebGPU: RMSNorm, LayerNorm and their relatives as WGSL compute shaders,
//! planned by pure Rust and driven by one wgpu host, native and wasm.
//!
//! `y = (x − shift) · scale · weight + bias` for each row of `x: [rows, dim]`; a [`NormSpec`] says
//! what shift and scale are. [`plan()`] turns it, with a device's [`DeviceCaps`], into programs and
//! explained choices; [`gpu::Context::run`] takes arrays, [`gpu::Compiled`] a caller's own buffers,
//! [`twin::forward`] no GPU at all, and [`mod@reference`] tells the truth in float64.

pub mod arrays;
#[cfg(feature = "gpu")]
pub mod bench;
pub mod caps;
#[cfg(all(feature = "cli", not(target_arch = "wasm32")))]
pub mod cli;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
mod memory;
pub mod plan;
pub mod reference;
pub mod spec;
pub mod tolerance;
pub mod twin;
#[cfg(all(target_arch = "wasm32", feature = "wasm"))]
pub mod wasm;
pub mod wgsl;

pub use arrays::{Input, Output};
pub use caps::DeviceCaps;
pub use error::{Error, Result};
pub use plan::{Plan, Request, plan};
pub use spec::{NormSpec, Preset, Strategy};

/// The README's Rust example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
