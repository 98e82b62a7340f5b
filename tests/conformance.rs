//! Every case of the conformance run on the f32 twin and on every adapter, there in every arrangement (the planner's choice and
//! each strategy), one test a case and adapter. It proves the bounds and the input contract; that its
//! comparisons can fail is shown by `controls.rs`.

use std::process::ExitCode;

use libtest_mimic::Trial;
use rownorm::conformance::{CaseReport, Engine, TwinEngine, absent, cases, errors, run_case};

mod support;
use support::{conclude, failed, list_skips, on_target, targets};

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for refusal in errors::refusals() {
        trials.push(Trial::test(format!("planner::{}", refusal.name), move || refusal.check().map_err(failed)));
    }
    for case in cases() {
        let name = format!("twin::{}", case.name);
        trials.push(Trial::test(name, move || judge(&pollster::block_on(run_case(&TwinEngine, &case)))));
    }
    // Case by case, so that two adapters work at the same time: each runs one case at once.
    let targets = targets();
    for case in cases() {
        for target in &targets {
            let (case, adapter) = (case.clone(), target.name.clone());
            trials.push(on_target(target, &case.name.clone(), move |engine| {
                let report = pollster::block_on(run_case(engine, &case));
                list_skips(&adapter, &report.skipped);
                judge(&report)
            }));
        }
    }
    for target in &targets {
        let adapter = target.name.clone();
        trials.push(on_target(target, "strategies", move |engine| {
            list_skips(&adapter, &absent(engine));
            if engine.strategies().is_empty() { Err(failed("no strategy runs here")) } else { Ok(()) }
        }));
    }
    conclude(trials)
}

/// A case passes when no arrangement failed and at least one ran.
fn judge(report: &CaseReport) -> Result<(), libtest_mimic::Failed> {
    let failures: Vec<_> =
        report.failures.iter().map(|failure| format!("{}: {}", failure.case, failure.detail)).collect();
    if !failures.is_empty() {
        return Err(failed(failures.join("\n")));
    }
    if report.passed.is_empty() { Err(failed("nothing ran")) } else { Ok(()) }
}
