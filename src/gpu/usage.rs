//! What a caller's buffer was made for.

use crate::error::{Error, Result};

/// Refuses a buffer that lacks a usage; `buffer` says which one in a message. WebGPU itself would tell by an
/// uncaptured error, which ends a program that has no handler.
pub(super) fn check(buffer: &wgpu::Buffer, needed: wgpu::BufferUsages, name: impl FnOnce() -> String) -> Result<()> {
    let found = buffer.usage();
    let names = |usage: wgpu::BufferUsages| usage.iter_names().map(|(name, _)| name).collect::<Vec<_>>().join(" | ");
    match needed.difference(found).iter_names().next() {
        None => Ok(()),
        Some((needed, _)) => Err(Error::Usage { buffer: name(), needed, found: names(found) }),
    }
}
