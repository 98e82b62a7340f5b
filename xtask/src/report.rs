//! What the person in front of the terminal sees: steps with their times.
//!
//! Progress goes to stderr, results to stdout.

use anyhow::Result;
use std::time::{Duration, Instant};

/// Announces a step, does it, and says how long it took.
pub fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("==> {what}");
    let start = Instant::now();
    let result = work();
    let verdict = if result.is_ok() { "done" } else { "failed" };
    eprintln!("    {verdict} in {}", seconds(start.elapsed()));
    result
}

/// One line about something that needed no work, or about a choice that was made.
pub fn note(what: &str) {
    eprintln!("    {what}");
}

/// A duration for people.
pub fn seconds(time: Duration) -> String {
    let s = time.as_secs_f64();
    if s < 120.0 { format!("{s:.1} s") } else { format!("{} min {:02.0} s", (s / 60.0) as u64, s % 60.0) }
}

/// A size for people, in the decimal kilobytes that the size budget is written in.
pub fn kilobytes(bytes: usize) -> String {
    format!("{:.1} kB", bytes as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(seconds(Duration::from_millis(340)), "0.3 s");
        assert_eq!(seconds(Duration::from_millis(119_900)), "119.9 s");
        assert_eq!(seconds(Duration::from_secs(605)), "10 min 05 s");
    }

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(kilobytes(96_000), "96.0 kB");
    }
}
