//! An entrant compiled and bound: ready to be encoded.

use super::arena::Arena;
use super::copy::{self, Copy};
use super::options::{Entrant, Shape, Work};
use crate::error::Result;
use crate::gpu::{Bound, BufferView, Compiled, Context, now_ns};
use crate::plan::{Tensor, plan};
use crate::spec::{NormSpec, Strategy};

/// What a contest encodes.
pub(super) struct Ready {
    program: Program,
    /// The strategy in use; none for the copy.
    pub strategy: Option<Strategy>,
    /// Time to compile.
    pub compile_ns: f64,
    /// The programs' text.
    pub wgsl: String,
}

enum Program {
    Copy(Copy),
    Norm(Vec<Bound>),
}

impl Ready {
    /// Plans, compiles and binds to every pair of the arena.
    pub(super) async fn new(context: &Context, entrant: &Entrant, shape: Shape, arena: &Arena) -> Result<Self> {
        match entrant.work {
            Work::Copy => Self::copy(context, arena).await,
            Work::Norm(spec) => Self::norm(context, entrant, spec, shape, arena).await,
        }
    }

    async fn copy(context: &Context, arena: &Arena) -> Result<Self> {
        let started = now_ns();
        let pipeline = Copy::compile(context).await?;
        let compile_ns = now_ns() - started;
        let program = Program::Copy(Copy::bind(context, pipeline, arena).await?);
        Ok(Self { program, strategy: None, compile_ns, wgsl: copy::WGSL.into() })
    }

    async fn norm(context: &Context, entrant: &Entrant, spec: NormSpec, shape: Shape, arena: &Arena) -> Result<Self> {
        let Some(request) = entrant.request(shape) else { return Self::copy(context, arena).await };
        let plan = plan(&request, context.caps())?;
        let started = now_ns();
        let compiled = Compiled::new(context, &plan).await?;
        let compile_ns = now_ns() - started;
        let bound = context
            .checked(|| {
                let pairs = arena.x.iter().zip(&arena.y);
                pairs.map(|(x, y)| compiled.bind(context, shape.rows, &views(&spec, shape, arena, [x, y]))).collect()
            })
            .await?;
        let wgsl = plan.kernels.iter().map(|kernel| kernel.wgsl.as_str()).collect::<Vec<_>>().join("\n");
        Ok(Self { program: Program::Norm(bound), strategy: Some(plan.strategy), compile_ns, wgsl })
    }

    /// Records one use on a pair of buffers.
    pub(super) fn encode(&self, pass: &mut wgpu::ComputePass<'_>, pair: usize) {
        match &self.program {
            Program::Copy(copy) => copy.encode(pass, pair),
            Program::Norm(bound) => bound[pair].encode(pass),
        }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        if let Program::Norm(bound) = &self.program {
            bound.iter().for_each(Bound::destroy);
        }
    }
}

fn views<'a>(spec: &NormSpec, shape: Shape, arena: &'a Arena, [x, y]: [&'a wgpu::Buffer; 2]) -> Vec<BufferView<'a>> {
    let mut views = vec![(Tensor::X, x), (Tensor::Y, y)];
    views.extend(spec.has_weight().then_some((Tensor::Weight, &*arena.weight)));
    views.extend(spec.bias.then_some((Tensor::Bias, &*arena.bias)));
    views.into_iter().map(|(tensor, buffer)| BufferView::contiguous(tensor, buffer, shape.dim)).collect()
}
