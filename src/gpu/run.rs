//! Arrays in, arrays out: plan, compile, upload, run, read back.

use super::context::Context;
use super::kernel::{BufferView, Compiled};
use super::readback::read_f32;
use super::temporary::Temporary;
use crate::arrays::{Input, Output};
use crate::error::{Error, Result};
use crate::plan::{Call, Request, Tensor, TensorView, plan};

impl Context {
    /// Normalizes arrays: plans, compiles, uploads, runs and reads back. For repeated calls compile
    /// once and keep buffers ([`Compiled`]).
    pub async fn run(&self, request: &Request, input: &Input<'_>) -> Result<Output> {
        let compiled = self.prepare(request, input).await?;
        self.run_compiled(&compiled, input).await
    }

    /// Plans and compiles for a request, checking the arrays and the whole call first.
    async fn prepare(&self, request: &Request, input: &Input<'_>) -> Result<Compiled> {
        let rows = input.rows(request)?;
        let plan = plan(request, self.caps())?;
        plan.dispatches(&contiguous_call(request, rows))?;
        Compiled::new(self, &plan).await
    }

    /// Uploads, runs and reads back with a compiled plan of contiguous tensors.
    pub async fn run_compiled(&self, compiled: &Compiled, input: &Input<'_>) -> Result<Output> {
        let request = &compiled.plan().request;
        let rows = input.rows(request)?;
        let stats_len = request.save_stats.then_some(rows * 2);
        if rows == 0 {
            return Ok(Output { y: Vec::new(), stats: stats_len.map(|_| Vec::new()) });
        }
        // Nothing is uploaded for a call that cannot be made.
        let call = contiguous_call(request, rows);
        for (_, view) in &call.views {
            self.check_size(view.buffer_size)?;
        }
        compiled.plan().dispatches(&call)?;
        let len = rows * request.dim;
        let in_place = request.layout.x_in_y;
        let (y, stats) = self
            .checked(|| {
                let upload = |label, values| self.upload(label, values).map(Temporary::from);
                let storage = |label, len| self.storage(label, len).map(Temporary::from);
                let x = upload("x", input.x)?;
                let y = if in_place { None } else { Some(storage("y", len)?) };
                let weight = input.weight.map(|values| upload("weight", values)).transpose()?;
                let bias = input.bias.map(|values| upload("bias", values)).transpose()?;
                let stats = stats_len.map(|len| storage("stats", len)).transpose()?;
                let buffers = [
                    (Tensor::X, Some(&x)),
                    (Tensor::Weight, weight.as_ref()),
                    (Tensor::Bias, bias.as_ref()),
                    (Tensor::Y, Some(y.as_ref().unwrap_or(&x))),
                    (Tensor::Stats, stats.as_ref()),
                ];
                let views: Vec<_> = buffers
                    .iter()
                    .filter_map(|(tensor, buffer)| Some(BufferView::contiguous(*tensor, (*buffer)?, request.dim)))
                    .collect();
                let bound = compiled.bind(self, rows, &views)?;
                let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                bound.encode_pass(&mut encoder);
                self.queue.submit([encoder.finish()]);
                bound.destroy();
                Ok((y.unwrap_or(x), stats))
            })
            .await?;
        let y = read_f32(self, &y, 0, len).await?;
        let stats = match (stats, stats_len) {
            (Some(buffer), Some(len)) => Some(read_f32(self, &buffer, 0, len).await?),
            _ => None,
        };
        Ok(Output { y, stats })
    }

    /// A storage buffer of `len` f32 that can be read back and written.
    pub fn storage(&self, label: &str, len: u64) -> Result<wgpu::Buffer> {
        let size = len.checked_mul(4).ok_or(Error::Overflow { what: "a buffer's size in bytes" })?;
        self.check_size(size)?;
        Ok(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    fn check_size(&self, needed: u64) -> Result<()> {
        let limit = self.caps().limits.max_buffer_size;
        if needed > limit {
            return Err(Error::Limit { what: "a buffer's size in bytes", needed, limit_name: "maxBufferSize", limit });
        }
        Ok(())
    }

    /// A storage buffer with values.
    pub fn upload(&self, label: &str, values: &[f32]) -> Result<wgpu::Buffer> {
        let buffer = self.storage(label, values.len() as u64)?;
        self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(values));
        Ok(buffer)
    }
}

/// The call of arrays: each tensor contiguous in a buffer of its own size, y in that of x where it is planned so.
fn contiguous_call(request: &Request, rows: u64) -> Call {
    let view = |(number, tensor): (usize, Tensor)| {
        let row_len = tensor.row_len(request.dim);
        let elements = if tensor.is_per_row() { rows * row_len } else { row_len };
        let in_x = tensor == Tensor::Y && request.layout.x_in_y;
        (tensor, TensorView::contiguous(if in_x { 0 } else { number }, elements * 4, row_len))
    };
    let views = request.tensors().into_iter().enumerate().map(view).collect();
    Call { rows, eps: request.spec.eps, views }
}
