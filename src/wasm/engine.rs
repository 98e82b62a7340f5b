//! The built-in engine: the wgpu host behind promises.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use super::caps;
use super::error::{JsResult, option_error};
use super::object::object;
use super::options::shown;
use super::request::Run;
use crate::Input;
use crate::error::Result;
use crate::gpu::{BufferView, Compiled, Context, ContextOptions, Span, SpanTimer, Temporary};
use crate::plan::{Request, Tensor, plan};

/// The most dispatches of one span.
const MAX_REPEATS: u32 = 10_000;

/// A device; the façade's `RowNorm` wraps it. Methods start their work and return its promise: none
/// borrows the engine while it waits.
#[wasm_bindgen]
pub struct Engine {
    context: Context,
}

#[wasm_bindgen]
impl Engine {
    /// Asks the browser for an adapter and a device.
    pub async fn request(baseline: bool) -> JsResult<Engine> {
        let options = ContextOptions { baseline, ..ContextOptions::default() };
        Ok(Engine { context: Context::request(&options).await? })
    }

    /// The façade's `AdapterInfo`.
    pub fn adapter(&self) -> JsResult<JsValue> {
        let report = self.context.adapter();
        Ok(object([
            ("name", report.name.as_str().into()),
            ("driver", report.driver.as_str().into()),
            ("backend", report.backend.as_str().into()),
            ("software", self.context.caps().is_software().into()),
        ]))
    }

    /// The façade's `DeviceCaps`.
    pub fn caps(&self) -> JsResult<JsValue> {
        Ok(caps::write(self.context.caps()))
    }

    /// Normalizes: a promise of the façade's `Forward`. The arrays are copied before this returns.
    pub fn run(&self, x: &JsValue, options: &JsValue) -> JsResult<Promise> {
        let run = Run::read(x, options)?;
        let context = self.context.clone();
        Ok(future_to_promise(async move { super::cpu::output(&context.run(&run.request, &run.input()).await?) }))
    }

    /// Times the forward pass: a promise of the façade's `Timing`.
    pub fn time(&self, x: &JsValue, options: &JsValue, repeats: f64) -> JsResult<Promise> {
        if !(1.0..=f64::from(MAX_REPEATS)).contains(&repeats) {
            return Err(option_error(&format!(
                "repeats is {}; accepted are 1 to {MAX_REPEATS}",
                shown(&repeats.into())
            )));
        }
        let run = Run::read(x, options)?;
        let context = self.context.clone();
        Ok(future_to_promise(async move {
            let (clock, span) = time(&context, &run, repeats as u32).await?;
            Ok(object([
                ("clock", clock.into()),
                ("ms", (span.ns / 1e6).into()),
                ("wallMs", (span.wall_ns / 1e6).into()),
                ("repeats", (repeats as u32).into()),
            ]))
        }))
    }

    /// Destroys the device.
    pub fn destroy(&self) -> JsResult<()> {
        self.context.destroy();
        Ok(())
    }
}

/// One span of `repeats` forward passes, after one that is not counted.
async fn time(context: &Context, run: &Run, repeats: u32) -> Result<(&'static str, Span)> {
    let input = run.input();
    let rows = input.rows(&run.request)?;
    let compiled = Compiled::new(context, &plan(&run.request, context.caps())?).await?;
    let (_buffers, bound, timer) = context
        .checked(|| {
            let buffers = buffers(context, &run.request, &input, rows)?;
            let views: Vec<_> = buffers
                .iter()
                .map(|(tensor, buffer)| BufferView::contiguous(*tensor, buffer, run.request.dim))
                .collect();
            let bound = compiled.bind(context, rows, &views)?;
            Ok((buffers, bound, SpanTimer::new(context)))
        })
        .await?;
    let passes = async |count: u32| timer.span(context, |pass| (0..count).for_each(|_| bound.encode(pass))).await;
    passes(1).await?;
    let span = passes(repeats).await?;
    bound.destroy();
    Ok((timer.kind().name(), span))
}

fn buffers(context: &Context, request: &Request, input: &Input<'_>, rows: u64) -> Result<Vec<(Tensor, Temporary)>> {
    let mut buffers = Vec::new();
    for tensor in request.tensors() {
        let values = match tensor {
            Tensor::X => Some(input.x),
            Tensor::Weight => input.weight,
            Tensor::Bias => input.bias,
            Tensor::Y | Tensor::Stats => None,
        };
        let buffer = match values {
            Some(values) => context.upload(tensor.name(), values)?,
            None => context.storage(tensor.name(), rows * tensor.row_len(request.dim))?,
        };
        buffers.push((tensor, buffer.into()));
    }
    Ok(buffers)
}
