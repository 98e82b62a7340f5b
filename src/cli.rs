//! The command line: `rownorm adapters | run | bench | plan | wgsl`.
//!
//! Exit status: 0 good; 1 a check failed; 2 bad usage, bad input or no adapter; 3 device error.
//! Results go to standard output, everything else (progress, notes, errors) to standard error; with
//! `--json` standard output holds one JSON document alone.

mod adapter;
mod adapters;
mod bench;
mod exit;
mod norm;
mod output;

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
    /// Time normalizations against a copy kernel.
    Bench(bench::Args),
}

/// Parses the arguments and runs; the exit status says how it went.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Adapters(args) => adapters::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
