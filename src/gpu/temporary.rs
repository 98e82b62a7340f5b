//! Buffers that end with their scope.

use std::ops::Deref;

/// A buffer that is destroyed when dropped, whatever the way out. In a browser wgpu leaves that to the
/// garbage collector, which does not see the memory behind a buffer. Work that was submitted still runs.
#[derive(Debug)]
pub(crate) struct Temporary(wgpu::Buffer);

impl From<wgpu::Buffer> for Temporary {
    fn from(buffer: wgpu::Buffer) -> Self {
        Self(buffer)
    }
}

impl Deref for Temporary {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        self.0.destroy();
    }
}
