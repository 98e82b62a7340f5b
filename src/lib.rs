//! Row normalization for WebGPU.

pub mod caps;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod plan;
pub mod reference;
pub mod spec;
pub mod tolerance;
pub mod wgsl;

pub use caps::DeviceCaps;
pub use error::{Error, Result};
pub use plan::{Plan, Request, plan};
pub use spec::{NormSpec, Preset, Strategy};
