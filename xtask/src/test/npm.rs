//! The stage of the npm workspaces: their scripts `check`, `build` and `test`, each where it exists.

use super::outcome::Outcome;
use super::tap;
use crate::{exec, paths};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// In this order, workspace by workspace: the page stands on the built package.
const SCRIPTS: [&str; 3] = ["check", "build", "test"];

pub fn scripts() -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let www = paths::www();
    for workspace in strings(&manifest(&www)?["workspaces"]) {
        let manifest = manifest(&www.join(&workspace))?;
        for script in SCRIPTS.into_iter().filter(|script| manifest["scripts"][script].is_string()) {
            run(&workspace, script, &mut outcome)?;
        }
    }
    Ok(outcome)
}

/// One script is one check, unless it is a run of Node's tests, which count themselves.
fn run(workspace: &str, script: &str, outcome: &mut Outcome) -> Result<()> {
    let mut command = exec::npm(paths::www());
    command.args(["run", script, "--workspace", workspace]);
    let mut text = String::new();
    let status = exec::lines(&mut command, |line| {
        println!("{line}");
        text.extend([line, "\n"]);
    })?;
    let result = exec::checked(&command, status);
    match tap::read(&text.replace("\nℹ ", "\n# ")) {
        Some(mut counted) => {
            counted.conclude(result);
            outcome.merge(counted);
        }
        None => outcome.record(&format!("{workspace}: {script}"), result),
    }
    Ok(())
}

fn manifest(folder: &Path) -> Result<Value> {
    let file = folder.join("package.json");
    let text = std::fs::read(&file).with_context(|| format!("cannot read {}", paths::shown(&file)))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is no JSON", paths::shown(&file)))
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|item| item.as_str().map(String::from)).collect()
}
