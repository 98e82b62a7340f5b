//! Plain objects and arrays for JavaScript.

use js_sys::{Array, Float32Array, Float64Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::error::JsResult;
use crate::error::Error;

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

/// A copy that belongs to JavaScript. The constructor is called by name, because it throws where memory is short:
/// what js-sys' own throws unwinds the future under way, whose promise then never settles.
pub(super) fn floats(values: &[f32]) -> JsResult<JsValue> {
    let constructor = Reflect::get(&js_sys::global(), &"Float32Array".into())?.unchecked_into::<Function>();
    let array = Reflect::construct(&constructor, &Array::of1(&number(values.len() as u64)))
        .map_err(|_| Error::Memory { bytes: size_of_val(values) as u64 })?;
    array.unchecked_ref::<Float32Array>().copy_from(values);
    Ok(array)
}

/// A copy that belongs to JavaScript; not for promises, since it may throw.
pub(super) fn doubles(values: &[f64]) -> JsValue {
    Float64Array::from(values).into()
}

/// A count or a size as a number.
pub(super) fn number(value: u64) -> JsValue {
    JsValue::from_f64(value as f64)
}
