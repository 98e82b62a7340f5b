//! The page's module. It carries rownorm's own exports for JavaScript, so that the page loads one
//! module, and adds what the npm package does not have: the benchmark.

#[cfg(target_arch = "wasm32")]
mod bench;
mod cpu;
#[cfg(target_arch = "wasm32")]
mod object;
mod ratio;

pub use cpu::Contest;
pub use ratio::Ratio;
