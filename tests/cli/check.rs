//! `rownorm check`: its report. What each case proves is for the
//! conformance tests.

use libtest_mimic::Trial;
use serde_json::Value;

use crate::support::{Cli, Test, Tested, equal, on_adapter};

pub fn trials(adapter: &str) -> Vec<Trial> {
    let tests: [Test; 2] = [("check::json", json), ("check::unknown_case", unknown_case)];
    on_adapter(adapter, &tests)
}

/// On the CPU alone: no adapter is needed.
pub fn cpu_trials() -> Vec<Trial> {
    let cpu = Cli { adapter: "cpu".into() };
    vec![Trial::test("cpu::check::json", move || json(&cpu))]
}

fn json(cli: &Cli) -> Tested {
    let list = rownorm::conformance::cases();
    let name = list.first().map(|case| case.name.as_str()).ok_or("no cases")?;
    let report = cli.run(&["check", name, "--json"]).good()?.json()?;
    let mut keys: Vec<_> = report.as_object().ok_or("an object")?.keys().map(String::as_str).collect();
    keys.sort_unstable();
    equal("report", keys, vec!["adapter", "failed", "failures", "passed", "skipped"])?;
    let adapter = report["adapter"].as_str().unwrap_or_default().to_lowercase();
    equal("the adapter meant", adapter.contains(&cli.adapter.to_lowercase()), true)?;
    equal("passed", report["passed"].as_u64() >= Some(1), true)?;
    equal("failed", report["failed"].as_u64(), Some(0))?;
    equal("failures", &report["failures"], &Value::Array(Vec::new()))?;
    for skip in report["skipped"].as_array().ok_or("skips")? {
        equal("a skip", skip["case"].is_string() && skip["reason"].is_string(), true)?;
    }
    let text = cli.run(&["check", name]).good()?.stdout();
    equal("counts", text.contains(" passed, 0 failed, "), true)
}

fn unknown_case(cli: &Cli) -> Tested {
    cli.run(&["check", "no such case"]).refused(2, &["no such case"])
}
