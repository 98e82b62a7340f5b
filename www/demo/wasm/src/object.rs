//! Plain objects and errors for JavaScript.

use js_sys::{Object, Reflect};
use wasm_bindgen::JsValue;

/// `{name: value, …}`.
pub fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a property of a fresh object cannot fail.
        let _ = Reflect::set(&object, &name.into(), &value);
    }
    object.into()
}

/// An `Error` with the sentence of a rownorm error.
pub fn error(error: rownorm::Error) -> JsValue {
    js_sys::Error::new(&error.to_string()).into()
}
