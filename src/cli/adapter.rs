//! `--adapter`: which adapter runs.

use super::exit::{Failure, Result};
use crate::error::Error;
use crate::gpu::{AdapterFilter, Context, ContextOptions};

/// The name reserved for the CPU twin.
const CPU: &str = "cpu";

#[derive(Debug, clap::Args)]
pub(super) struct AdapterArgs {
    /// Run on the adapter whose name, driver or driver info contains this, ignoring case (see
    /// `rownorm adapters`); `cpu` is the CPU twin of the kernels.
    #[arg(long, env = "ROWNORM_ADAPTER", value_name = "SUBSTRING")]
    adapter: Option<String>,
}

impl AdapterArgs {
    /// Whether the CPU twin is asked for. It never is by itself.
    pub(super) fn is_cpu(&self) -> bool {
        self.name().is_some_and(|name| name.eq_ignore_ascii_case(CPU))
    }

    /// How to ask for the device. `command` names what needs one, where the twin cannot serve.
    pub(super) fn device(&self, command: &str) -> Result<ContextOptions> {
        if self.is_cpu() {
            let text =
                format!("the adapter `{CPU}` is the CPU twin of the kernels; `{command}` needs one that runs WGSL");
            return Err(Failure::input(text));
        }
        Ok(ContextOptions { adapter: self.filter(), ..ContextOptions::default() })
    }

    /// The adapters meant; all of them where none is named, or the twin is.
    pub(super) fn filter(&self) -> AdapterFilter {
        self.name().filter(|_| !self.is_cpu()).map_or(AdapterFilter::ANY, AdapterFilter::containing)
    }

    /// The device.
    pub(super) fn context(&self, command: &str) -> Result<Context> {
        Ok(pollster::block_on(Context::request(&self.device(command)?))?)
    }

    /// The device of a command that the twin can serve too: where there is none, that is said. It is for the
    /// user to decide.
    pub(super) fn context_or_hint(&self, command: &str) -> Result<Context> {
        pollster::block_on(Context::request(&self.device(command)?)).map_err(|error| match error {
            Error::NoAdapter(text) => Error::NoAdapter(format!("{text}; `--adapter {CPU}` computes on the CPU")).into(),
            error => error.into(),
        })
    }

    /// The name asked for.
    pub(super) fn name(&self) -> Option<&str> {
        self.adapter.as_deref().filter(|name| !name.is_empty())
    }
}
