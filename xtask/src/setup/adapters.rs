//! The native adapters of the tests: lavapipe and SwiftShader, two Vulkan drivers that need no GPU.

use super::{browsers, debian};
use crate::paths;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the tests must find, as parts of the adapters' names.
const ADAPTERS: &str = "llvmpipe,SwiftShader";
const ADAPTERS_VARIABLE: &str = "ROWNORM_TEST_ADAPTERS";
/// The variable that Vulkan loaders read, and the name it had before.
const DRIVER_VARIABLES: [&str; 2] = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// A driver: how its description file's name begins, and Debian's package.
struct Driver {
    name: &'static str,
    package: &'static str,
}

/// lavapipe comes with Mesa, SwiftShader with Chromium.
const DRIVERS: [Driver; 2] = [
    Driver { name: "lvp_icd", package: "mesa-vulkan-drivers" },
    Driver { name: "vk_swiftshader_icd", package: "chromium" },
];

/// What they are for, and what else helps.
const WHAT_FOR: &str = "testing on lavapipe and SwiftShader";
const OTHERWISE: &str = "or name both drivers' files in VK_DRIVER_FILES (older loaders: VK_ICD_FILENAMES), or test on \
                         another adapter with ROWNORM_TEST_ADAPTERS=part of its name, or leave adapters out with --no-gpu";

/// Where Vulkan loaders look, and where browsers keep the driver that they bring.
const FOLDERS: [&str; 9] = [
    "/usr/share/vulkan/icd.d",
    "/usr/local/share/vulkan/icd.d",
    "/etc/vulkan/icd.d",
    "/usr/local/etc/vulkan/icd.d",
    "/usr/lib/chromium",
    "/usr/lib64/chromium",
    "/usr/lib/chromium-browser",
    "/usr/lib64/chromium-browser",
    "/opt/google/chrome",
];

/// The environment that the Rust tests run in: what the caller has set stays as it is.
pub fn ready() -> Result<BTreeMap<&'static str, OsString>> {
    let mut environment = runtime_folder()?;
    let given = |name: &str| std::env::var_os(name).is_some();
    // Elsewhere the tests take the adapter that the system prefers.
    if given(ADAPTERS_VARIABLE) || !cfg!(target_os = "linux") {
        return Ok(environment);
    }
    environment.insert(ADAPTERS_VARIABLE, ADAPTERS.into());
    if DRIVER_VARIABLES.into_iter().any(given) {
        return Ok(environment);
    }
    let joined =
        std::env::join_paths(descriptions()?).context("a Vulkan driver lies at a path that no list can hold")?;
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

/// The drivers' description files; on Debian what is missing is installed.
fn descriptions() -> Result<Vec<PathBuf>> {
    let missing: Vec<&str> = DRIVERS.iter().filter(|driver| driver.find().is_none()).map(|d| d.package).collect();
    if !missing.is_empty() {
        debian::ready(&missing, WHAT_FOR, OTHERWISE)?;
    }
    let found = DRIVERS.iter().map(|driver| {
        driver.find().with_context(|| {
            format!("{WHAT_FOR} need the Vulkan driver description {}*.json, {OTHERWISE}", driver.name)
        })
    });
    found.collect()
}

impl Driver {
    fn find(&self) -> Option<PathBuf> {
        // Chromium's own folder, wherever it is.
        let beside =
            browsers::chromium().and_then(|program| Some(program.canonicalize().ok()?.parent()?.to_path_buf()));
        FOLDERS.iter().map(PathBuf::from).chain(beside).find_map(|folder| description(&folder, self.name))
    }
}

/// The description whose name begins so, of this architecture where there are several.
fn description(folder: &Path, name: &str) -> Option<PathBuf> {
    let described = |file: &PathBuf| {
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(name) && file.ends_with(".json")
    };
    let mut files: Vec<_> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(described).collect();
    files.sort_by_key(|file| !file.to_string_lossy().contains(std::env::consts::ARCH));
    files.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_found_by_name_and_architecture() {
        let folder = std::env::temp_dir().join(format!("rownorm-drivers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let own = format!("lvp_icd.{}.json", std::env::consts::ARCH);
        for name in ["lvp_icd.i386.json", &own, "lvp_icd.zz.json", "radeon_icd.json", "vk_swiftshader_icd.txt"] {
            std::fs::write(folder.join(name), "{}").unwrap();
        }
        assert_eq!(description(&folder, "lvp_icd"), Some(folder.join(own)));
        assert_eq!(description(&folder, "vk_swiftshader_icd"), None);
        assert_eq!(description(&folder.join("absent"), "lvp_icd"), None);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn whoever_lacks_a_driver_is_told_every_way_out() {
        let names = [DRIVER_VARIABLES[0], DRIVER_VARIABLES[1], ADAPTERS_VARIABLE, "--no-gpu"];
        assert!(names.iter().all(|name| OTHERWISE.contains(name)), "{OTHERWISE}");
    }
}
