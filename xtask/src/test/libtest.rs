//! Reading what Rust's test harness prints (and what custom harnesses print alike).

use super::outcome::Outcome;

/// Reads the output of one or several test programs, line by line.
#[derive(Default)]
pub struct Reader {
    outcome: Outcome,
}

impl Reader {
    pub fn read(&mut self, line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            self.outcome.passed += count(result, "passed");
            self.outcome.failed += count(result, "failed");
            self.outcome.skipped += count(result, "ignored");
        } else if let Some((name, result)) = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) {
            if result == "FAILED" {
                self.outcome.failures.push(name.to_string());
            } else if let Some(reason) = result.strip_prefix("ignored") {
                let reason = reason.trim_start_matches([',', ' ']);
                self.outcome.skips.push(format!("{name}: {}", if reason.is_empty() { "ignored" } else { reason }));
            }
        }
    }

    /// Parts that tests found while running they could not do, one a line; a test passes by its other parts.
    pub fn also_skipped(&mut self, list: &str) {
        for line in list.lines().map(str::trim).filter(|line| !line.is_empty()) {
            self.outcome.skip(line);
        }
    }

    pub fn outcome(self) -> Outcome {
        self.outcome
    }
}

/// The number before the word in `ok. 5 passed; 0 failed; …`.
fn count(result: &str, word: &str) -> usize {
    result
        .split([';', '.'])
        .filter_map(|part| part.trim().strip_suffix(word))
        .find_map(|number| number.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reader {
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.read(line));
        reader
    }

    #[test]
    fn programs_add_up_and_names_are_kept() {
        let outcome = read(
            "running 4 tests\n\
             test a::b ... ok\n\
             test c ... FAILED\n\
             test d - should panic ... ok\n\
             test slow ... ignored, takes an hour\n\
             test bare ... ignored\n\
             test result: FAILED. 2 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
             test src/lib.rs - (line 3) ... ok\n\
             test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 1.50s\n",
        )
        .outcome();
        assert_eq!((outcome.passed, outcome.failed, outcome.skipped), (14, 1, 2));
        assert_eq!(outcome.failures, ["c"]);
        assert_eq!(outcome.skips, ["slow: takes an hour", "bare: ignored"]);
    }

    #[test]
    fn listed_skips_are_counted() {
        let mut reader = read("test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
        reader.also_skipped("forward::wide: too short\n\nbackward::wide: too short\n");
        let outcome = reader.outcome();
        assert_eq!((outcome.passed, outcome.skipped), (3, 2));
        assert_eq!(outcome.skips[1], "backward::wide: too short");
    }

    #[test]
    fn other_output_counts_nothing() {
        assert_eq!(read("test\ntesting ... 1, 2\n5 passed; 3 failed\n").outcome(), Outcome::default());
    }
}
