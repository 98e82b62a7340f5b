//! Reading buffers back, asynchronously on every platform.

use std::cell::RefCell;
use std::future::poll_fn;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

use super::context::Context;
use super::temporary::Temporary;
use super::usage;
use crate::error::{Error, Result};
use crate::memory;

/// Reads `size` bytes from `offset` of a buffer with usage `COPY_SRC`; both multiples of 4. Natively
/// the device is polled here: the caller has nothing to drive.
pub async fn read_bytes(context: &Context, buffer: &wgpu::Buffer, offset: u64, size: u64) -> Result<Vec<u8>> {
    let mut bytes = memory::zeros(size)?;
    read_into(context, buffer, offset, &mut bytes).await?;
    Ok(bytes)
}

/// Reads `len` f32 from element `offset` of a buffer with usage `COPY_SRC`.
pub async fn read_f32(context: &Context, buffer: &wgpu::Buffer, offset: u64, len: u64) -> Result<Vec<f32>> {
    let bytes = |elements: u64| {
        elements.checked_mul(4).ok_or(Error::Overflow { what: "the range of a buffer to read, in bytes," })
    };
    let (offset, _) = (bytes(offset)?, bytes(len)?);
    let mut values = memory::zeros(len)?;
    read_into(context, buffer, offset, bytemuck::cast_slice_mut(&mut values)).await?;
    Ok(values)
}

/// Fills `into`, copying once.
async fn read_into(context: &Context, buffer: &wgpu::Buffer, offset: u64, into: &mut [u8]) -> Result<()> {
    let size = into.len() as u64;
    usage::check(buffer, wgpu::BufferUsages::COPY_SRC, "the values to read back")?;
    if size == 0 {
        return Ok(());
    }
    let staging = context
        .checked(|| {
            let staging = Temporary::from(context.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("rownorm readback"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
            let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, size);
            context.queue.submit([encoder.finish()]);
            Ok(staging)
        })
        .await?;
    let mapped = map(context, &staging).await;
    context.check_health()?;
    mapped.map_err(Error::Readback)?;
    let view = staging.slice(..).get_mapped_range().map_err(|error| Error::Readback(error.to_string()))?;
    copy(&view, into);
    Ok(())
}

#[cfg(not(target_arch = "wasm32"))]
fn copy(view: &wgpu::BufferView, into: &mut [u8]) {
    into.copy_from_slice(view);
}

/// Reading the view itself would copy it into this module's memory first, without a word where there is none left.
#[cfg(target_arch = "wasm32")]
fn copy(view: &wgpu::BufferView, into: &mut [u8]) {
    view.as_uint8array().copy_to(into);
}

#[derive(Default)]
struct Mapping {
    result: Option<std::result::Result<(), String>>,
    waker: Option<Waker>,
}

async fn map(context: &Context, staging: &wgpu::Buffer) -> std::result::Result<(), String> {
    let shared = Arc::new(Mutex::new(Mapping::default()));
    let state = shared.clone();
    staging.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        if let Ok(mut mapping) = state.lock() {
            mapping.result = Some(result.map_err(|error| error.to_string()));
            if let Some(waker) = mapping.waker.take() {
                waker.wake();
            }
        }
    });
    let poll_error = RefCell::new(drive(context).err());
    poll_fn(move |task| {
        if let Some(text) = poll_error.borrow_mut().take() {
            return Poll::Ready(Err(text));
        }
        let Ok(mut mapping) = shared.lock() else {
            return Poll::Ready(Err("the callback panicked".into()));
        };
        match mapping.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                mapping.waker = Some(task.waker().clone());
                Poll::Pending
            }
        }
    })
    .await
}

/// Waits for the queue natively; a browser drives itself.
fn drive(context: &Context) -> std::result::Result<(), String> {
    context.device.poll(wgpu::PollType::wait_indefinitely()).map(|_| ()).map_err(|error| error.to_string())
}
