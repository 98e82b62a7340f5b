//! What needs no GPU: the twin in f32 and the truth in f64.

use wasm_bindgen::prelude::*;

use super::error::JsResult;
use super::object::{doubles, floats, object};
use super::request::Run;
use crate::reference::{self, Row};
use crate::twin::{self, Order};
use crate::{Output, tolerance};

/// The forward pass in f32: the façade's `Forward`.
#[wasm_bindgen(js_name = runCpu)]
pub fn run_cpu(x: &JsValue, options: &JsValue) -> JsResult<JsValue> {
    let run = Run::read(x, options)?;
    output(&twin::forward(&run.request, &Order::for_dim(run.request.dim), &run.input())?)
}

/// What a forward pass computed, as the façade's `Forward`.
pub(super) fn output(output: &Output) -> JsResult<JsValue> {
    let y = ("y", floats(&output.y)?);
    Ok(match &output.stats {
        Some(stats) => object([y, ("stats", floats(stats)?)]),
        None => object([y]),
    })
}

/// The forward pass in float64: the façade's `Reference`.
#[wasm_bindgen(js_name = reference)]
pub fn reference_forward(x: &JsValue, options: &JsValue) -> JsResult<JsValue> {
    let run = Run::read(x, options)?;
    let request = &run.request;
    let truth = reference::forward(&request.spec, request.dim, &run.x, run.weight.as_deref(), run.bias.as_deref())?;
    let column = |of: fn(&Row) -> f64| doubles(&truth.rows.iter().map(of).collect::<Vec<_>>());
    Ok(object([
        ("y", doubles(&truth.y)),
        ("mean", column(|row| row.mean)),
        ("rstd", column(|row| row.rstd)),
        ("rms", column(|row| row.rms)),
        ("tolerance", column(tolerance::forward)),
    ]))
}
