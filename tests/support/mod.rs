//! What the native tests share: the adapters that must be here, and a name for every test on each.
//!
//! `ROWNORM_TEST_ADAPTERS` lists the adapters as comma-separated parts of their names (by default both
//! software adapters on Linux, elsewhere whatever the system prefers). One that is missing is a failed test.
//! `ROWNORM_TEST_NO_GPU=1` leaves all of them out, and each test says so as ignored.
#![allow(dead_code)] // every test file uses a part

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use rownorm::conformance::{Skip, WgpuEngine};
use rownorm::gpu::{AdapterFilter, Context, ContextOptions};

/// An adapter that must be here, and its engine.
#[derive(Clone)]
pub struct Target {
    /// The part of its name it was asked for by; test names start with it.
    pub name: String,
    /// The engine, or why there is none.
    pub engine: Result<Arc<WgpuEngine>, String>,
}

impl Target {
    /// The engine; a missing adapter fails the test.
    pub fn engine(&self) -> Result<&WgpuEngine, Failed> {
        match &self.engine {
            Ok(engine) => Ok(engine),
            Err(text) => Err(Failed::from(format!(
                "adapter {:?} is missing: {text}; set ROWNORM_TEST_ADAPTERS to the adapters of this machine, \
                 or ROWNORM_TEST_NO_GPU=1 to leave them out",
                self.name
            ))),
        }
    }
}

/// Whether tests on adapters are left out.
pub fn no_gpu() -> bool {
    std::env::var("ROWNORM_TEST_NO_GPU").is_ok_and(|value| value == "1")
}

/// The names of the adapters that must be here.
pub fn adapter_names() -> Vec<String> {
    let default = if cfg!(target_os = "linux") { "llvmpipe,SwiftShader" } else { "" };
    let names = std::env::var("ROWNORM_TEST_ADAPTERS").unwrap_or_else(|_| default.to_string());
    names.split(',').map(|name| name.trim().to_string()).collect()
}

/// A device of its own on an adapter.
pub fn context(name: &str) -> Result<Context, String> {
    let adapter = AdapterFilter::containing(name);
    let options = ContextOptions { adapter, ..ContextOptions::default() };
    pollster::block_on(Context::request(&options)).map_err(|error| error.to_string())
}

/// Every adapter that must be here. Without GPU tests none is opened.
pub fn targets() -> Vec<Target> {
    let open = |name: String| {
        let engine = if no_gpu() {
            Err("left out by ROWNORM_TEST_NO_GPU=1".to_string())
        } else {
            context(&name).map(|context| Arc::new(WgpuEngine::new(context)))
        };
        Target { name: if name.is_empty() { "default".into() } else { name }, engine }
    };
    adapter_names().into_iter().map(open).collect()
}

/// A test named `adapter::name`; ignored, and so counted, where GPU tests are left out.
pub fn on_target(
    target: &Target,
    name: &str,
    test: impl FnOnce(&WgpuEngine) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    let owned = target.clone();
    Trial::test(format!("{}::{name}", target.name), move || test(owned.engine()?)).with_ignored_flag(no_gpu())
}

/// Lists what a test, or all of them, cannot do on an adapter. It is printed, and `cargo xtask test` counts it.
pub fn list_skips(adapter: &str, skips: &[Skip]) {
    let lines: String = skips.iter().map(|skip| format!("{adapter}::{}: {}\n", skip.case, skip.reason)).collect();
    eprint!("{lines}");
    let Some(path) = std::env::var_os("ROWNORM_TEST_SKIPS").filter(|_| !lines.is_empty()) else { return };
    let file = OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    written.unwrap_or_else(|error| panic!("ROWNORM_TEST_SKIPS={}: {error}", path.display()));
}

/// Runs the tests. A list that says "ignored" is followed by the reason.
pub fn conclude(trials: Vec<Trial>) -> ExitCode {
    let arguments = Arguments::from_args();
    if no_gpu() && !arguments.list {
        eprintln!("ROWNORM_TEST_NO_GPU=1: tests on {} are skipped", adapter_names().join(", "));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A detail as a failure.
pub fn failed(detail: impl ToString) -> Failed {
    Failed::from(detail.to_string())
}
