//! `rownorm wgsl`: the exact program text.

use super::exit::Result;
use super::output;
use super::program::ProgramArgs;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    program: ProgramArgs,
}

pub(super) fn run(args: &Args) -> Result {
    let plan = args.program.plan("rownorm wgsl")?.plan;
    let texts: Vec<_> = plan.kernels.iter().map(|kernel| kernel.wgsl.as_str()).collect();
    output::text(&texts.join("\n"))
}
