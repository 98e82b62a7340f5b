//! What came of a stage, and of all of them.

use crate::{exec, report};
use anyhow::Result;
use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Counts, with the names of what is worth naming.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
    /// The names of what failed; may be fewer than `failed`.
    pub failures: Vec<String>,
    /// The names of what was skipped, with the reason; may be fewer than `skipped`.
    pub skips: Vec<String>,
}

impl Outcome {
    /// Nothing but one skip.
    pub fn skipping(what: &str) -> Self {
        let mut outcome = Self::default();
        outcome.skip(what);
        outcome
    }

    pub fn pass(&mut self) {
        self.passed += 1;
    }

    pub fn fail(&mut self, what: impl Into<String>) {
        self.failed += 1;
        self.failures.push(what.into());
    }

    pub fn skip(&mut self, what: impl Into<String>) {
        self.skipped += 1;
        self.skips.push(what.into());
    }

    /// Counts one check that passed or failed.
    pub fn record(&mut self, what: &str, result: Result<()>) {
        match result {
            Ok(()) => self.pass(),
            Err(error) => self.fail(format!("{what}: {error:#}")),
        }
    }

    /// Runs a command that is one check.
    pub fn check(&mut self, what: &str, command: &mut Command) {
        let result = exec::run(command);
        self.record(what, result);
    }

    /// Adds another's counts and names.
    pub fn merge(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
        self.skips.extend(other.skips);
    }

    /// A program that failed without any failure to count, a crash for one, is a failure itself.
    pub fn conclude(&mut self, program: Result<()>) {
        if let Err(error) = program
            && self.failed == 0
        {
            self.fail(format!("{error:#}"));
        }
    }
}

/// The stages so far.
#[derive(Default)]
pub struct Summary {
    stages: Vec<(String, Duration, Outcome)>,
}

impl Summary {
    /// Runs a stage and keeps what came of it.
    pub fn add(&mut self, name: &str, stage: impl FnOnce() -> Result<Outcome>) {
        eprintln!("\n==> stage: {name}");
        let start = Instant::now();
        let outcome = stage().unwrap_or_else(|error| {
            let mut outcome = Outcome::default();
            outcome.fail(format!("{error:#}"));
            outcome
        });
        let time = start.elapsed();
        eprintln!("==> {name}: {} in {}", Counts(&outcome), report::seconds(time));
        for failure in &outcome.failures {
            eprintln!("    failed: {failure}");
        }
        self.stages.push((name.to_string(), time, outcome));
    }

    /// Whether nothing failed.
    pub fn good(&self) -> bool {
        self.total().failed == 0
    }

    fn total(&self) -> Outcome {
        let mut total = Outcome::default();
        for (_, _, outcome) in &self.stages {
            total.merge(outcome.clone());
        }
        total
    }
}

/// The table of the stages, what was skipped and what failed by name, and the closing line.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14} {:>12} {:>8} {:>8} {:>8}", "stage", "time", "passed", "failed", "skipped")?;
        for (name, time, outcome) in &self.stages {
            let Outcome { passed, failed, skipped, .. } = outcome;
            writeln!(f, "{name:<14} {:>12} {passed:>8} {failed:>8} {skipped:>8}", report::seconds(*time))?;
        }
        let total = self.total();
        named(f, "skipped", total.skipped, self.stages.iter().map(|(name, _, o)| (name.as_str(), &o.skips)))?;
        named(f, "failed", total.failed, self.stages.iter().map(|(name, _, o)| (name.as_str(), &o.failures)))?;
        write!(f, "\n{}", Counts(&total))
    }
}

fn named<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    count: usize,
    stages: impl Iterator<Item = (&'a str, &'a Vec<String>)>,
) -> fmt::Result {
    if count == 0 {
        return Ok(());
    }
    writeln!(f, "\n{title}:")?;
    let mut shown = 0;
    for (stage, names) in stages {
        for name in names {
            writeln!(f, "  {stage}: {name}")?;
            shown += 1;
        }
    }
    if shown < count { writeln!(f, "  and {} that gave no name", count - shown) } else { Ok(()) }
}

/// The closing line's form.
struct Counts<'a>(&'a Outcome);

impl fmt::Display for Counts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.0.passed, self.0.failed, self.0.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts_everything() {
        let mut summary = Summary::default();
        summary.add("one", || Ok(Outcome { passed: 3, skipped: 1, ..Outcome::default() }));
        assert!(summary.good());
        summary.add("two", || anyhow::bail!("no such thing"));
        summary.add("three", || Ok(Outcome::skipping("that: --no-that")));
        assert!(!summary.good());
        let text = summary.to_string();
        assert_eq!(text.lines().last(), Some("3 passed, 1 failed, 2 skipped"));
        assert!(text.contains("\n  two: no such thing\n"), "{text}");
        assert!(text.contains("\n  three: that: --no-that\n  and 1 that gave no name\n"), "{text}");
    }

    #[test]
    fn a_failing_program_counts_once() {
        let failing = || Err(anyhow::anyhow!("exit status: 101"));
        let mut crashed = Outcome { passed: 5, ..Outcome::default() };
        crashed.conclude(failing());
        assert_eq!(crashed.failed, 1);
        let mut counted = Outcome { failed: 2, ..Outcome::default() };
        counted.conclude(failing());
        assert_eq!(counted.failed, 2);
        counted.conclude(Ok(()));
        assert_eq!(counted.failed, 2);
    }
}
