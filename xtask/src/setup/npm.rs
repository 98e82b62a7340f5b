//! npm packages, installed from the lock files.

use crate::{exec, paths, report, stamp};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The versions of Node that the locked packages accept: `^20.19.0 || >=22.12.0`, Vite's need and the narrowest.
const NODE: &str = "Node.js 20.19 or a later 20, or 22.12 or newer, with npm,";

fn accepts(version: (u32, u32)) -> bool {
    matches!(version, (20, 19..) | (22, 12..) | (23.., _))
}

/// Installs the packages of `www`.
pub fn ready() -> Result<()> {
    folder_ready(&paths::www())
}

/// Installs the packages of a folder, unless its lock file is the one they were installed from.
pub fn folder_ready(folder: &Path) -> Result<()> {
    node_is_new_enough()?;
    let lock_file = folder.join("package-lock.json");
    let lock = std::fs::read(&lock_file).with_context(|| format!("cannot read {}", paths::shown(&lock_file)))?;
    // Inside node_modules, so that whoever removes the packages removes the stamp.
    let installed_from = folder.join("node_modules").join(".installed-from");
    let hash = stamp::hash([lock.as_slice()]);
    if stamp::is(&installed_from, &hash) {
        report::note(&format!("npm packages of {}: up to date", paths::shown(folder)));
        return Ok(());
    }
    report::step(&format!("npm packages of {}: install", paths::shown(folder)), || {
        exec::run(exec::npm(folder.to_path_buf()).args(["ci", "--no-audit", "--no-fund"]))?;
        stamp::set(&installed_from, &hash)
    })
}

/// A program that an npm package of `www` brings.
pub fn program(name: &str) -> PathBuf {
    let name = if cfg!(windows) { format!("{name}.cmd") } else { name.to_string() };
    paths::www().join("node_modules").join(".bin").join(name)
}

fn node_is_new_enough() -> Result<()> {
    if exec::which("node").is_none() || exec::which("npm").is_none() {
        bail!("{NODE} is missing: install it from your system's packages or with a version manager");
    }
    let version = exec::output(Command::new("node").arg("--version"))?;
    match parse_version(&version) {
        Some(found) if accepts(found) => Ok(()),
        _ => bail!("{NODE} is needed; found {}", version.trim()),
    }
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().trim_start_matches('v').split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_are_read() {
        assert_eq!(parse_version("v20.20.2\n"), Some((20, 20)));
        assert_eq!(parse_version("what"), None);
    }

    #[test]
    fn node_versions_are_those_of_the_locks() {
        for good in ["v20.19.0", "v20.20.2", "v22.12.0", "v22.13.1", "v23.0.0", "v24.1.0"] {
            assert!(accepts(parse_version(good).unwrap()), "{good}");
        }
        for bad in ["v18.20.0", "v20.9.0", "v20.18.3", "v21.7.3", "v22.0.0", "v22.11.0"] {
            assert!(!accepts(parse_version(bad).unwrap()), "{bad}");
        }
        for folder in [paths::www(), paths::browser_tests()] {
            let lock = std::fs::read_to_string(folder.join("package-lock.json")).unwrap();
            assert!(lock.contains("\"node\": \"^20.19.0 || >=22.12.0\""), "{}: another range", folder.display());
        }
    }
}
