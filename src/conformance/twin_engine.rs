//! The f32 twin as an engine: arrays in, arrays out, and the example of an engine without buffers.

use super::engine::Engine;
use super::job::{Job, Outcome};
use crate::Input;
use crate::caps::{DeviceCaps, Dialect};
use crate::error::Result;
use crate::plan::{Request, Tensor};
use crate::spec::{NormSpec, Strategy};
use crate::twin::{self, Order};

/// Runs jobs on the CPU in the order of summation that suits one. It has no strategies: each case runs once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TwinEngine;

impl Engine for TwinEngine {
    fn name(&self) -> String {
        "cpu".into()
    }

    fn caps(&self) -> DeviceCaps {
        DeviceCaps::baseline(Dialect::Naga)
    }

    fn strategies(&self) -> Vec<Strategy> {
        Vec::new()
    }

    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>> {
        let request = &job.plan.request;
        let request = Request { spec: NormSpec { eps: job.call.eps, ..request.spec }, ..*request };
        let x = job.gather(Tensor::X).unwrap_or_default();
        let (weight, bias) = (job.gather(Tensor::Weight), job.gather(Tensor::Bias));
        let input = Input { x: &x, weight: weight.as_deref(), bias: bias.as_deref() };
        let output = twin::forward(&request, &Order::for_dim(request.dim), &input)?;
        Ok(job.clone().scatter(&Outcome { y: output.y, stats: output.stats }))
    }
}
