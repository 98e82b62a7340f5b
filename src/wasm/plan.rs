//! Plans for whoever runs them elsewhere: on a `GPUDevice` of the caller's.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use super::error::JsResult;
use super::object::{array, number, object};
use super::{caps, request};
use crate::plan::{self as planner, Binding, BindingKind, BoundTensor, Dispatch, Kernel};

/// A plan; the façade's `Plan` wraps it.
#[wasm_bindgen]
pub struct Plan {
    plan: planner::Plan,
}

/// Plans the façade's `PlanOptions` for its `DeviceCaps`.
#[wasm_bindgen]
pub fn plan(options: &JsValue, caps: &JsValue) -> JsResult<Plan> {
    Ok(Plan { plan: planner::plan(&request::plan_request(options)?, &caps::read(caps)?)? })
}

#[wasm_bindgen]
impl Plan {
    /// The strategy's name.
    pub fn strategy(&self) -> JsResult<String> {
        Ok(self.plan.strategy.name().into())
    }

    /// An array of the façade's `Choice`.
    pub fn choices(&self) -> JsResult<JsValue> {
        Ok(array(self.plan.choices.iter().map(|choice| {
            object([
                ("what", choice.what.into()),
                ("value", choice.value.as_str().into()),
                ("why", choice.why.as_str().into()),
            ])
        })))
    }

    /// An array of the façade's `Kernel`.
    pub fn kernels(&self) -> JsResult<JsValue> {
        Ok(array(self.plan.kernels.iter().map(kernel)))
    }

    /// Turns the façade's `Call` into an array of its `Dispatch`.
    pub fn dispatches(&self, call: &JsValue) -> JsResult<JsValue> {
        let call = request::call(call, &self.plan.request)?;
        Ok(array(self.plan.dispatches(&call)?.iter().map(dispatch)))
    }
}

/// A program as the façade's `Kernel`.
pub(super) fn kernel(kernel: &Kernel) -> JsValue {
    object([
        ("label", kernel.label.as_str().into()),
        ("wgsl", kernel.wgsl.as_str().into()),
        ("entryPoint", kernel.entry_point.into()),
        ("workgroupSize", kernel.workgroup_size.into()),
        ("rowsPerWorkgroup", kernel.rows_per_workgroup.into()),
        ("bindings", array(kernel.bindings.iter().map(binding))),
    ])
}

fn binding(binding: &Binding) -> JsValue {
    let kind = match binding.kind {
        BindingKind::Uniform => "uniform",
        BindingKind::Read => "read-only-storage",
        BindingKind::ReadWrite => "storage",
    };
    object([
        ("index", binding.index.into()),
        ("tensor", binding.tensor.map_or(JsValue::NULL, |tensor| tensor.name().into())),
        ("type", kind.into()),
    ])
}

/// A dispatch as the façade's `Dispatch`.
pub(super) fn dispatch(dispatch: &Dispatch) -> JsValue {
    object([
        ("kernel", number(dispatch.kernel as u64)),
        ("params", Uint8Array::from(bytemuck::bytes_of(&dispatch.params)).into()),
        ("tensors", array(dispatch.tensors.iter().map(bound))),
        ("grid", array(dispatch.grid.map(JsValue::from))),
    ])
}

fn bound(bound: &BoundTensor) -> JsValue {
    object([
        ("index", bound.index.into()),
        ("tensor", bound.tensor.name().into()),
        ("offset", number(bound.offset)),
        ("size", number(bound.size)),
    ])
}
