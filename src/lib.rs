//! Row normalization for WebGPU.

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
