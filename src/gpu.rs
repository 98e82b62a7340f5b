//! The wgpu host: one source for native and wasm. It executes plans and decides nothing.
//!
//! Compiling (milliseconds), binding (microseconds) and encoding (microseconds) are three calls;
//! [`Bound::encode`] creates no GPU object and never submits. Those who have no device ask for a
//! [`Context`]; those who have one wrap it with [`Context::from_device`]:
//!
//! ```
//! use rownorm::gpu::{BufferView, Compiled, Context};
//! use rownorm::plan::Tensor;
//! use rownorm::{NormSpec, Request, plan};
//!
//! /// Records `y = RMSNorm(x) · weight` into a pass of the caller's. Who calls often keeps `compiled` and `bound`.
//! async fn normalize(
//!     device: &wgpu::Device,
//!     queue: &wgpu::Queue,
//!     pass: &mut wgpu::ComputePass<'_>,
//!     (rows, dim): (u64, u64),
//!     [x, weight, y]: [&wgpu::Buffer; 3], // with usage STORAGE
//! ) -> rownorm::Result<()> {
//!     let context = Context::from_device(device.clone(), queue.clone());
//!     let request = Request::forward(NormSpec::rms(1e-5), dim);
//!     let compiled = Compiled::new(&context, &plan(&request, context.caps())?).await?; // milliseconds
//!     let views = [(Tensor::X, x), (Tensor::Weight, weight), (Tensor::Y, y)];
//!     let views = views.map(|(tensor, buffer)| BufferView::contiguous(tensor, buffer, dim));
//!     let bound = compiled.bind(&context, rows, &views)?; // microseconds
//!     bound.encode(pass); // no GPU object is created, nothing is submitted
//!     Ok(())
//! }
//! # pollster::block_on(async {
//! # use rownorm::gpu::ContextOptions;
//! # let Ok(own) = Context::request(&ContextOptions::default()).await else { return };
//! # let (x, weight) = (own.upload("x", &[3.0, 4.0]).unwrap(), own.upload("weight", &[1.0, 2.0]).unwrap());
//! # let y = own.storage("y", 2).unwrap();
//! # let mut encoder = own.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
//! # let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
//! # normalize(&own.device, &own.queue, &mut pass, (1, 2), [&x, &weight, &y]).await.unwrap();
//! # drop(pass);
//! # own.queue.submit([encoder.finish()]);
//! # let y = rownorm::gpu::read_f32(&own, &y, 0, 2).await.unwrap();
//! # assert!((y[0] - 0.848_528).abs() < 1e-5 && (y[1] - 2.262_741).abs() < 1e-5, "{y:?}");
//! # });
//! ```

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
