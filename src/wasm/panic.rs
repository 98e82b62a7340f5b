//! What happens on a panic, which should never be: it is printed, and the façade is told.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

thread_local! {
    static LISTENER: RefCell<Option<js_sys::Function>> = const { RefCell::new(None) };
}

#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        let listener = LISTENER.with(|listener| listener.try_borrow().ok().and_then(|held| held.clone()));
        if let Some(listener) = listener {
            // The listener's own failure has nobody left to be told to.
            let _ = listener.call1(&JsValue::NULL, &JsValue::from_str(&info.to_string()));
        }
    }));
}

/// Calls `listener` with the message when this module panics; it is of no use afterwards.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(listener: js_sys::Function) -> Result<(), JsValue> {
    LISTENER.with(|held| *held.borrow_mut() = Some(listener));
    Ok(())
}
