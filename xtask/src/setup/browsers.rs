//! The browsers of the tests.

use super::debian;
use crate::exec;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// Where the browsers are.
#[derive(Debug, Clone)]
pub struct Browsers {
    pub chromium: PathBuf,
    pub firefox: PathBuf,
}

/// A browser: the variable that names it, the programs it goes by, Debian's package.
struct Browser {
    variable: &'static str,
    programs: &'static [&'static str],
    package: &'static str,
}

const CHROMIUM: Browser =
    Browser { variable: "CHROMIUM", programs: &["chromium", "chromium-browser", "google-chrome"], package: "chromium" };
const FIREFOX: Browser = Browser { variable: "FIREFOX", programs: &["firefox-esr", "firefox"], package: "firefox-esr" };

const WHAT_FOR: &str = "the browser tests";
const OTHERWISE: &str = "or name the programs with CHROMIUM and FIREFOX, or leave browsers out with --no-browser";

/// Chromium's program, where there is one.
pub fn chromium() -> Option<PathBuf> {
    CHROMIUM.find()
}

/// Finds the browsers; installs on Debian what is missing.
pub fn ready() -> Result<Browsers> {
    let missing: Vec<&str> =
        [CHROMIUM, FIREFOX].iter().filter(|browser| browser.find().is_none()).map(|browser| browser.package).collect();
    if !missing.is_empty() {
        debian::ready(&missing, WHAT_FOR, OTHERWISE)?;
    }
    match (CHROMIUM.find(), FIREFOX.find()) {
        (Some(chromium), Some(firefox)) => Ok(Browsers { chromium, firefox }),
        _ => bail!("{WHAT_FOR} need Chromium and Firefox, {OTHERWISE}"),
    }
}

impl Browser {
    fn find(&self) -> Option<PathBuf> {
        let named = std::env::var_os(self.variable).map(PathBuf::from).filter(|file| file.is_file());
        named.or_else(|| self.programs.iter().find_map(|program| exec::which(program)))
    }
}
