//! Compile, bind, encode.

use super::context::Context;
use super::usage;
use crate::error::{Error, Result};
use crate::plan::{BindingKind, Call, Dispatch, Kernel, Params, Plan, Tensor, TensorView};

/// A plan's programs as pipelines on one device.
#[derive(Debug, Clone)]
pub struct Compiled {
    plan: Plan,
    programs: Vec<Program>,
}

#[derive(Debug, Clone)]
struct Program {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
}

/// A tensor in a caller's buffer; offset and stride count elements.
#[derive(Debug, Clone, Copy)]
pub struct BufferView<'a> {
    /// Which tensor.
    pub tensor: Tensor,
    /// Its buffer, with usage `STORAGE`.
    pub buffer: &'a wgpu::Buffer,
    /// First element.
    pub offset: u64,
    /// Elements from row to row; unused for weight and bias.
    pub row_stride: u64,
}

impl<'a> BufferView<'a> {
    /// Contiguous rows from the start of a buffer; `dim` is the row length of x.
    pub fn contiguous(tensor: Tensor, buffer: &'a wgpu::Buffer, dim: u64) -> Self {
        Self { tensor, buffer, offset: 0, row_stride: tensor.row_len(dim) }
    }

    /// The views in the planner's terms: equal buffers get equal numbers.
    pub fn describe(views: &[BufferView<'_>]) -> Vec<(Tensor, TensorView)> {
        let number = |buffer| views.iter().position(|other| other.buffer == buffer).unwrap_or_default();
        views
            .iter()
            .map(|view| {
                let described = TensorView {
                    buffer: number(view.buffer),
                    buffer_size: view.buffer.size(),
                    offset: view.offset,
                    row_stride: view.row_stride,
                };
                (view.tensor, described)
            })
            .collect()
    }
}

/// A compiled plan with buffers and sizes: ready to be encoded, any number of times.
#[derive(Debug, Clone)]
pub struct Bound {
    steps: Vec<Step>,
    /// The uniform blocks of all steps; none where there are no rows.
    uniforms: Option<wgpu::Buffer>,
}

#[derive(Debug, Clone)]
struct Step {
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    grid: [u32; 2],
}

impl Compiled {
    /// Compiles a plan's programs; takes milliseconds. Errors carry the compiler's text.
    pub async fn new(context: &Context, plan: &Plan) -> Result<Self> {
        // What happened before is not the compiler's word on these programs.
        context.check_health()?;
        let mut programs = Vec::new();
        for kernel in &plan.kernels {
            let program = context.checked(|| Ok(program(&context.device, kernel))).await;
            programs.push(program.map_err(|error| match error {
                Error::Device(text) => Error::Compile { label: kernel.label.clone(), text },
                other => other,
            })?);
        }
        Ok(Self { plan: plan.clone(), programs })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The same programs for another plan, whose kernels must be the very same: another ε, or limits
    /// that change how calls are cut into dispatches. `None` where they differ.
    pub fn with_plan(&self, plan: &Plan) -> Option<Self> {
        (self.plan.kernels == plan.kernels).then(|| Self { plan: plan.clone(), programs: self.programs.clone() })
    }

    /// Binds tensors for a number of rows; checks all of it first, the buffers' sizes and usages too. Creates a
    /// uniform buffer and a bind group for each dispatch. `rows = 0` binds nothing and encodes nothing.
    ///
    /// What only the device knows (memory that runs out, a buffer that was destroyed or is another device's) arises
    /// as an error of the device: call this within [`Context::checked`] to have it returned, else it goes to the
    /// device's own error handler.
    pub fn bind(&self, context: &Context, rows: u64, views: &[BufferView<'_>]) -> Result<Bound> {
        let call = Call { rows, eps: self.plan.request.spec.eps, views: BufferView::describe(views) };
        self.bind_call(context, &call, views)
    }

    /// The same with an ε of its own.
    pub fn bind_with_eps(&self, context: &Context, rows: u64, eps: f32, views: &[BufferView<'_>]) -> Result<Bound> {
        self.bind_call(context, &Call { rows, eps, views: BufferView::describe(views) }, views)
    }

    fn bind_call(&self, context: &Context, call: &Call, views: &[BufferView<'_>]) -> Result<Bound> {
        let dispatches = self.plan.dispatches(call)?;
        for view in views {
            usage::check(view.buffer, wgpu::BufferUsages::STORAGE, view.tensor.name())?;
        }
        let Some(uniforms) = uniforms(context, &dispatches) else {
            return Ok(Bound { steps: Vec::new(), uniforms: None });
        };
        let spacing = uniform_spacing(context);
        let steps = dispatches.iter().enumerate().map(|(index, dispatch)| {
            let program = &self.programs[dispatch.kernel];
            let uniform = wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &uniforms,
                    offset: index as u64 * spacing,
                    size: wgpu::BufferSize::new(size_of::<Params>() as u64),
                }),
            };
            let mut entries = vec![uniform];
            for bound in &dispatch.tensors {
                let view = views.iter().find(|view| view.tensor == bound.tensor);
                let view = view.ok_or(Error::MissingTensor { tensor: bound.tensor })?;
                entries.push(wgpu::BindGroupEntry {
                    binding: bound.index,
                    resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: view.buffer,
                        offset: bound.offset,
                        size: wgpu::BufferSize::new(bound.size),
                    }),
                });
            }
            let group = context.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("rownorm"),
                layout: &program.layout,
                entries: &entries,
            });
            Ok(Step { pipeline: program.pipeline.clone(), group, grid: dispatch.grid })
        });
        let steps = steps.collect::<Result<_>>()?;
        Ok(Bound { steps, uniforms: Some(uniforms) })
    }
}

impl Bound {
    /// Records the dispatches into a pass of the caller's; microseconds, no GPU object.
    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>) {
        for step in &self.steps {
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &step.group, &[]);
            pass.dispatch_workgroups(step.grid[0], step.grid[1], 1);
        }
    }

    /// Releases what binding created on the device, at once: dropping does so too, in a browser some time
    /// later. Work that was submitted still runs; what was recorded and not yet submitted is refused.
    pub fn destroy(&self) {
        self.uniforms.iter().for_each(wgpu::Buffer::destroy);
    }

    /// The same in a pass of its own; nothing where there are no rows.
    pub fn encode_pass(&self, encoder: &mut wgpu::CommandEncoder) {
        if !self.steps.is_empty() {
            self.encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()));
        }
    }
}

fn program(device: &wgpu::Device, kernel: &Kernel) -> Program {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(&kernel.label),
        source: wgpu::ShaderSource::Wgsl(kernel.wgsl.as_str().into()),
    });
    let entries: Vec<_> = kernel
        .bindings
        .iter()
        .map(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding.index,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match binding.kind {
                    BindingKind::Uniform => wgpu::BufferBindingType::Uniform,
                    BindingKind::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    BindingKind::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    let layout = device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(&kernel.label), entries: &entries });
    let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(&kernel.label),
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(&kernel.label),
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(kernel.entry_point),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    Program { pipeline, layout }
}

fn uniform_spacing(context: &Context) -> u64 {
    let alignment = u64::from(context.caps().limits.min_uniform_buffer_offset_alignment);
    (size_of::<Params>() as u64).next_multiple_of(alignment)
}

/// One buffer for the uniform blocks of all dispatches.
fn uniforms(context: &Context, dispatches: &[Dispatch]) -> Option<wgpu::Buffer> {
    let spacing = uniform_spacing(context) as usize;
    let mut bytes = vec![0; spacing * dispatches.len()];
    for (block, dispatch) in bytes.chunks_exact_mut(spacing).zip(dispatches) {
        block[..size_of::<Params>()].copy_from_slice(bytemuck::bytes_of(&dispatch.params));
    }
    if bytes.is_empty() {
        return None;
    }
    let buffer = context.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("rownorm params"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    context.queue.write_buffer(&buffer, 0, &bytes);
    Some(buffer)
}
