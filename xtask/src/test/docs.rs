//! The stage of the documentation: it builds without a warning, and its examples run.

use super::libtest::Reader;
use super::outcome::Outcome;
use crate::exec;
use anyhow::Result;

pub fn build_and_test() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    outcome.check(
        "rustdoc",
        exec::cargo().args(["doc", "--workspace", "--no-deps", "--all-features"]).env("RUSTDOCFLAGS", "-D warnings"),
    );
    let mut command = exec::cargo();
    command.args(["test", "--doc", "--workspace", "--all-features", "--no-fail-fast"]);
    let mut reader = Reader::default();
    let status = exec::lines(&mut command, |line| {
        println!("{line}");
        reader.read(line);
    })?;
    let mut examples = reader.outcome();
    examples.conclude(exec::checked(&command, status));
    outcome.merge(examples);
    Ok(outcome)
}
