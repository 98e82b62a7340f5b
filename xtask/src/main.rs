//! The project's commands. `cargo xtask demo` shows it, `cargo xtask test` checks it; both set up what is missing first.

mod exec;
mod page;
mod paths;
mod report;
mod serve;
mod setup;
mod stamp;
mod test;
mod wasm;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set up what is missing, then do it", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the wasm module and the page, serve the page on this machine and print its address.
    Demo(page::Options),
    /// Run every check: lints, Rust tests on every adapter, docs, wasm, npm packages, browsers.
    Test(test::Options),
    /// Build the wasm module and its JavaScript glue into www/package/pkg (and www/demo/wasm/pkg).
    Wasm {
        /// Also the one with the conformance run, for the browser tests.
        #[arg(long)]
        conformance: bool,
    },
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Demo(options) => page::demo(&options).map(|()| true),
        Task::Test(options) => Ok(test::run(&options)),
        Task::Wasm { conformance } => build_wasm(conformance).map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn build_wasm(conformance: bool) -> Result<()> {
    let route = setup::wasm_target::ready()?;
    setup::npm::ready()?;
    let modules = if conformance { wasm::all_modules() } else { wasm::release_modules() };
    for module in modules {
        wasm::build(&module, &route)?;
    }
    Ok(())
}
