//! Row normalization for WebGPU.
