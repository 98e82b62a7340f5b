//! The wgpu host: one source for native and wasm. It executes plans and decides nothing.
//!
//! Compiling (milliseconds), binding (microseconds) and encoding (microseconds) are three calls;
//! [`Bound::encode`] creates no GPU object and never submits. Those who have no device ask for a
//! [`Context`]; those who have one wrap it with [`Context::from_device`].

mod adapter;
mod context;
mod kernel;
mod readback;
mod run;
mod temporary;
mod timing;
mod usage;

pub use crate::arrays::{Input, Output};
pub use adapter::{AdapterFilter, AdapterReport, adapters, preferred_adapter};
pub use context::{Context, ContextOptions};
pub use kernel::{Bound, BufferView, Compiled};
pub use readback::{read_bytes, read_f32};
pub(crate) use temporary::Temporary;
pub use timing::{Span, SpanTimer, TimerKind, now_ns};
