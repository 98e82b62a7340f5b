//! Every check, stage by stage. A stage that fails does not stop the next; the last line counts them all.

mod browser;
mod docs;
mod libtest;
mod lint;
mod npm;
mod outcome;
mod rust;
mod tap;
mod wasm;

use crate::report;
use crate::setup::adapters;
use crate::setup::browsers::{self, Browsers};
use crate::setup::npm as packages;
use crate::setup::toolchain;
use crate::setup::wasm_target::{self, Route};
use anyhow::Result;
use clap::Args;
use outcome::{Outcome, Summary};
use std::collections::BTreeMap;
use std::ffi::OsString;

#[derive(Args)]
pub struct Options {
    /// Leave out the tests that need a native adapter; counted as skipped.
    #[arg(long)]
    no_gpu: bool,
    /// Leave out the tests in browsers; counted as skipped.
    #[arg(long)]
    no_browser: bool,
}

/// What the stages stand on.
struct Ready {
    route: Route,
    /// The environment of the Rust tests; none with --no-gpu.
    adapters: Option<BTreeMap<&'static str, OsString>>,
    /// None with --no-browser.
    browsers: Option<Browsers>,
}

/// Sets up, runs every stage, prints the summary; true if nothing failed.
pub fn run(options: &Options) -> bool {
    let mut summary = Summary::default();
    match report::step("set up", || set_up(options)) {
        Ok(ready) => stages(&ready, &mut summary),
        // Without its footing no stage says anything useful.
        Err(error) => summary.add("set-up", || Err(error)),
    }
    println!("\n{summary}");
    summary.good()
}

fn set_up(options: &Options) -> Result<Ready> {
    toolchain::ready()?;
    Ok(Ready {
        adapters: if options.no_gpu { None } else { Some(adapters::ready()?) },
        browsers: if options.no_browser { None } else { Some(browsers::ready()?) },
        route: {
            packages::ready()?;
            wasm_target::ready()?
        },
    })
}

fn stages(ready: &Ready, summary: &mut Summary) {
    summary.add("format", || Ok(lint::format()));
    summary.add("lints", || Ok(lint::clippy(&ready.route)));
    summary.add("Rust tests", || rust::tests(ready.adapters.as_ref()));
    summary.add("docs", docs::build_and_test);
    summary.add("wasm", || Ok(wasm::build(&ready.route)));
    summary.add("npm packages", npm::scripts);
    summary.add("browsers", || match &ready.browsers {
        Some(browsers) => browser::tests(browsers),
        None => Ok(Outcome::skipping("every test in a browser: --no-browser")),
    });
}
