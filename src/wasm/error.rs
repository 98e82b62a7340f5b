//! Errors as JavaScript sees them: an `Error` with the sentence as `message` and a `code`.

use wasm_bindgen::JsValue;

use crate::error::Error;

/// The result of an export.
pub(super) type JsResult<T> = Result<T, JsValue>;

/// The `code` of each error; the façade's `ErrorCode` lists them.
fn code(error: &Error) -> &'static str {
    match error {
        Error::Dim { .. } => "dim",
        Error::Eps { .. } => "eps",
        Error::Extent { .. } => "extent",
        Error::Fraction { .. } => "fraction",
        Error::Spec { .. } => "spec",
        Error::MissingTensor { .. } => "missing-tensor",
        Error::UnusedTensor { .. } => "unused-tensor",
        Error::Length { .. } => "length",
        Error::BufferTooSmall { .. } => "buffer-too-small",
        Error::Usage { .. } => "usage",
        Error::Stride { .. } => "stride",
        Error::Alignment { .. } => "alignment",
        Error::VectorAccess { .. } | Error::MixedAccess => "layout",
        Error::Overlap { .. } => "overlap",
        Error::Sharing { .. } => "sharing",
        Error::ReadWriteConflict { .. } => "read-write-conflict",
        Error::Aliasing { .. } => "aliasing",
        Error::RowExceedsBinding { .. } => "row-exceeds-binding",
        Error::Limit { .. } => "limit",
        Error::Caps { .. } => "caps",
        Error::Overflow { .. } => "overflow",
        Error::Memory { .. } => "memory",
        Error::Strategy { .. } => "strategy",
        Error::NoWebGpu(_) => "no-webgpu",
        Error::NoAdapter(_) => "no-adapter",
        Error::NoDevice(_) => "no-device",
        Error::Compile { .. } => "compile",
        Error::Device(_) => "device",
        Error::DeviceLost(_) => "device-lost",
        Error::Readback(_) => "readback",
    }
}

impl From<Error> for JsValue {
    fn from(error: Error) -> Self {
        with_code(code(&error), &error.to_string())
    }
}

/// An option of the wrong type or name.
pub(super) fn option_error(message: &str) -> JsValue {
    with_code("option", message)
}

fn with_code(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    // Setting a property of a fresh object cannot fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}
