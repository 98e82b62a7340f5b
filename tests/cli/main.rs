//! The command line as its users meet it: the real binary, its exit status, its output, its files.
//! Tests that need an adapter run on every adapter that must be here and carry its name.

use std::process::ExitCode;

mod bench;
mod check;
mod describe;
mod refusals;
mod run;
mod support;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    trials.extend(refusals::trials());
    trials.extend(run::cpu_trials());
    trials.extend(check::cpu_trials());
    for adapter in support::adapters() {
        trials.extend(describe::trials(&adapter));
        trials.extend(run::trials(&adapter));
        trials.extend(check::trials(&adapter));
        trials.extend(bench::trials(&adapter));
    }
    support::conclude(trials)
}
