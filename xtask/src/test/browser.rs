//! The stage of the tests in browsers: Node's test runner on tests/browser/*.test.mjs.

use super::outcome::Outcome;
use super::tap;
use crate::setup::{browsers::Browsers, npm};
use crate::{exec, page, paths, wasm};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// The most that one test may take, in milliseconds: a page that waits for ever must not. The conformance
/// cases wait for the browsers' shader compilers most of the time.
const TEST_TIMEOUT: u32 = 1_800_000;

pub fn tests(browsers: &Browsers) -> Result<Outcome> {
    npm::folder_ready(&paths::browser_tests())?;
    let tap_file = paths::state().join("browsers.tap");
    let _ = std::fs::remove_file(&tap_file);
    let mut command = Command::new("node");
    command
        .current_dir(paths::root())
        .env("CHROMIUM", &browsers.chromium)
        .env("FIREFOX", &browsers.firefox)
        .env("ROWNORM_PACKAGE", paths::www().join("package"))
        .env("ROWNORM_CONFORMANCE", wasm::conformance().out)
        .env("ROWNORM_PAGE", page::built_page())
        // One at a time: two browsers would share the cores, and times would mean nothing.
        .args(["--test", "--test-concurrency=1", &format!("--test-timeout={TEST_TIMEOUT}")])
        .args(["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=tap"])
        .arg(format!("--test-reporter-destination={}", tap_file.display()))
        .args(files()?);
    let status = exec::lines(&mut command, |line| println!("{line}"))?;
    let text = std::fs::read_to_string(&tap_file).unwrap_or_default();
    let mut outcome = tap::read(&text).context("the browser tests ended without a result")?;
    outcome.conclude(exec::checked(&command, status));
    Ok(outcome)
}

/// Named one by one: what Node makes of a folder or a pattern differs from version to version.
fn files() -> Result<Vec<PathBuf>> {
    let folder = paths::browser_tests();
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", paths::shown(&folder)))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(".test.mjs")))
        .collect();
    if files.is_empty() {
        bail!("{} holds no *.test.mjs", paths::shown(&folder));
    }
    files.sort();
    Ok(files)
}
