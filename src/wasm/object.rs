//! Plain objects and arrays for JavaScript.

use js_sys::{Array, Float32Array, Float64Array, Object, Reflect};
use wasm_bindgen::JsValue;

/// `{name: value, …}`.
pub(super) fn object<'a>(fields: impl IntoIterator<Item = (&'a str, JsValue)>) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// `[value, …]`.
pub(super) fn array(values: impl IntoIterator<Item = JsValue>) -> JsValue {
    values.into_iter().collect::<Array>().into()
}

/// A copy that belongs to JavaScript.
pub(super) fn floats(values: &[f32]) -> JsValue {
    Float32Array::from(values).into()
}

/// A copy that belongs to JavaScript.
pub(super) fn doubles(values: &[f64]) -> JsValue {
    Float64Array::from(values).into()
}

/// A count or a size as a number.
pub(super) fn number(value: u64) -> JsValue {
    JsValue::from_f64(value as f64)
}
