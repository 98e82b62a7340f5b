//! The conformance run for the browser tests: on the wgpu engine, and on a plan executor written in
//! JavaScript.

use js_sys::{Array, Function, Promise, Uint32Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::caps;
use super::error::JsResult;
use super::object::{array, number, object};
use super::plan;
use crate::caps::DeviceCaps;
use crate::conformance::variants::programs;
use crate::conformance::{self, ConformanceReport, Engine, Job, WgpuEngine};
use crate::error::{Error, Result};
use crate::gpu::{Context, ContextOptions};

/// The programs the planner can make for a device: an array of `{name, kernel}`.
#[wasm_bindgen(js_name = conformancePrograms)]
pub fn conformance_programs(caps: &JsValue) -> JsResult<JsValue> {
    Ok(array(
        programs(&caps::read(caps)?)
            .iter()
            .map(|program| object([("name", program.name.as_str().into()), ("kernel", plan::kernel(&program.kernel))])),
    ))
}

/// The names of the cases.
#[wasm_bindgen(js_name = conformanceCases)]
pub fn conformance_cases() -> JsResult<JsValue> {
    Ok(array(conformance::cases().iter().map(|case| case.name.as_str().into())))
}

/// A promise of the report `{adapter, passed, failed, skipped: [{case, reason}], failures: [{case, detail}]}`
/// of the wgpu engine, on a device of its own. `filter` is a part of the names to run; `progress` is called with
/// the name of each case that ended, how many ended, and how many there are.
#[wasm_bindgen(js_name = conformanceOnWgpu)]
pub fn conformance_on_wgpu(filter: Option<String>, progress: Function) -> JsResult<Promise> {
    Ok(future_to_promise(async move {
        let context = Context::request(&ContextOptions::default()).await?;
        run(WgpuEngine::new(context), filter, progress).await
    }))
}

/// The same for a plan executor: `execute(job)` with `job = {kernels, dispatches, buffers, bufferOf, written}`
/// answers a promise of the written buffers. `buffers` are `Uint32Array`s, `bufferOf` gives the index into them for
/// each tensor's name, `written` the indices to return.
#[wasm_bindgen(js_name = conformanceOnExecutor)]
pub fn conformance_on_executor(
    name: String,
    caps: &JsValue,
    execute: Function,
    filter: Option<String>,
    progress: Function,
) -> JsResult<Promise> {
    let executor = Executor { name, caps: caps::read(caps)?, execute };
    Ok(future_to_promise(run(executor, filter, progress)))
}

/// Panics, to show what callers then see.
#[wasm_bindgen(js_name = conformancePanic)]
pub fn conformance_panic() -> JsResult<Promise> {
    Ok(future_to_promise(async { panic!("asked for") }))
}

async fn run(engine: impl Engine, filter: Option<String>, progress: Function) -> JsResult<JsValue> {
    let report = conformance::run(&engine, filter.as_deref(), |state| {
        let arguments = (state.case.into(), state.done.into(), state.total.into());
        // Whoever listens may fail; the run goes on.
        let _ = progress.call3(&JsValue::NULL, &arguments.0, &arguments.1, &arguments.2);
    })
    .await;
    Ok(write(&report))
}

fn write(report: &ConformanceReport) -> JsValue {
    let pair = |case: &str, name: &str, text: &str| object([("case", case.into()), (name, text.into())]);
    object([
        ("adapter", report.adapter.as_str().into()),
        ("passed", number(report.passed as u64)),
        ("failed", number(report.failed as u64)),
        ("skipped", array(report.skipped.iter().map(|skip| pair(&skip.case, "reason", &skip.reason)))),
        ("failures", array(report.failures.iter().map(|failure| pair(&failure.case, "detail", &failure.detail)))),
    ])
}

/// A plan executor in JavaScript.
struct Executor {
    name: String,
    caps: DeviceCaps,
    execute: Function,
}

impl Engine for Executor {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn caps(&self) -> DeviceCaps {
        self.caps
    }

    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>> {
        let dispatches = job.plan.dispatches(&job.call)?;
        let buffer_of = job.call.views.iter().map(|(tensor, view)| (tensor.name(), number(view.buffer as u64)));
        let description = object([
            ("kernels", array(job.plan.kernels.iter().map(plan::kernel))),
            ("dispatches", array(dispatches.iter().map(plan::dispatch))),
            ("buffers", array(job.buffers.iter().map(|words| Uint32Array::from(words.as_slice()).into()))),
            ("bufferOf", object(buffer_of)),
            ("written", array(job.written().into_iter().map(|index| number(index as u64)))),
        ]);
        let answer = self.execute.call1(&JsValue::NULL, &description).map_err(thrown)?;
        let buffers = JsFuture::from(Promise::resolve(&answer)).await.map_err(thrown)?;
        Ok(Array::from(&buffers).iter().map(|words| Uint32Array::new(&words).to_vec()).collect())
    }
}

fn thrown(error: JsValue) -> Error {
    let text = error.dyn_ref::<js_sys::Error>().map(|error| String::from(error.message()));
    Error::Device(text.or_else(|| error.as_string()).unwrap_or_else(|| "the executor failed".into()))
}
