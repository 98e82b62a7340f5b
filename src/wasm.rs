//! The bindings for JavaScript that the npm package's façade stands on.
//!
//! Options come in as plain objects and results go out as plain objects and typed arrays that belong
//! to JavaScript (never views of wasm memory, which growing would detach). Every export returns a
//! `Result` or a promise; errors are JavaScript `Error`s with a `code` for each variant of
//! [`crate::Error`]. No borrow is held across an `await`, so calls on one engine may overlap. A panic
//! would leave promises pending for ever: [`on_panic`] tells the façade, which rejects them.

mod caps;
#[cfg(feature = "conformance")]
mod conformance;
mod cpu;
mod engine;
mod error;
mod names;
mod object;
mod options;
mod panic;
mod plan;
mod request;

pub use panic::on_panic;
