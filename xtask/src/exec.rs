//! Running other programs: shown, checked, and where wanted read line by line.

use anyhow::{Context, Result, anyhow, bail};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The cargo that runs this program, in the repository's root.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // `.ci/run` quiets the cargo that starts xtask, not those that xtask starts.
    command.current_dir(crate::paths::root()).env_remove("CARGO_TERM_QUIET");
    command
}

/// npm, in the folder given.
pub fn npm(folder: PathBuf) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(folder);
    command
}

/// The program's path, if `PATH` has it.
pub fn which(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [program.to_string(), format!("{program}{}", std::env::consts::EXE_SUFFIX), format!("{program}.cmd")];
    std::env::split_paths(&path).flat_map(|dir| names.clone().map(|name| dir.join(name))).find(|file| file.is_file())
}

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    let quote = |s: &OsStr| {
        let s = s.to_string_lossy();
        if s.is_empty() || s.contains(char::is_whitespace) { format!("'{s}'") } else { s.into_owned() }
    };
    std::iter::once(program).chain(command.get_args().map(quote)).collect::<Vec<_>>().join(" ")
}

/// Runs the command with this program's own output; a failure is an error.
pub fn run(command: &mut Command) -> Result<()> {
    eprintln!("    $ {}", shown(command));
    let status = command.status().with_context(|| not_started(command))?;
    checked(command, status)
}

/// Runs the command and returns what it wrote to stdout; a failure is an error that carries its stderr.
pub fn output(command: &mut Command) -> Result<String> {
    let out = command.output().with_context(|| not_started(command))?;
    if !out.status.success() {
        bail!("`{}` failed ({}): {}", shown(command), out.status, String::from_utf8_lossy(&out.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// Runs the command and hands each line of its stdout to `line`. A failing command is not an error here: tests fail.
pub fn lines(command: &mut Command, mut line: impl FnMut(&str)) -> Result<ExitStatus> {
    eprintln!("    $ {}", shown(command));
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| not_started(command))?;
    let mut reader = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes)? > 0 {
        line(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']));
        bytes.clear();
    }
    Ok(child.wait()?)
}

/// Runs the command, but for no longer than `limit`; then the program is ended and that is the error.
pub fn run_within(command: &mut Command, limit: Duration) -> Result<()> {
    eprintln!("    $ {}", shown(command));
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).spawn().with_context(|| not_started(command))?;
    loop {
        if let Some(status) = child.try_wait()? {
            return checked(command, status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!("`{}` gave no answer within {} s", shown(command), limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// An error unless the command succeeded.
pub fn checked(command: &Command, status: ExitStatus) -> Result<()> {
    if status.success() { Ok(()) } else { Err(anyhow!("`{}` failed ({status})", shown(command))) }
}

fn not_started(command: &Command) -> String {
    format!("`{}` could not be started; is it installed and on PATH?", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_typed() {
        let mut command = Command::new("/some/where/cargo");
        command.args(["test", "a b", ""]);
        assert_eq!(shown(&command), "cargo test 'a b' ''");
    }
}
