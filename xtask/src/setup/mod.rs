//! Finding what is missing on this machine, and installing it where that is this program's to do.

pub mod adapters;
pub mod browsers;
pub mod debian;
pub mod npm;
pub mod toolchain;
pub mod wasm_target;
