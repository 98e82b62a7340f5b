//! What `rownorm plan` and `rownorm wgsl` share: a request without data.

use super::adapter::AdapterArgs;
use super::exit::Result;
use super::norm::NormArgs;
use crate::caps::{DeviceCaps, Dialect};
use crate::plan::{Layout, Plan, Request, plan};
use crate::spec::Strategy;

#[derive(Debug, clap::Args)]
pub(super) struct ProgramArgs {
    #[command(flatten)]
    norm: NormArgs,
    /// Elements in a row
    #[arg(long, value_name = "N")]
    dim: u64,
    /// There is a weight
    #[arg(long)]
    weight: bool,
    /// There is a bias
    #[arg(long)]
    bias: bool,
    /// Mean and rstd of each row are written
    #[arg(long)]
    stats: bool,
    /// y is written over x
    #[arg(long)]
    in_place: bool,
    /// A strategy in place of the planner's choice
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// Do not use subgroups even where the device has them
    #[arg(long)]
    no_subgroups: bool,
    /// Let the plan depend on this number of rows
    #[arg(long, value_name = "N")]
    rows_hint: Option<u64>,
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Plan for WebGPU's guaranteed minimum instead of an adapter of this machine
    #[arg(long)]
    baseline: bool,
    /// Write WGSL as browsers want it, not as native wgpu does
    #[arg(long)]
    browser: bool,
}

/// A plan and the name of what it is for.
pub(super) struct Planned {
    pub adapter: String,
    pub plan: Plan,
}

impl ProgramArgs {
    /// Plans for the adapter asked for.
    pub(super) fn plan(&self, command: &str) -> Result<Planned> {
        let spec = self.norm.spec(self.weight, self.bias)?;
        spec.validate(self.dim)?;
        let layout = if self.in_place { Layout::in_place(self.dim) } else { Layout::contiguous(self.dim) };
        let request = Request {
            layout,
            save_stats: self.stats,
            rows_hint: self.rows_hint,
            strategy: self.strategy,
            allow_subgroups: !self.no_subgroups,
            ..Request::forward(spec, self.dim)
        };
        let (adapter, mut caps) = self.device(command)?;
        if self.browser {
            caps.dialect = Dialect::Browser;
        }
        Ok(Planned { adapter, plan: plan(&request, &caps)? })
    }

    fn device(&self, command: &str) -> Result<(String, DeviceCaps)> {
        if self.baseline {
            return Ok(("WebGPU's guaranteed minimum".into(), DeviceCaps::baseline(Dialect::Naga)));
        }
        let context = self.adapter.context(command)?;
        Ok((context.adapter().name.clone(), *context.caps()))
    }

    /// The normalization's name.
    pub(super) fn norm(&self) -> Result<&'static str> {
        self.norm.name()
    }
}
