//! The stage of the wasm modules: each builds without a warning and keeps to its budget.

use super::outcome::Outcome;
use crate::setup::wasm_target::Route;
use crate::wasm::{self, Module};
use anyhow::{Result, bail};

pub fn build(route: &Route) -> Outcome {
    let mut outcome = Outcome::default();
    for module in wasm::all_modules() {
        outcome.record(module.name, check(&module, route));
    }
    outcome
}

fn check(module: &Module, route: &Route) -> Result<()> {
    let built = wasm::build(module, route)?;
    if built.warnings > 0 {
        bail!("the compiler warns {} times", built.warnings);
    }
    module.check_budget(&built)
}
