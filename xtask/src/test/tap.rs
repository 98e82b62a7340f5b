//! Reading the Test Anything Protocol as Node's test runner writes it.

use super::outcome::Outcome;
use std::collections::BTreeMap;

/// The counts of the closing comments, the names of the points that failed or were skipped, and what tests say they
/// skipped (`t.diagnostic("skipped name: reason")`). None if the file has no counts.
pub fn read(text: &str) -> Option<Outcome> {
    let mut counts = BTreeMap::new();
    let mut outcome = Outcome::default();
    let mut parts = Outcome::default();
    for line in text.lines() {
        if let Some(part) = line.trim_start().strip_prefix("# skipped ").filter(|part| part.contains(": ")) {
            parts.skip(unescaped(part));
        } else if let Some((word, number)) = line.strip_prefix("# ").and_then(closing) {
            // What the tests print becomes comments too: the last counts are the runner's.
            counts.insert(word, number);
        } else if let Some((name, state)) = point(line.trim_start()) {
            match state {
                State::Ok => {}
                State::NotOk => outcome.failures.push(name),
                State::Skipped(reason) => outcome.skips.push(format!("{name}: {reason}")),
            }
        }
    }
    let count = |word| counts.get(word).copied().unwrap_or(0);
    outcome.passed = *counts.get("pass")?;
    outcome.failed = count("fail") + count("cancelled");
    outcome.skipped = count("skipped") + count("todo");
    outcome.merge(parts);
    Some(outcome)
}

fn closing(comment: &str) -> Option<(&str, usize)> {
    let (word, number) = comment.split_once(' ')?;
    Some((word, number.parse().ok()?))
}

enum State {
    Ok,
    NotOk,
    Skipped(String),
}

/// `ok 3 - name # SKIP reason` as name and state; None if the line is no test point.
fn point(line: &str) -> Option<(String, State)> {
    let not_ok = line.strip_prefix("not ok ");
    let text = not_ok.or_else(|| line.strip_prefix("ok "))?;
    let text = text.split_once(" - ").map_or(text, |(_, text)| text);
    for (mark, word) in [(" # SKIP", "skipped"), (" # TODO", "to do")] {
        if let Some((name, reason)) = text.split_once(mark) {
            let reason = reason.trim();
            let reason = if reason.is_empty() { word } else { reason };
            return Some((unescaped(name), State::Skipped(unescaped(reason))));
        }
    }
    Some((unescaped(text), if not_ok.is_some() { State::NotOk } else { State::Ok }))
}

/// Node escapes what means something in the protocol.
fn unescaped(name: &str) -> String {
    name.replace("\\#", "#").replace("\\\\", "\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAP: &str = "TAP version 13\n\
        # pass 99\n\
        # Subtest: page\n    \
            # Subtest: opens\n    \
            ok 1 - opens\n      \
              ---\n      \
              duration_ms: 3\n      \
              ...\n    \
            not ok 2 - shows case \\#2\n    \
            ok 3 - works on Firefox # SKIP no subgroups, \\#3\n    \
            # skipped case \\#7 in Firefox: no subgroups\n    \
            # skipped for today\n    \
            1..3\n\
        not ok 1 - page\n\
        ok 2 - later # TODO\n\
        1..2\n\
        # tests 5\n# suites 1\n# pass 1\n# fail 2\n# cancelled 0\n# skipped 1\n# todo 1\n# duration_ms 12.5\n";

    #[test]
    fn counts_come_from_the_end_and_names_from_the_points() {
        let outcome = read(TAP).unwrap();
        assert_eq!((outcome.passed, outcome.failed, outcome.skipped), (1, 2, 3));
        assert_eq!(outcome.failures, ["shows case #2", "page"]);
        let skips = ["works on Firefox: no subgroups, #3", "later: to do", "case #7 in Firefox: no subgroups"];
        assert_eq!(outcome.skips, skips);
    }

    #[test]
    fn a_run_that_was_cut_off_has_no_counts() {
        assert_eq!(read("TAP version 13\nok 1 - a\n"), None);
        assert_eq!(read(""), None);
    }
}
