//! The page: built, and served on this machine.

use crate::setup::{npm, wasm_target};
use crate::{exec, paths, report, serve, wasm};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Options {
    /// The port to serve on; when it is taken, the next free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Start Vite's development server instead: it reloads the page as its files change.
    #[arg(long)]
    dev: bool,
}

/// Sets up, builds and serves; returns only on an error.
pub fn demo(options: &Options) -> Result<()> {
    let route = wasm_target::ready()?;
    npm::ready()?;
    for module in wasm::release_modules() {
        let built = wasm::build(&module, &route)?;
        // Too heavy is for the tests to refuse, not for someone who wants to look.
        if let Err(error) = module.check_budget(&built) {
            report::note(&format!("warning: {error}"));
        }
    }
    if options.dev {
        let mut command = exec::npm(paths::www());
        command.args(["run", "dev", "--workspace", "demo", "--", "--port", &options.port.to_string()]);
        return exec::run(&mut command);
    }
    build()?;
    serve::listen(&built_page(), options.port)
}

/// Builds every npm workspace, in the order of www/package.json: the page stands on the package.
pub fn build() -> Result<()> {
    if !paths::www().join("demo").join("package.json").is_file() {
        bail!("the page's sources, www/demo, are missing from this checkout");
    }
    report::step("page: build", || {
        exec::run(exec::npm(paths::www()).args(["run", "build", "--workspaces", "--if-present"]))
    })
}

/// The folder of the built page.
pub fn built_page() -> PathBuf {
    paths::www().join("demo").join("dist")
}
