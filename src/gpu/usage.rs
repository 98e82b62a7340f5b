//! What a caller's buffer was made for.

use crate::error::{Error, Result};

/// Refuses a buffer that lacks STORAGE or COPY_SRC; `of` says what it holds. WebGPU itself would tell by an
/// uncaptured error, which ends a program that has no handler.
pub(super) fn check(buffer: &wgpu::Buffer, needed: wgpu::BufferUsages, of: &'static str) -> Result<()> {
    if buffer.usage().contains(needed) {
        return Ok(());
    }
    let needed = if needed.contains(wgpu::BufferUsages::STORAGE) { "STORAGE" } else { "COPY_SRC" };
    Err(Error::Usage { of, needed })
}
