//! rustfmt and clippy, which rustup's minimal profile and some systems leave out.

use crate::{exec, report};
use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Duration;

/// The components, and the subcommands of cargo that need them.
const COMPONENTS: [(&str, &str); 2] = [("rustfmt", "fmt"), ("clippy", "clippy")];
/// They are a few MB; a server that cannot be reached sometimes doesn't say so.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);

/// What to do about components that are needed.
#[derive(Debug, PartialEq, Eq)]
enum Action {
    /// All are there.
    Nothing,
    /// rustup manages the toolchain in use: let it add these.
    Add(Vec<&'static str>),
    /// Not this program's to install: stop, and say this.
    Explain(String),
}

/// Decides from facts alone.
fn decide(missing: Vec<&'static str>, rustup: bool) -> Action {
    match (missing.is_empty(), rustup) {
        (true, _) => Action::Nothing,
        (false, true) => Action::Add(missing),
        (false, false) => Action::Explain(format!(
            "the checks need {}: install what your system has with this Rust (Debian: `apt-get install rustfmt \
             rust-clippy`), or Rust from rustup with `{}`",
            missing.join(" and "),
            by_hand(&missing)
        )),
    }
}

fn by_hand(components: &[&str]) -> String {
    format!("rustup component add {}", components.join(" "))
}

/// Makes sure of both.
pub fn ready() -> Result<()> {
    match decide(missing(), exec::which("rustup").is_some()) {
        Action::Nothing => Ok(()),
        Action::Explain(sentence) => bail!(sentence),
        Action::Add(components) => {
            let command = by_hand(&components);
            report::step(&format!("install {} with rustup", components.join(" and ")), || {
                let mut rustup = Command::new("rustup");
                rustup.args(["component", "add"]).args(&components);
                exec::run_within(&mut rustup, RUSTUP_LIMIT)
            })
            .with_context(|| format!("the checks need {}: run `{command}`", components.join(" and ")))
        }
    }
}

/// Asks the subcommands themselves: rustup's stand-ins exist without the components.
fn missing() -> Vec<&'static str> {
    let lacks = |subcommand: &str| exec::output(exec::cargo().args([subcommand, "--version"])).is_err();
    COMPONENTS.into_iter().filter(|(_, subcommand)| lacks(subcommand)).map(|(component, _)| component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_missing_is_nothing_to_do() {
        assert_eq!(decide(Vec::new(), true), Action::Nothing);
        assert_eq!(decide(Vec::new(), false), Action::Nothing);
    }

    #[test]
    fn rustup_adds_what_is_missing_alone() {
        assert_eq!(decide(vec!["clippy"], true), Action::Add(vec!["clippy"]));
        assert_eq!(decide(vec!["rustfmt", "clippy"], true), Action::Add(vec!["rustfmt", "clippy"]));
    }

    #[test]
    fn without_rustup_the_commands_are_named() {
        let Action::Explain(sentence) = decide(vec!["rustfmt", "clippy"], false) else { panic!("nobody can install") };
        for words in ["the checks need rustfmt and clippy", "apt-get install", "rustup component add rustfmt clippy"] {
            assert!(sentence.contains(words), "{sentence}");
        }
    }
}
