//! What ends a command, and its exit status.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::error::Error;

/// Why a command did not end well.
#[derive(Debug)]
pub(super) enum Failure {
    /// A check failed; it has been reported.
    Check(String),
    /// Bad usage, bad input or no adapter.
    Input(String),
    /// The device, or its driver.
    Device(String),
}

pub(super) type Result<T = (), E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Bad usage or bad input.
    pub(super) fn input(text: impl Into<String>) -> Self {
        Failure::Input(text.into())
    }

    /// Says why on standard error; the exit status.
    pub(super) fn report(self) -> ExitCode {
        let (text, status) = match self {
            Failure::Check(text) => (text, 1),
            Failure::Input(text) => (text, 2),
            Failure::Device(text) => (text, 3),
        };
        // Where standard error is closed too, the status alone has to tell.
        let _ = writeln!(io::stderr(), "error: {text}");
        ExitCode::from(status)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::NoDevice(_)
            | Error::Compile { .. }
            | Error::Device(_)
            | Error::DeviceLost(_)
            | Error::Readback(_) => Failure::Device(text),
            _ => Failure::Input(text),
        }
    }
}
