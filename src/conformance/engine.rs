//! What runs a job.

use super::job::Job;
use crate::caps::DeviceCaps;
use crate::error::Result;
use crate::spec::Strategy;

/// Something that executes plans: wgpu on an adapter, a plan executor in JavaScript, the f32 twin.
#[allow(async_fn_in_trait)] // engines run on one thread in a browser, so no future can promise Send
pub trait Engine {
    /// What reports call it: the adapter's name.
    fn name(&self) -> String;

    /// What it can do; plans are made for this.
    fn caps(&self) -> DeviceCaps;

    /// The strategies it executes; those that need subgroups only count where `caps` has them.
    fn strategies(&self) -> Vec<Strategy> {
        let subgroups = self.caps().subgroups.is_some();
        Strategy::ALL.into_iter().filter(|strategy| subgroups || !strategy.needs_subgroups()).collect()
    }

    /// Runs a job and returns the buffers of [`Job::written`], in that order, whole. Engines that take
    /// arrays use [`Job::gather`] and [`Job::scatter`].
    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>>;
}
