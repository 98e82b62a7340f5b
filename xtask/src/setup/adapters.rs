//! The native adapters of the tests: lavapipe and SwiftShader, two Vulkan drivers that need no GPU.

use super::debian;
use crate::paths;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// What the tests must find, as parts of the adapters' names.
const ADAPTERS: &str = "llvmpipe,SwiftShader";
const ADAPTERS_VARIABLE: &str = "ROWNORM_TEST_ADAPTERS";
/// The variable that Vulkan loaders read, and the name it had before.
const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// The driver's Debian package, its description file, and the package that this file lies in.
const DRIVERS: [(&str, &str, &str); 2] =
    [("mesa-vulkan-drivers", "lvp_icd", "mesa-vulkan-drivers"), ("chromium", "vk_swiftshader_icd", "chromium-common")];

/// The environment that the Rust tests run in: what the caller has set stays as it is.
pub fn ready() -> Result<BTreeMap<&'static str, OsString>> {
    let mut environment = runtime_folder()?;
    if std::env::var_os(ADAPTERS_VARIABLE).is_some() {
        return Ok(environment);
    }
    environment.insert(ADAPTERS_VARIABLE, ADAPTERS.into());
    if DRIVER_VARIABLES.iter().any(|name| std::env::var_os(name).is_some()) {
        return Ok(environment);
    }
    debian::ready(&DRIVERS.map(|(package, ..)| package), "testing on lavapipe and SwiftShader")?;
    let files = DRIVERS.iter().map(|(_, name, package)| description(package, name)).collect::<Result<Vec<_>>>()?;
    let joined = std::env::join_paths(files).context("a Vulkan driver lies at a path that no list can hold")?;
    for name in DRIVER_VARIABLES {
        environment.insert(name, joined.clone());
    }
    Ok(environment)
}

/// Drivers complain where this is unset.
fn runtime_folder() -> Result<BTreeMap<&'static str, OsString>> {
    let mut environment = BTreeMap::new();
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        let folder = paths::state().join("runtime");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        environment.insert("XDG_RUNTIME_DIR", folder.into());
    }
    Ok(environment)
}

fn description(package: &str, name: &str) -> Result<PathBuf> {
    let described = |file: &PathBuf| {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(name) && file.ends_with(".json")
    };
    debian::files(package).into_iter().find(described).with_context(|| {
        format!(
            "{package} has no Vulkan driver description {name}*.json: name both drivers' files in {}",
            DRIVER_VARIABLES[0]
        )
    })
}
