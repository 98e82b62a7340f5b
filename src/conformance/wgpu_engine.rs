//! wgpu as an engine: native adapters, and the browser's through wasm.

use std::collections::HashMap;
use std::sync::Mutex;

use super::engine::Engine;
use super::job::Job;
use crate::caps::DeviceCaps;
use crate::error::Result;
use crate::gpu::{BufferView, Compiled, Context, Temporary, read_bytes};
use crate::plan::Plan;

/// Pipelines kept: cases with the same program stand close together in the list.
const KEPT: usize = 256;

/// Runs jobs on a context's device.
#[derive(Debug)]
pub struct WgpuEngine {
    context: Context,
    compiled: Mutex<HashMap<String, Compiled>>,
}

impl WgpuEngine {
    /// An engine on this device.
    pub fn new(context: Context) -> Self {
        Self { context, compiled: Mutex::default() }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The plan's programs, compiled once for each text.
    async fn compiled(&self, plan: &Plan) -> Result<Compiled> {
        let text: String = plan.kernels.iter().map(|kernel| kernel.wgsl.as_str()).collect();
        let kept = self.compiled.lock().ok().and_then(|kept| kept.get(&text)?.with_plan(plan));
        if let Some(compiled) = kept {
            return Ok(compiled);
        }
        let compiled = Compiled::new(&self.context, plan).await?;
        if let Ok(mut kept) = self.compiled.lock() {
            if kept.len() >= KEPT {
                kept.clear();
            }
            kept.insert(text, compiled.clone());
        }
        Ok(compiled)
    }
}

impl Engine for WgpuEngine {
    fn name(&self) -> String {
        self.context.adapter().name.clone()
    }

    fn caps(&self) -> DeviceCaps {
        *self.context.caps()
    }

    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>> {
        let context = &self.context;
        let compiled = self.compiled(&job.plan).await?;
        let buffers = context
            .checked(|| {
                let upload =
                    |words: &Vec<u32>| context.upload("conformance", bytemuck::cast_slice(words)).map(Temporary::from);
                let buffers = job.buffers.iter().map(upload).collect::<Result<Vec<_>>>()?;
                let views: Vec<_> = job
                    .call
                    .views
                    .iter()
                    .map(|(tensor, view)| BufferView {
                        tensor: *tensor,
                        buffer: &buffers[view.buffer],
                        offset: view.offset,
                        row_stride: view.row_stride,
                    })
                    .collect();
                let bound = compiled.bind_with_eps(context, job.call.rows, job.call.eps, &views)?;
                let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                bound.encode_pass(&mut encoder);
                context.queue.submit([encoder.finish()]);
                bound.destroy();
                Ok(buffers)
            })
            .await?;
        let mut after = Vec::new();
        for index in job.written() {
            let bytes = read_bytes(context, &buffers[index], 0, buffers[index].size()).await?;
            after.push(bytemuck::pod_collect_to_vec(&bytes));
        }
        Ok(after)
    }
}
