//! Standard output, and progress on standard error.

use std::io::{self, Write};
use std::time::{Duration, Instant};

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

/// Progress on standard error: a bar on a terminal, elsewhere a line now and then.
pub(super) struct Progress {
    bar: ProgressBar,
    told: Instant,
}

/// The least time between two lines: short work leaves none.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        let bar = match ProgressStyle::with_template("{wide_bar} {percent:>3} %  {msg}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        Self { bar, told: Instant::now() }
    }

    /// So much is done, and what is at hand.
    pub(super) fn tell(&mut self, done: u64, total: u64, message: String) {
        if self.bar.is_hidden() && self.told.elapsed() >= BETWEEN_LINES {
            self.told = Instant::now();
            // A note that nobody can read is no failure.
            let _ = writeln!(io::stderr(), "{} %  {message}", (100 * done).checked_div(total).unwrap_or(100));
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(message);
    }

    /// The work has ended; the bar leaves.
    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}
