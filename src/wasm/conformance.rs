//! The conformance run for the browser tests: on the wgpu engine, and on a plan executor written in
//! JavaScript.

use std::rc::Rc;

use js_sys::{Array, Function, Promise, Uint32Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};

use super::caps;
use super::error::{JsResult, option_error};
use super::object::{array, number, object};
use super::plan;
use crate::caps::DeviceCaps;
use crate::conformance::variants::programs;
use crate::conformance::{self, CaseReport, Engine, Failure, Job, WgpuEngine, errors};
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

/// The names of everything that can be run: refusals and cases.
#[wasm_bindgen(js_name = conformanceNames)]
pub fn conformance_names() -> JsResult<JsValue> {
    let refusals = errors::refusals().into_iter().map(|refusal| refusal.name.into());
    Ok(array(refusals.chain(conformance::cases().iter().map(|case| case.name.as_str().into()))))
}

/// Runs cases on one engine.
#[wasm_bindgen]
pub struct Conformance {
    engine: Rc<AnyEngine>,
}

#[wasm_bindgen]
impl Conformance {
    /// On the wgpu host, with a device of its own.
    #[wasm_bindgen(js_name = onWgpu)]
    pub async fn on_wgpu() -> JsResult<Conformance> {
        let context = Context::request(&ContextOptions::default()).await?;
        Ok(Conformance { engine: Rc::new(AnyEngine::Wgpu(WgpuEngine::new(context))) })
    }

    /// On a plan executor: `execute(job)` with `job = {kernels, dispatches, buffers, bufferOf, written}` answers a
    /// promise of the written buffers. `buffers` are `Uint32Array`s, `bufferOf` gives the index into them for each
    /// tensor's name, `written` the indices to return.
    #[wasm_bindgen(js_name = onExecutor)]
    pub fn on_executor(caps: &JsValue, execute: Function) -> JsResult<Conformance> {
        let executor = Executor { caps: caps::read(caps)?, execute };
        Ok(Conformance { engine: Rc::new(AnyEngine::Executor(executor)) })
    }

    /// Runs one case by name: a promise of `{passed: [case], skipped: [{case, reason}], failures: [{case, detail}]}`,
    /// with an entry for each arrangement.
    pub fn run(&self, name: String) -> JsResult<Promise> {
        let engine = self.engine.clone();
        Ok(future_to_promise(async move {
            let refusal = errors::refusals().into_iter().find(|refusal| refusal.name == name);
            match (refusal, conformance::case(&name)) {
                (Some(refusal), _) => Ok(write(&judged(refusal.name, refusal.check()))),
                (None, Some(case)) => Ok(write(&conformance::run_case(&*engine, &case).await)),
                (None, None) => Err(option_error(&format!("there is no case {name}"))),
            }
        }))
    }
}

/// Panics, to show what callers then see.
#[wasm_bindgen(js_name = conformancePanic)]
pub fn conformance_panic() -> JsResult<Promise> {
    Ok(future_to_promise(async { panic!("asked for") }))
}

fn judged(name: &str, result: Result<(), String>) -> CaseReport {
    match result {
        Ok(()) => CaseReport { passed: vec![name.into()], ..CaseReport::default() },
        Err(detail) => CaseReport { failures: vec![Failure { case: name.into(), detail }], ..CaseReport::default() },
    }
}

fn write(report: &CaseReport) -> JsValue {
    let pair = |case: &str, name: &str, text: &str| object([("case", case.into()), (name, text.into())]);
    object([
        ("passed", array(report.passed.iter().map(|case| case.as_str().into()))),
        ("skipped", array(report.skipped.iter().map(|skip| pair(&skip.case, "reason", &skip.reason)))),
        ("failures", array(report.failures.iter().map(|failure| pair(&failure.case, "detail", &failure.detail)))),
    ])
}

/// Either engine: the trait's futures know no dynamic dispatch.
enum AnyEngine {
    Wgpu(WgpuEngine),
    Executor(Executor),
}

impl Engine for AnyEngine {
    fn name(&self) -> String {
        match self {
            AnyEngine::Wgpu(engine) => engine.name(),
            AnyEngine::Executor(engine) => engine.name(),
        }
    }

    fn caps(&self) -> DeviceCaps {
        match self {
            AnyEngine::Wgpu(engine) => engine.caps(),
            AnyEngine::Executor(engine) => engine.caps(),
        }
    }

    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>> {
        match self {
            AnyEngine::Wgpu(engine) => engine.run(job).await,
            AnyEngine::Executor(engine) => engine.run(job).await,
        }
    }
}

/// A plan executor in JavaScript.
struct Executor {
    caps: DeviceCaps,
    execute: Function,
}

impl Engine for Executor {
    fn name(&self) -> String {
        "plan executor".into()
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
