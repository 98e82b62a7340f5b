//! The command line: `rownorm adapters | run | check | bench | plan | wgsl`.
//!
//! Exit status: 0 good; 1 a check failed; 2 bad usage, bad input or no adapter; 3 device error.
//! Results go to standard output, everything else (progress, notes, errors) to standard error; with
//! `--json` standard output holds one JSON document alone.

mod adapter;
mod adapters;
mod bench;
mod check;
mod exit;
mod norm;
mod npy;
mod output;
mod plan;
mod program;
mod run;
mod wgsl;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Row normalization for WebGPU: RMSNorm, LayerNorm and their relatives.
#[derive(Debug, Parser)]
#[command(name = "rownorm", version, about, after_help = EXIT_STATUS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_STATUS: &str =
    "Exit status: 0 good; 1 a check failed; 2 bad usage, bad input or no adapter; 3 device error.";

#[derive(Debug, Subcommand)]
enum Command {
    /// List the adapters of this machine.
    Adapters(adapters::Args),
    /// Normalize an array in a .npy file.
    Run(run::Args),
    /// Check every case, variant and strategy against float64.
    Check(check::Args),
    /// Time normalizations against a copy kernel.
    Bench(bench::Args),
    /// Show what the planner chooses, and why.
    Plan(plan::Args),
    /// Print the exact WGSL program that would run.
    Wgsl(wgsl::Args),
}

/// Parses the arguments and runs; the exit status says how it went.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Adapters(args) => adapters::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Wgsl(args) => wgsl::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
