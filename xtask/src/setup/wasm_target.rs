//! A Rust standard library for wasm32-unknown-unknown: from rustup, or built from Debian's packages where rustup cannot help.

use super::debian;
use crate::{exec, paths, report, stamp};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

pub const TARGET: &str = "wasm32-unknown-unknown";

/// Overrides the choice: `rustup` or `debian`.
const CHOICE_VARIABLE: &str = "ROWNORM_WASM_ROUTE";
const DEBIAN_PACKAGES: [&str; 3] = ["rustc-web", "rust-web-src", "lld-19"];
const DEBIAN_LINKER: &str = "wasm-ld-19";
/// The component is about 20 MB; a server that cannot be reached sometimes doesn't say so.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// How cargo is to be called for the wasm target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// The compiler in use has the target's standard library.
    Installed,
    /// Debian's compiler at this path builds the standard library from Debian's sources.
    Debian { rustc: PathBuf },
}

impl Route {
    /// Adds to a cargo command (before any `--`) what this route needs.
    pub fn apply(&self, command: &mut Command) {
        command.args(["--target", TARGET]).env("CARGO_TARGET_DIR", paths::target().join("wasm"));
        if let Self::Debian { rustc } = self {
            command
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", rustc)
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", DEBIAN_LINKER);
        }
    }
}

/// What is known before deciding.
#[derive(Debug, Clone, Default)]
struct Facts {
    /// The choice made by the caller's environment.
    asked_for: Option<Choice>,
    /// The compiler in use has the target.
    installed: bool,
    /// rustup manages the compiler in use.
    rustup: bool,
    /// `rustup target add` failed, in this run or in one that then chose Debian's packages.
    rustup_failed: bool,
    /// The system is Debian.
    debian: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Installed,
    Rustup,
    Debian,
    Neither,
}

/// Decides from facts alone.
fn decide(facts: &Facts) -> Choice {
    match facts.asked_for {
        Some(Choice::Rustup) if facts.installed => Choice::Installed,
        Some(choice) => choice,
        None if facts.installed => Choice::Installed,
        None if facts.rustup && !facts.rustup_failed => Choice::Rustup,
        None if facts.debian => Choice::Debian,
        None => Choice::Neither,
    }
}

/// Makes the wasm target usable and says how.
pub fn ready() -> Result<Route> {
    let remembered = paths::state().join("wasm-route");
    let mut facts = Facts {
        asked_for: asked_for(std::env::var(CHOICE_VARIABLE).ok().as_deref())?,
        installed: installed(),
        rustup: exec::which("rustup").is_some(),
        rustup_failed: stamp::is(&remembered, "debian"),
        debian: debian::is_debian(),
    };
    loop {
        match decide(&facts) {
            Choice::Installed => {
                report::note("wasm target: installed with the compiler in use");
                return Ok(Route::Installed);
            }
            Choice::Rustup => match report::step("wasm target: install with rustup", rustup_add) {
                Ok(()) => facts.installed = true,
                Err(error) if facts.asked_for.is_none() => {
                    report::note(&format!("{error:#}; looking for another way"));
                    facts.rustup_failed = true;
                }
                Err(error) => return Err(error),
            },
            Choice::Debian => {
                let route = debian_route()?;
                // A choice that was asked for holds for one run.
                if facts.asked_for.is_none() {
                    stamp::set(&remembered, "debian")?;
                }
                return Ok(route);
            }
            Choice::Neither => bail!(
                "the Rust target {TARGET} is missing: install it with `rustup target add {TARGET}`, \
                 or on Debian with `apt-get install {}`",
                DEBIAN_PACKAGES.join(" ")
            ),
        }
    }
}

fn asked_for(variable: Option<&str>) -> Result<Option<Choice>> {
    match variable {
        None | Some("") => Ok(None),
        Some("rustup") => Ok(Some(Choice::Rustup)),
        Some("debian") => Ok(Some(Choice::Debian)),
        Some(other) => {
            bail!("{CHOICE_VARIABLE} is \"{other}\"; it can be \"rustup\" or \"debian\"")
        }
    }
}

fn installed() -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    exec::output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET])).is_ok_and(|folder| {
        std::fs::read_dir(folder.trim()).is_ok_and(|entries| {
            entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
        })
    })
}

fn rustup_add() -> Result<()> {
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]).env("RUST_BACKTRACE", "0");
    exec::run_within(&mut command, RUSTUP_LIMIT)
}

fn debian_route() -> Result<Route> {
    debian::ready(&DEBIAN_PACKAGES, "building for wasm", &format!("or run `rustup target add {TARGET}`"))?;
    let rustc = debian::files(DEBIAN_PACKAGES[0])
        .into_iter()
        .find(|file| file.ends_with("bin/rustc"))
        .with_context(|| format!("Debian's package {} holds no compiler", DEBIAN_PACKAGES[0]))?;
    let version = exec::output(Command::new(&rustc).arg("--version"))?;
    report::note(&format!("wasm target: standard library built from Debian's packages with {}", version.trim()));
    Ok(Route::Debian { rustc })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_target_needs_nothing() {
        let facts = Facts { installed: true, rustup: true, debian: true, ..Facts::default() };
        assert_eq!(decide(&facts), Choice::Installed);
        assert_eq!(decide(&Facts { rustup_failed: true, ..facts }), Choice::Installed);
    }

    #[test]
    fn rustup_is_tried_before_debian() {
        let facts = Facts { rustup: true, debian: true, ..Facts::default() };
        assert_eq!(decide(&facts), Choice::Rustup);
        assert_eq!(decide(&Facts { rustup_failed: true, ..facts }), Choice::Debian);
    }

    #[test]
    fn without_rustup_debian_serves_and_elsewhere_nothing_does() {
        assert_eq!(decide(&Facts { debian: true, ..Facts::default() }), Choice::Debian);
        assert_eq!(decide(&Facts::default()), Choice::Neither);
        assert_eq!(decide(&Facts { rustup: true, rustup_failed: true, ..Facts::default() }), Choice::Neither);
    }

    #[test]
    fn the_environment_overrules() {
        let facts = Facts { installed: true, rustup: true, ..Facts::default() };
        assert_eq!(decide(&Facts { asked_for: asked_for(Some("debian")).unwrap(), ..facts.clone() }), Choice::Debian);
        assert_eq!(decide(&Facts { asked_for: asked_for(Some("rustup")).unwrap(), ..facts }), Choice::Installed);
        assert_eq!(asked_for(Some("")).unwrap(), None);
        assert!(asked_for(Some("nix")).unwrap_err().to_string().contains("rustup"));
    }

    #[test]
    fn routes_say_how_to_call_cargo() {
        let mut command = Command::new("cargo");
        Route::Debian { rustc: "bin/rustc".into() }.apply(command.arg("build"));
        assert_eq!(exec::shown(&command), "cargo build --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort");
        assert!(command.get_envs().any(|(name, value)| name == "RUSTC" && value.is_some_and(|v| v == "bin/rustc")));
    }
}
