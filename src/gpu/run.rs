//! Arrays in, arrays out: plan, compile, upload, run, read back.

use super::context::Context;
use super::kernel::{BufferView, Compiled};
use super::readback::read_f32;
use super::temporary::Temporary;
use crate::arrays::{Input, Output};
use crate::error::{Error, Result};
use crate::plan::{Request, Tensor, plan};

impl Context {
    /// Normalizes arrays: plans, compiles, uploads, runs and reads back. For repeated calls compile
    /// once and keep buffers ([`Compiled`]).
    pub async fn run(&self, request: &Request, input: &Input<'_>) -> Result<Output> {
        let compiled = self.prepare(request, input).await?;
        self.run_compiled(&compiled, input).await
    }

    /// Plans and compiles for a request, checking the arrays first.
    async fn prepare(&self, request: &Request, input: &Input<'_>) -> Result<Compiled> {
        input.rows(request)?;
        Compiled::new(self, &plan(request, self.caps())?).await
    }

    /// Uploads, runs and reads back with a compiled plan of contiguous tensors.
    pub async fn run_compiled(&self, compiled: &Compiled, input: &Input<'_>) -> Result<Output> {
        let request = &compiled.plan().request;
        let rows = input.rows(request)?;
        let stats_len = request.save_stats.then_some(rows * 2);
        if rows == 0 {
            return Ok(Output { y: Vec::new(), stats: stats_len.map(|_| Vec::new()) });
        }
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
        let limit = self.caps().limits.max_buffer_size;
        if size > limit {
            return Err(Error::Limit {
                what: "a buffer's size in bytes",
                needed: size,
                limit_name: "maxBufferSize",
                limit,
            });
        }
        Ok(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        }))
    }

    /// A storage buffer with values.
    pub fn upload(&self, label: &str, values: &[f32]) -> Result<wgpu::Buffer> {
        let buffer = self.storage(label, values.len() as u64)?;
        self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(values));
        Ok(buffer)
    }
}
