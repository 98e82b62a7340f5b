//! Running the binary, and `.npy` files for it to read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use npyz::WriterBuilder;
use tempfile::TempDir;

/// What a test ends with.
pub type Tested = Result<(), Failed>;

/// Whether tests on adapters are left out.
pub fn no_gpu() -> bool {
    std::env::var("ROWNORM_TEST_NO_GPU").is_ok_and(|value| value == "1")
}

/// The adapters that must be here, as parts of their names.
pub fn adapters() -> Vec<String> {
    let default = if cfg!(target_os = "linux") { "llvmpipe,SwiftShader" } else { "" };
    let names = std::env::var("ROWNORM_TEST_ADAPTERS").unwrap_or_else(|_| default.to_string());
    names.split(',').map(|name| name.trim().to_string()).collect()
}

/// A test on an adapter and its name.
pub type Test = (&'static str, fn(&Cli) -> Tested);

/// These tests on an adapter; ignored, and so counted, where GPU tests are left out.
pub fn on_adapter(adapter: &str, tests: &[Test]) -> Vec<Trial> {
    let shown = if adapter.is_empty() { "default" } else { adapter };
    let trials = tests.iter().map(|&(name, test)| {
        let cli = Cli { adapter: adapter.to_string() };
        Trial::test(format!("{shown}::{name}"), move || test(&cli)).with_ignored_flag(no_gpu())
    });
    trials.collect()
}

/// Runs the tests. A list that says "ignored" is followed by the reason.
pub fn conclude(trials: Vec<Trial>) -> ExitCode {
    let arguments = Arguments::from_args();
    if no_gpu() && !arguments.list {
        eprintln!("ROWNORM_TEST_NO_GPU=1: tests on {} are skipped", adapters().join(", "));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The command line on an adapter.
pub struct Cli {
    /// `--adapter`; empty for none.
    pub adapter: String,
}

impl Cli {
    /// Runs with these arguments.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran(self.command(arguments).output().expect("the binary starts"))
    }

    /// The command, its input closed and its environment without an adapter of its own.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rownorm"));
        command.args(arguments).env_remove("ROWNORM_ADAPTER").stdin(Stdio::null());
        if !self.adapter.is_empty() {
            command.args(["--adapter", &self.adapter]);
        }
        command
    }
}

/// A finished run.
pub struct Ran(pub Output);

impl Ran {
    pub fn status(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// It must have gone well and said nothing on standard error but how far it is.
    pub fn good(self) -> Result<Self, Failed> {
        let quiet = self.stderr().lines().all(is_progress);
        if self.status() == Some(0) && quiet { Ok(self) } else { Err(self.unexpected("status 0 and no complaint")) }
    }

    /// It must have ended with a status, a message that holds these words, and no output.
    pub fn refused(self, status: i32, words: &[&str]) -> Tested {
        let text = self.stderr();
        let named = words.iter().all(|word| text.contains(word));
        let one_sentence = text.trim_end().lines().count() == 1 || text.contains("--help");
        let silent = self.0.stdout.is_empty() && !text.contains("panicked");
        if self.status() == Some(status) && named && silent && one_sentence {
            return Ok(());
        }
        Err(self.unexpected(&format!("status {status} and one sentence with {words:?}")))
    }

    /// Standard output as JSON, which must be alone there.
    pub fn json(self) -> Result<serde_json::Value, Failed> {
        serde_json::from_slice(&self.0.stdout).map_err(|error| self.unexpected(&format!("JSON ({error})")))
    }

    fn unexpected(&self, wanted: &str) -> Failed {
        let (status, out, err) = (self.status(), self.stdout(), self.stderr());
        Failed::from(format!("wanted {wanted}; found status {status:?}\nstdout: {out}\nstderr: {err}"))
    }
}

/// Whether a line says how far long work is (`37 %  what is at hand`), as a slow machine may be told.
fn is_progress(line: &str) -> bool {
    line.split_once(" %  ").is_some_and(|(share, _)| share.parse::<u8>().is_ok_and(|share| share <= 100))
}

/// A directory of its own for a test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(TempDir::new().expect("a temporary directory"))
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path in it, as an argument.
    pub fn arg(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_string()
    }

    /// Writes an array and gives its path.
    pub fn npy<T: npyz::AutoSerialize>(&self, name: &str, shape: &[u64], values: &[T]) -> String {
        let mut bytes = Vec::new();
        let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes);
        let mut writer = options.begin_nd().expect("a header");
        writer.extend(values).expect("the values");
        writer.finish().expect("as many as the shape says");
        self.file(name, &bytes)
    }

    /// Writes bytes and gives the path.
    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        fs::write(self.path(name), bytes).expect("a file");
        self.arg(name)
    }

    /// The names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the directory");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Reads an array of f32: shape and values.
pub fn read_npy(path: &Path) -> Result<(Vec<u64>, Vec<f32>), Failed> {
    let bytes = fs::read(path).map_err(|error| Failed::from(format!("{}: {error}", path.display())))?;
    let file = npyz::NpyFile::new(&bytes[..]).map_err(|error| Failed::from(error.to_string()))?;
    let shape = file.shape().to_vec();
    Ok((shape, file.into_vec().map_err(|error| Failed::from(error.to_string()))?))
}

/// `actual == wanted`, or a failure that shows both.
pub fn equal<T: PartialEq + std::fmt::Debug>(what: &str, actual: T, wanted: T) -> Tested {
    if actual == wanted { Ok(()) } else { Err(format!("{what}: found {actual:?}, wanted {wanted:?}").into()) }
}

/// Values without pattern, the same at every run.
pub fn values(len: usize, seed: u64) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.f32() * 4.0 - 1.5).collect()
}
