//! The stage of the Rust tests. They enumerate the adapters themselves; this sees to it that there are some.

use super::libtest::Reader;
use super::outcome::Outcome;
use crate::{exec, paths};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;

const NO_GPU: &str = "ROWNORM_TEST_NO_GPU";
/// A file to which a test appends `name: reason` for each part of it that it finds it must skip.
const SKIPS: &str = "ROWNORM_TEST_SKIPS";

pub fn tests(adapters: Option<&BTreeMap<&'static str, OsString>>) -> Result<Outcome> {
    let skips = paths::state().join("skipped-tests");
    std::fs::create_dir_all(paths::state()).context("cannot create the folder of xtask's state")?;
    std::fs::write(&skips, "").with_context(|| format!("cannot write {}", skips.display()))?;

    let mut command = exec::cargo();
    command.args([
        "test",
        "--workspace",
        "--all-features",
        "--lib",
        "--bins",
        "--tests",
        "--examples",
        "--no-fail-fast",
    ]);
    command.env(SKIPS, &skips);
    match adapters {
        Some(environment) => command.envs(environment).env_remove(NO_GPU),
        None => command.env(NO_GPU, "1"),
    };
    let mut reader = Reader::default();
    let status = exec::lines(&mut command, |line| {
        println!("{line}");
        reader.read(line);
    })?;
    reader.also_skipped(&std::fs::read_to_string(&skips)?);
    let mut outcome = reader.outcome();
    outcome.conclude(exec::checked(&command, status));
    if adapters.is_none() {
        outcome.skip("the native adapters: --no-gpu");
    }
    Ok(outcome)
}
