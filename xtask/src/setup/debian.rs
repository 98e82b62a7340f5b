//! Debian's packages: which are missing, and installing them or saying how.

use crate::{exec, report};
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::process::Command;

/// What to do about packages that are needed.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// All are there.
    Nothing,
    /// This is root on Debian: install these.
    Install(Vec<String>),
    /// Not this program's to install: stop, and say this.
    Explain(String),
}

/// Decides from facts alone. `otherwise` says what else helps.
pub fn decide(missing: &[String], is_debian: bool, is_root: bool, what_for: &str, otherwise: &str) -> Action {
    let list = missing.join(" ");
    match (missing.is_empty(), is_debian, is_root) {
        (true, ..) => Action::Nothing,
        (_, true, true) => Action::Install(missing.to_vec()),
        (_, true, false) => Action::Explain(format!(
            "{what_for} need Debian's packages {list}: run `sudo apt-get install {list}`, {otherwise}"
        )),
        (_, false, _) => Action::Explain(format!(
            "{what_for} need what Debian calls {list}: on Debian run `apt-get install {list}`, elsewhere install their counterparts, {otherwise}"
        )),
    }
}

/// Whether this system is Debian itself: derivatives give some of the names to other things (a snap in Ubuntu's `chromium`).
pub fn is_debian() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| is_debian_release(&text))
        && exec::which("apt-get").is_some()
}

fn is_debian_release(os_release: &str) -> bool {
    os_release.lines().any(|line| line.trim() == "ID=debian")
}

/// Installs those of the packages that are missing, or stops with the command that does. Whoever asks has looked for
/// what the packages hold: elsewhere than on Debian all of them count as missing.
pub fn ready(packages: &[&str], what_for: &str, otherwise: &str) -> Result<()> {
    let debian = is_debian();
    let missing: Vec<String> =
        packages.iter().filter(|package| !(debian && installed(package))).map(ToString::to_string).collect();
    match decide(&missing, debian, is_root(), what_for, otherwise) {
        Action::Nothing => Ok(()),
        Action::Explain(sentence) => bail!(sentence),
        Action::Install(packages) => install(&packages, what_for),
    }
}

/// The files of an installed package; none if it isn't installed.
pub fn files(package: &str) -> Vec<PathBuf> {
    exec::output(Command::new("dpkg").args(["-L", package]))
        .map(|text| text.lines().map(PathBuf::from).collect())
        .unwrap_or_default()
}

fn installed(package: &str) -> bool {
    exec::output(Command::new("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]))
        .is_ok_and(|status| status.trim() == "installed")
}

fn is_root() -> bool {
    exec::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn install(packages: &[String], what_for: &str) -> Result<()> {
    let list = packages.join(" ");
    report::step(&format!("install Debian's packages {list} ({what_for})"), || {
        exec::run(apt_get().args(["update", "-qq"]))?;
        exec::run(
            apt_get().args(["install", "-y", "-qq", "-o", "Dpkg::Use-Pty=0", "--no-install-recommends"]).args(packages),
        )
    })
}

fn apt_get() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive").stdin(std::process::Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing() -> Vec<String> {
        vec!["chromium".into(), "firefox-esr".into()]
    }

    #[test]
    fn nothing_missing_is_nothing_to_do_anywhere() {
        assert_eq!(decide(&[], false, false, "x", "y"), Action::Nothing);
        assert_eq!(decide(&[], true, true, "x", "y"), Action::Nothing);
    }

    #[test]
    fn only_root_on_debian_installs() {
        assert_eq!(decide(&missing(), true, true, "x", "y"), Action::Install(missing()));
        for (debian, root) in [(true, false), (false, true), (false, false)] {
            let Action::Explain(sentence) = decide(&missing(), debian, root, "the browser tests", "or this") else {
                panic!("must not install with debian {debian}, root {root}");
            };
            assert!(sentence.starts_with("the browser tests need"));
            assert!(sentence.contains("apt-get install chromium firefox-esr"), "{sentence}");
            assert!(sentence.ends_with(", or this"), "{sentence}");
        }
    }

    #[test]
    fn derivatives_are_not_debian() {
        assert!(is_debian_release("NAME=\"Debian GNU/Linux\"\nID=debian\n"));
        assert!(!is_debian_release("NAME=Ubuntu\nID=ubuntu\nID_LIKE=debian\n"));
    }
}
