//! What can be asked for by name.

use wasm_bindgen::prelude::*;

use super::error::JsResult;
use super::object::{array, object};
use crate::spec::{EpsPlace, Norm, NormSpec, Preset, Scale, Shift, Strategy, Weight};

/// The norms by name: an array of the façade's `Norm`.
#[wasm_bindgen]
pub fn norms() -> JsResult<JsValue> {
    Ok(array(Norm::ALL.map(|norm| described(norm.name(), &norm.spec()))))
}

/// The presets by name: an array of the façade's `Norm`.
#[wasm_bindgen]
pub fn presets() -> JsResult<JsValue> {
    Ok(array(Preset::ALL.map(|preset| described(preset.name(), &preset.spec()))))
}

/// The names of the strategies.
#[wasm_bindgen]
pub fn strategies() -> JsResult<JsValue> {
    Ok(array(Strategy::ALL.map(|strategy| strategy.name().into())))
}

fn described(name: &str, spec: &NormSpec) -> JsValue {
    let shift = match spec.shift {
        Shift::None => "none",
        Shift::Mean => "mean",
    };
    let scale = match spec.scale {
        Scale::None => "none",
        Scale::Rms(_) => "rms",
        Scale::Std => "std",
    };
    let weight = match spec.weight {
        Weight::None => "none",
        Weight::Direct => "direct",
        Weight::OnePlus => "one-plus",
    };
    object([
        ("name", name.into()),
        ("shift", shift.into()),
        ("scale", scale.into()),
        ("eps", spec.eps.into()),
        ("epsOutside", (spec.eps_place == EpsPlace::Outside).into()),
        ("weight", weight.into()),
        ("bias", spec.bias.into()),
    ])
}
