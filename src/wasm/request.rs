//! From options to the planner's and the host's terms.

use wasm_bindgen::JsValue;

use super::error::{JsResult, option_error};
use super::options::{Options, floats};
use crate::Input;
use crate::plan::{Call, Layout, Request, Tensor, TensorView};
use crate::spec::{Base, Extent, Named, narrowed_eps};

/// The façade's `NormOptions`.
const NORM: &[&str] = &["norm", "preset", "eps", "epsOutside", "p", "k", "weightOffset"];
/// The façade's `PlanHints`, and what `RunOptions` and `PlanOptions` have in common.
const SHAPE: &[&str] = &["strategy", "subgroups", "rowsHint", "dim", "weight", "bias", "stats"];

/// The tensors by the names JavaScript knows them by.
const TENSORS: [Tensor; 5] = [Tensor::X, Tensor::Weight, Tensor::Bias, Tensor::Y, Tensor::Stats];

/// The arrays of one forward pass, copied, and what to do with them.
pub(super) struct Run {
    pub request: Request,
    pub x: Vec<f32>,
    pub weight: Option<Vec<f32>>,
    pub bias: Option<Vec<f32>>,
}

impl Run {
    /// Reads the façade's `RunOptions`.
    pub fn read(x: &JsValue, options: &JsValue) -> JsResult<Self> {
        let options = Options::new("the options", options, &[NORM, SHAPE])?;
        let weight = options.floats("weight")?;
        let bias = options.floats("bias")?;
        let request = request(&options, Some(weight.is_some()), Some(bias.is_some()))?;
        Ok(Self { request, x: floats("x", x)?, weight, bias })
    }

    /// The arrays as every engine takes them.
    pub fn input(&self) -> Input<'_> {
        Input { x: &self.x, weight: self.weight.as_deref(), bias: self.bias.as_deref() }
    }
}

/// Reads the façade's `PlanOptions`.
pub(super) fn plan_request(options: &JsValue) -> JsResult<Request> {
    let options = Options::new("the options", options, &[NORM, SHAPE, &["tensors"]])?;
    let request = request(&options, options.optional_boolean("weight")?, options.optional_boolean("bias")?)?;
    let views = views(&options, request.dim)?;
    Ok(request.with_layout(Layout::of(request.dim, &views)))
}

/// Reads the façade's `Call`.
pub(super) fn call(options: &JsValue, request: &Request) -> JsResult<Call> {
    let options = Options::new("the call", options, &[&["rows", "eps", "tensors"]])?;
    Ok(Call {
        rows: options.needed("rows", options.count("rows")?)?,
        eps: options.number("eps")?.map_or(Ok(request.spec.eps), narrowed_eps)?,
        views: views(&options, request.dim)?,
    })
}

fn request(options: &Options<'_>, weight: Option<bool>, bias: Option<bool>) -> JsResult<Request> {
    let named = Named {
        eps: options.number("eps")?,
        eps_outside: options.boolean("epsOutside")?,
        extent: extent(options)?,
        weight_offset: weight_offset(options)?,
        weight,
        bias,
        ..Named::new(base(options)?)
    };
    let dim = options.needed("dim", options.count("dim")?)?;
    Ok(Request {
        save_stats: options.boolean("stats")?,
        rows_hint: options.count("rowsHint")?,
        strategy: options.named("strategy")?,
        allow_subgroups: options.optional_boolean("subgroups")?.unwrap_or(true),
        ..Request::forward(named.spec()?, dim)
    })
}

fn base(options: &Options<'_>) -> JsResult<Base> {
    match (options.named("norm")?, options.named("preset")?) {
        (Some(norm), None) => Ok(Base::Norm(norm)),
        (None, Some(preset)) => Ok(Base::Preset(preset)),
        (None, None) => Err(option_error("neither norm nor preset is given; exactly one of them is needed")),
        (Some(_), Some(_)) => Err(option_error("norm and preset are both given; exactly one of them is needed")),
    }
}

fn extent(options: &Options<'_>) -> JsResult<Option<Extent>> {
    match (options.number("p")?, options.count("k")?) {
        (Some(_), Some(_)) => Err(option_error("p and k are both given; one of them is needed")),
        (Some(p), None) => Ok(Some(Extent::Fraction(p))),
        (None, k) => Ok(k.map(Extent::First)),
    }
}

fn weight_offset(options: &Options<'_>) -> JsResult<bool> {
    match options.count("weightOffset")? {
        None | Some(0) => Ok(false),
        Some(1) => Ok(true),
        Some(other) => Err(option_error(&format!("weightOffset is {other}; accepted are 0 and 1"))),
    }
}

fn views(options: &Options<'_>, dim: u64) -> JsResult<Vec<(Tensor, TensorView)>> {
    let Some(tensors) = options.value("tensors")? else { return Ok(Vec::new()) };
    let tensors = Options::new("tensors", &tensors, &[&TENSORS.map(Tensor::name)])?;
    let mut views = Vec::new();
    for tensor in TENSORS {
        let Some(view) = tensors.value(tensor.name())? else { continue };
        let view = Options::new(tensor.name(), &view, &[&["buffer", "bufferSize", "offset", "rowStride"]])?;
        let view = TensorView {
            buffer: view.needed("buffer", view.count_u32("buffer")?)? as usize,
            buffer_size: view.needed("bufferSize", view.count("bufferSize")?)?,
            offset: view.count("offset")?.unwrap_or_default(),
            row_stride: view.count("rowStride")?.unwrap_or_else(|| tensor.row_len(dim)),
        };
        views.push((tensor, view));
    }
    Ok(views)
}
