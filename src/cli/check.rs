//! `rownorm check`: the conformance run on this machine's adapter.

use serde::Serialize;

use super::adapter::AdapterArgs;
use super::exit::{Failure, Result};
use super::output;
use crate::conformance::{self, ConformanceReport, Engine, Progress, TwinEngine, WgpuEngine};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Run only the cases whose name contains this
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    adapter: &'a str,
    passed: usize,
    failed: usize,
    skipped: Vec<SkipEntry<'a>>,
    failures: Vec<FailureEntry<'a>>,
}

#[derive(Serialize)]
struct SkipEntry<'a> {
    case: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct FailureEntry<'a> {
    case: &'a str,
    detail: &'a str,
}

pub(super) fn run(args: &Args) -> Result {
    let report = if args.adapter.is_cpu() {
        conform(&TwinEngine, args)
    } else {
        let engine = WgpuEngine::new(args.adapter.context_or_hint("rownorm check")?);
        let report = conform(&engine, args);
        // A device that was lost answers every later case with an error: that is no verdict.
        engine.context().check_health()?;
        report
    };
    if report.passed + report.failed == 0 {
        let filter = args.filter.as_deref().unwrap_or_default();
        return Err(Failure::input(format!("no case has a name that contains {filter:?}")));
    }
    if args.json {
        output::json(&document(&report))?
    } else {
        output::text(&describe(&report))?
    }
    match report.failed {
        0 => Ok(()),
        failed => Err(Failure::Check(format!("{failed} of {} failed", failed + report.passed))),
    }
}

fn conform<E: Engine>(engine: &E, args: &Args) -> ConformanceReport {
    let mut shown = output::Progress::new();
    let tell = |progress: Progress<'_>| {
        let message = format!("{} failed; {}", progress.failed, progress.case);
        shown.tell(progress.done as u64, progress.total as u64, message);
    };
    let report = pollster::block_on(conformance::run(engine, args.filter.as_deref(), tell));
    shown.end();
    report
}

fn document(report: &ConformanceReport) -> Document<'_> {
    let skipped = report.skipped.iter().map(|skip| SkipEntry { case: &skip.case, reason: &skip.reason });
    let failures = report.failures.iter().map(|failure| FailureEntry { case: &failure.case, detail: &failure.detail });
    Document {
        adapter: &report.adapter,
        passed: report.passed,
        failed: report.failed,
        skipped: skipped.collect(),
        failures: failures.collect(),
    }
}

fn describe(report: &ConformanceReport) -> String {
    let mut text = format!("{}: {} passed, {} failed", report.adapter, report.passed, report.failed);
    text.push_str(&format!(", {} skipped\n", report.skipped.len()));
    for skip in &report.skipped {
        text.push_str(&format!("skipped {}: {}\n", skip.case, skip.reason));
    }
    for failure in &report.failures {
        text.push_str(&format!("FAILED {}: {}\n", failure.case, failure.detail));
    }
    text
}
