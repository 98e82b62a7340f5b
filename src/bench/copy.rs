//! The copy kernel: what a device can do at most under the same clock.

use super::arena::Arena;
use crate::error::{Error, Result};
use crate::gpu::Context;

/// The whole program.
pub(super) const WGSL: &str = include_str!("../../shaders/bench/copy.wgsl");

/// Bytes that one workgroup copies: 64 invocations, one vec4 each.
const WORKGROUP_BYTES: u64 = 64 * 16;

/// The copy bound to every pair of an arena.
pub(super) struct Copy {
    pipeline: wgpu::ComputePipeline,
    pairs: Vec<Vec<(wgpu::BindGroup, [u32; 2])>>,
}

impl Copy {
    /// Compiles.
    pub(super) async fn compile(context: &Context) -> Result<wgpu::ComputePipeline> {
        let label = Some("bench copy");
        let pipeline = context
            .checked(|| {
                let module = context.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                    label,
                    source: wgpu::ShaderSource::Wgsl(WGSL.into()),
                });
                Ok(context.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label,
                    layout: None,
                    module: &module,
                    entry_point: Some("copy"),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    cache: None,
                }))
            })
            .await;
        pipeline.map_err(|error| match error {
            Error::Device(text) => Error::Compile { label: "bench copy".into(), text },
            other => other,
        })
    }

    /// Binds every pair, in pieces that fit the device's bindings and grids.
    pub(super) async fn bind(context: &Context, pipeline: wgpu::ComputePipeline, arena: &Arena) -> Result<Self> {
        let limits = &context.caps().limits;
        let groups = u64::from(limits.max_compute_workgroups_per_dimension);
        let piece = limits.max_storage_buffer_binding_size.min(groups.pow(2).saturating_mul(WORKGROUP_BYTES));
        let piece = piece / WORKGROUP_BYTES * WORKGROUP_BYTES;
        let pairs = context
            .checked(|| {
                let pairs = arena.x.iter().zip(&arena.y).map(|(x, y)| {
                    let starts = (0..x.size()).step_by(piece as usize);
                    let steps = starts.map(|offset| {
                        let size = piece.min(x.size() - offset);
                        let count = size.div_ceil(WORKGROUP_BYTES);
                        let height = count.div_ceil(groups);
                        let grid = [count.div_ceil(height) as u32, height as u32];
                        (group(context, &pipeline, [x, y], offset, size), grid)
                    });
                    steps.collect()
                });
                Ok(pairs.collect())
            })
            .await?;
        Ok(Self { pipeline, pairs })
    }

    pub(super) fn encode(&self, pass: &mut wgpu::ComputePass<'_>, pair: usize) {
        for (group, grid) in &self.pairs[pair] {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(grid[0], grid[1], 1);
        }
    }
}

fn group(
    context: &Context,
    pipeline: &wgpu::ComputePipeline,
    buffers: [&wgpu::Buffer; 2],
    offset: u64,
    size: u64,
) -> wgpu::BindGroup {
    let entry = |binding: u32, buffer| wgpu::BindGroupEntry {
        binding,
        resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
            buffer,
            offset,
            size: wgpu::BufferSize::new(size),
        }),
    };
    context.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("bench copy"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[entry(0, buffers[0]), entry(1, buffers[1])],
    })
}
