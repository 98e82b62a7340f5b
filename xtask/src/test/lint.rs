//! The stages about the sources: format and lints.

use super::outcome::Outcome;
use crate::setup::wasm_target::Route;
use crate::{exec, wasm};

pub fn format() -> Outcome {
    let mut outcome = Outcome::default();
    outcome.check("rustfmt", exec::cargo().args(["fmt", "--all", "--check"]));
    outcome
}

/// clippy with warnings as errors, on each set of features that people use.
pub fn clippy(route: &Route) -> Outcome {
    const SETS: [(&str, &[&str]); 3] = [
        ("clippy, everything", &["--workspace", "--all-targets", "--all-features"]),
        ("clippy, default features", &["--package", "rownorm", "--lib"]),
        // Compiles only if the core names nothing of wgpu.
        ("clippy, no features", &["--package", "rownorm", "--lib", "--no-default-features"]),
    ];
    let mut outcome = Outcome::default();
    for (what, args) in SETS {
        outcome.check(what, exec::cargo().arg("clippy").args(args).args(["--", "-D", "warnings"]));
    }
    for module in wasm::all_modules() {
        let what = format!("clippy, wasm, {}", module.name);
        match route {
            Route::Installed => {
                let mut command = exec::cargo();
                command.args(["clippy", "--lib"]).args(module.cargo_args());
                route.apply(&mut command);
                outcome.check(&what, command.args(["--", "-D", "warnings"]));
            }
            Route::Debian { .. } => {
                outcome.skip(format!("{what}: Debian's compiler is not the one that clippy is for"))
            }
        }
    }
    outcome
}
