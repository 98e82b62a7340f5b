//! Reading plain objects: what is missing is `None`, what has the wrong type or name is an error.

use std::str::FromStr;

use js_sys::{Float32Array, Number, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use super::error::{JsResult, option_error};
use crate::memory;

/// An object of options.
pub(super) struct Options<'a> {
    object: &'a JsValue,
    /// What messages call it.
    what: &'a str,
}

impl<'a> Options<'a> {
    /// An object that has these properties at most; a name that was misspelt would otherwise be ignored.
    pub fn new(what: &'a str, object: &'a JsValue, known: &[&[&str]]) -> JsResult<Self> {
        let options = Self::open(what, object)?;
        for name in Object::keys(object.unchecked_ref::<Object>()).iter().filter_map(|name| name.as_string()) {
            if !known.iter().any(|names| names.contains(&name.as_str())) {
                let known = known.concat().join(", ");
                return Err(option_error(&format!("{what} has no property {name}; there are {known}")));
            }
        }
        Ok(options)
    }

    /// An object that may have other properties.
    pub fn open(what: &'a str, object: &'a JsValue) -> JsResult<Self> {
        if !object.is_object() {
            return Err(option_error(&format!("{what} is {}; an object is needed", shown(object))));
        }
        Ok(Self { object, what })
    }

    /// A property as it is.
    pub fn value(&self, name: &str) -> JsResult<Option<JsValue>> {
        let value = Reflect::get(self.object, &name.into())?;
        Ok(Some(value).filter(|value| !value.is_undefined() && !value.is_null()))
    }

    pub fn number(&self, name: &str) -> JsResult<Option<f64>> {
        self.typed(name, "a number", |value| value.as_f64())
    }

    /// A number that counts something.
    pub fn count(&self, name: &str) -> JsResult<Option<u64>> {
        self.typed(name, "a whole number from 0", |value| {
            value.as_f64().filter(|count| *count >= 0.0 && Number::is_safe_integer(value)).map(|count| count as u64)
        })
    }

    /// A count of 32 bits.
    pub fn count_u32(&self, name: &str) -> JsResult<Option<u32>> {
        let accepted = "a whole number from 0 to 4294967295";
        let count = self.count(name)?;
        count.map(|count| u32::try_from(count).map_err(|_| self.error(name, &count.to_string(), accepted))).transpose()
    }

    pub fn boolean(&self, name: &str) -> JsResult<bool> {
        self.optional_boolean(name).map(Option::unwrap_or_default)
    }

    pub fn optional_boolean(&self, name: &str) -> JsResult<Option<bool>> {
        self.typed(name, "true or false", JsValue::as_bool)
    }

    pub fn string(&self, name: &str) -> JsResult<Option<String>> {
        self.typed(name, "a string", JsValue::as_string)
    }

    /// A string that names one of several things.
    pub fn named<T: FromStr<Err = String>>(&self, name: &str) -> JsResult<Option<T>> {
        let text = self.string(name)?;
        text.map(|text| text.parse().map_err(|message: String| option_error(&message))).transpose()
    }

    /// A copy of an array.
    pub fn floats(&self, name: &str) -> JsResult<Option<Vec<f32>>> {
        self.value(name)?.map(|value| floats(name, &value)).transpose()
    }

    /// What has to be there.
    pub fn needed<T>(&self, name: &str, value: Option<T>) -> JsResult<T> {
        value.ok_or_else(|| option_error(&format!("{} lacks {name}", self.what)))
    }

    fn typed<T>(&self, name: &str, accepted: &str, read: impl Fn(&JsValue) -> Option<T>) -> JsResult<Option<T>> {
        let read = |value: JsValue| read(&value).ok_or_else(|| self.error(name, &shown(&value), accepted));
        self.value(name)?.map(read).transpose()
    }

    fn error(&self, name: &str, value: &str, accepted: &str) -> JsValue {
        option_error(&format!("{name} of {} is {value}; accepted is {accepted}", self.what))
    }
}

/// A copy of a `Float32Array`.
pub(super) fn floats(name: &str, value: &JsValue) -> JsResult<Vec<f32>> {
    match value.dyn_ref::<Float32Array>() {
        Some(array) => {
            let mut values = memory::zeros(array.length().into())?;
            array.copy_to(&mut values);
            Ok(values)
        }
        None => Err(option_error(&format!("{name} is {}; a Float32Array is needed", shown(value)))),
    }
}

/// A value as a message quotes it, written by JavaScript: Rust's own ways bring tables of many kilobytes.
pub(super) fn shown(value: &JsValue) -> String {
    if value.is_object() {
        let constructor = Reflect::get(value, &"constructor".into()).ok();
        let name = constructor.and_then(|class| Reflect::get(&class, &"name".into()).ok());
        return format!("of type {}", name.and_then(|name| name.as_string()).unwrap_or_else(|| "object".into()));
    }
    let text = js_sys::JSON::stringify(value).ok().and_then(|text| text.as_string());
    text.or_else(|| value.js_typeof().as_string()).unwrap_or_default()
}
