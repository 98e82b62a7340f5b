//! npm packages, installed from the lock files.

use crate::{exec, paths, report, stamp};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest Node that is known to work (Vite's need).
const NODE: (u32, u32) = (20, 19);

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
    let needed = format!("Node.js {}.{} or newer, with npm", NODE.0, NODE.1);
    if exec::which("node").is_none() || exec::which("npm").is_none() {
        bail!("{needed}, is missing: install it from your system's packages or with a version manager");
    }
    let version = exec::output(Command::new("node").arg("--version"))?;
    match parse_version(&version) {
        Some(found) if found >= NODE => Ok(()),
        _ => bail!("{needed}, is needed; found {}", version.trim()),
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
    fn node_versions_compare_as_numbers() {
        assert_eq!(parse_version("v20.20.2\n"), Some((20, 20)));
        assert!(parse_version("v20.9.0").unwrap() < NODE);
        assert!(parse_version("v22.1.0").unwrap() > NODE);
        assert_eq!(parse_version("what"), None);
    }
}
