//! The page's own module: the benchmark. The figures run on the npm package's module; this one is
//! loaded when a benchmark is first asked for, so that the page opens without it.

#[cfg(target_arch = "wasm32")]
mod bench;
mod cpu;
#[cfg(target_arch = "wasm32")]
mod object;
mod ratio;

pub use cpu::Contest;
pub use ratio::Ratio;
