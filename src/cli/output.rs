//! Standard output, and progress on standard error.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::exit::{Failure, Result};

/// Writes text and a final line break, if it lacks one. That nobody reads it any more is no failure: the command
/// goes on to its verdict.
pub(super) fn text(text: &str) -> Result {
    let mut out = io::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written =
        out.write_all(text.as_bytes()).and_then(|()| out.write_all(end.as_bytes())).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::input(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON document.
pub(super) fn json(value: &impl Serialize) -> Result {
    let document = serde_json::to_string_pretty(value);
    text(&document.map_err(|error| Failure::input(format!("the result cannot be written as JSON: {error}")))?)
}

/// Lays out rows as columns; the first row is the heading. `left` columns are aligned left, the
/// others right.
pub(super) fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let cell_width = |column| move |row: &Vec<String>| row.get(column).map_or(0, |cell: &String| cell.chars().count());
    let widths: Vec<_> =
        (0..columns).map(|column| rows.iter().map(cell_width(column)).max().unwrap_or_default()).collect();
    let mut lines = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column < left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        lines.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        lines.push('\n');
    }
    lines
}

/// A progress bar on standard error; hidden by itself where that is no terminal.
pub(super) fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
