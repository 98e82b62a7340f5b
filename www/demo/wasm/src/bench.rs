//! `bench`: the library's benchmark protocol, for the page.

mod gpu;
mod host;
mod report;

use js_sys::Function;
use wasm_bindgen::prelude::*;

/// Times copy, LayerNorm and RMSNorm on the GPU. `tell` is called with each step and stops the run
/// by returning false. A promise of a report (`bench.ts` has its type).
#[wasm_bindgen(js_name = benchGpu)]
pub async fn bench_gpu(rows: u32, dim: u32, spans: u32, tell: Function) -> Result<JsValue, JsValue> {
    gpu::run(rows, dim, spans, &tell).await
}

/// The same on the CPU, for machines without WebGPU.
#[wasm_bindgen(js_name = benchCpu)]
pub async fn bench_cpu(rows: u32, dim: u32, spans: u32, tell: Function) -> Result<JsValue, JsValue> {
    host::run(rows, dim, spans, &tell).await
}

/// Tells the page what is done; whether to go on. A callback that throws ends the run.
fn go_on(tell: &Function, kernel: &str, stage: &str, done: usize, total: usize) -> bool {
    let progress = crate::object::object([
        ("kernel", kernel.into()),
        ("stage", stage.into()),
        ("done", (done as u32).into()),
        ("total", (total as u32).into()),
    ]);
    tell.call1(&JsValue::NULL, &progress).is_ok_and(|answer| answer.is_truthy())
}
