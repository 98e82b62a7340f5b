//! From a crate to a browser's module: cargo, wasm-bindgen, wasm-opt, and what it weighs.

use crate::setup::{npm, wasm_target::Route};
use crate::{exec, paths, report, stamp};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_bindgen_cli_support::Bindgen;

/// What the npm package's module may weigh, gzipped, in bytes.
pub const BUDGET: usize = 96_000;

/// `--all-features` makes files that no browser loads, so the features are named: those that every browser with WebGPU has.
const WASM_OPT: [&str; 9] = [
    "-Oz",
    "--strip-producers",
    "--strip-target-features",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// One module to build.
#[derive(Debug, Clone)]
pub struct Module {
    /// What people call it, and the name of its stamp.
    pub name: &'static str,
    /// The folder of the crate.
    pub crate_folder: PathBuf,
    /// The stem of the files that come out.
    pub stem: &'static str,
    pub features: &'static [&'static str],
    /// Run wasm-opt: smaller, and slower to build.
    pub optimize: bool,
    /// Where the files go.
    pub out: PathBuf,
    /// The most it may weigh, gzipped.
    pub budget: Option<usize>,
}

/// One profile for all modules: compiling the dependencies a second time, and on Debian the
/// standard library, would cost more than link-time optimization does.
const PROFILE: &str = "release-wasm";

/// What came out.
#[derive(Debug, Clone)]
pub struct Built {
    pub bytes: usize,
    pub gzipped: usize,
    /// The compiler's warnings about the crate.
    pub warnings: usize,
}

/// The module of the npm package.
pub fn package() -> Module {
    Module {
        name: "rownorm",
        crate_folder: paths::root(),
        stem: "rownorm",
        features: &[],
        optimize: true,
        out: paths::www().join("package").join("pkg"),
        budget: Some(BUDGET),
    }
}

/// The same with the conformance run, for the browser tests; wasm-opt's time is spared.
pub fn conformance() -> Module {
    Module {
        name: "rownorm with the conformance run",
        features: &["conformance"],
        optimize: false,
        out: paths::target().join("wasm-pkg").join("conformance"),
        budget: None,
        ..package()
    }
}

/// The page's own module.
fn demo() -> Module {
    let crate_folder = paths::www().join("demo").join("wasm");
    Module {
        name: "the page's figures",
        stem: "demo",
        out: crate_folder.join("pkg"),
        crate_folder,
        budget: None,
        ..package()
    }
}

/// All that the tests need.
pub fn all_modules() -> Vec<Module> {
    let mut modules = release_modules();
    modules.push(conformance());
    modules
}

/// What the page and the npm package consist of.
pub fn release_modules() -> Vec<Module> {
    [package(), demo()].into_iter().filter(|module| module.crate_folder.join("Cargo.toml").is_file()).collect()
}

impl Module {
    /// The arguments that name the crate and its features to cargo.
    pub fn cargo_args(&self) -> Vec<OsString> {
        let mut args = vec!["--manifest-path".into(), self.crate_folder.join("Cargo.toml").into()];
        if !self.features.is_empty() {
            args.extend(["--features".into(), self.features.join(",").into()]);
        }
        args
    }

    fn glue(&self) -> PathBuf {
        self.out.join(format!("{}.js", self.stem))
    }

    fn wasm(&self) -> PathBuf {
        self.out.join(format!("{}_bg.wasm", self.stem))
    }

    /// An error if the module is heavier than it may be.
    pub fn check_budget(&self, built: &Built) -> Result<()> {
        match self.budget {
            Some(budget) if built.gzipped > budget => bail!(
                "{} weighs {} gzipped, more than its budget of {}",
                paths::shown(&self.wasm()),
                report::kilobytes(built.gzipped),
                report::kilobytes(budget)
            ),
            _ => Ok(()),
        }
    }
}

/// Builds a module; what did not change since the last time is not done again.
pub fn build(module: &Module, route: &Route) -> Result<Built> {
    let (compiled, warnings) = report::step(&format!("wasm: compile {}", module.name), || compile(module, route))?;
    let input = std::fs::read(&compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let recipe = recipe(module);
    let hash = stamp::hash([input.as_slice(), recipe.as_bytes()]);
    let made_from = paths::state().join(format!("{}.made-from", module.name.replace([' ', '\''], "-")));
    if stamp::is(&made_from, &hash) && module.glue().is_file() && module.wasm().is_file() {
        report::note(&format!("{}: up to date", paths::shown(&module.out)));
    } else {
        report::step(&format!("wasm: write {}", paths::shown(&module.out)), || write(module, &compiled))?;
        stamp::set(&made_from, &hash)?;
    }
    let bytes = std::fs::read(module.wasm())?;
    let built = Built { bytes: bytes.len(), gzipped: gzipped_len(&bytes)?, warnings };
    report::note(&format!(
        "{}: {}, gzipped {}{}",
        paths::shown(&module.wasm()),
        report::kilobytes(built.bytes),
        report::kilobytes(built.gzipped),
        module.budget.map(|b| format!(" of {}", report::kilobytes(b))).unwrap_or_default()
    ));
    Ok(built)
}

/// Compiles the crate's library as a module; returns its path and the number of warnings.
fn compile(module: &Module, route: &Route) -> Result<(PathBuf, usize)> {
    let mut command = exec::cargo();
    command.args(["rustc", "--lib", "--crate-type", "cdylib", "--profile", PROFILE]).args(module.cargo_args());
    route.apply(&mut command);
    command.arg("--message-format=json-render-diagnostics");
    let mut messages = Messages::default();
    let status = exec::lines(&mut command, |line| messages.read(line))?;
    exec::checked(&command, status)?;
    let wasm = messages.wasm.with_context(|| format!("`{}` made no wasm file", exec::shown(&command)))?;
    Ok((wasm, messages.warnings))
}

/// What is read off cargo's messages.
#[derive(Debug, Default, PartialEq, Eq)]
struct Messages {
    wasm: Option<PathBuf>,
    warnings: usize,
}

impl Messages {
    fn read(&mut self, line: &str) {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            return;
        };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                let files = message["filenames"].as_array().map(Vec::as_slice).unwrap_or_default();
                let wasm = files.iter().filter_map(|file| file.as_str()).find(|file| file.ends_with(".wasm"));
                if let Some(wasm) = wasm {
                    self.wasm = Some(wasm.into());
                }
            }
            Some("compiler-message") if message["message"]["level"] == "warning" => self.warnings += 1,
            _ => {}
        }
    }
}

/// Everything beside the input that decides what comes out.
fn recipe(module: &Module) -> String {
    let lock = std::fs::read_to_string(paths::root().join("Cargo.lock")).unwrap_or_default();
    let bindgen = lock.split("[[package]]").find(|p| p.contains("\"wasm-bindgen-cli-support\"")).unwrap_or_default();
    let binaryen = npm_version("binaryen");
    format!("{bindgen}{binaryen}{WASM_OPT:?}{}{}{}", module.optimize, module.stem, module.out.display())
}

fn npm_version(package: &str) -> String {
    let file = paths::www().join("node_modules").join(package).join("package.json");
    let json = std::fs::read(file).ok().and_then(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok());
    json.and_then(|json| json["version"].as_str().map(String::from)).unwrap_or_default()
}

/// Writes the glue and the module.
fn write(module: &Module, compiled: &Path) -> Result<()> {
    let out = &module.out;
    if out.exists() {
        std::fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    Bindgen::new()
        .input_path(compiled)
        .out_name(module.stem)
        .web(true)?
        // Without this a plain `init()` finds no module.
        .omit_default_module_path(false)
        .typescript(true)
        .keep_debug(false)
        .remove_name_section(module.optimize)
        .remove_producers_section(module.optimize)
        .generate(out)
        .context("wasm-bindgen failed")?;
    if module.optimize {
        let wasm = module.wasm();
        let small = wasm.with_extension("small");
        exec::run(Command::new(npm::program("wasm-opt")).args(WASM_OPT).arg(&wasm).arg("-o").arg(&small))?;
        std::fs::rename(&small, &wasm)?;
    }
    Ok(())
}

fn gzipped_len(bytes: &[u8]) -> Result<usize> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_yield_the_module_and_the_warnings() {
        let mut messages = Messages::default();
        for line in [
            r#"{"reason":"compiler-artifact","filenames":["a/libdep.rlib"]}"#,
            r#"{"reason":"compiler-message","message":{"level":"warning"}}"#,
            r#"{"reason":"compiler-message","message":{"level":"note"}}"#,
            r#"{"reason":"compiler-artifact","filenames":["a/rownorm.d","a/rownorm.wasm"]}"#,
            "not json",
            r#"{"reason":"build-finished","success":true}"#,
        ] {
            messages.read(line);
        }
        assert_eq!(messages, Messages { wasm: Some("a/rownorm.wasm".into()), warnings: 1 });
    }

    #[test]
    fn the_budget_is_a_limit_not_a_target() {
        let built = |gzipped| Built { bytes: 0, gzipped, warnings: 0 };
        assert!(package().check_budget(&built(BUDGET)).is_ok());
        let error = package().check_budget(&built(BUDGET + 100)).unwrap_err().to_string();
        assert!(error.contains("96.1 kB") && error.contains("96.0 kB"), "{error}");
        assert!(conformance().check_budget(&built(BUDGET + 100)).is_ok());
    }

    #[test]
    fn gzip_counts_what_a_browser_receives() {
        assert!(gzipped_len(&[0; 10_000]).unwrap() < 100);
    }
}
