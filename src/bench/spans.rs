//! How many dispatches make a span.

/// The shortest span, in quanta of the clock.
const MIN_QUANTA: f64 = 100.0;
/// The shortest span.
const MIN_NS: f64 = 5e6;
/// The longest span of more than one dispatch.
const MAX_NS: f64 = 50e6;
/// A dispatch that takes longer than this is timed in few spans.
const SLOW_NS: f64 = 250e6;
/// Room above the shortest span, so that noise does not push spans below it.
const MARGIN: f64 = 1.25;
/// No more dispatches than this in a pass: encoding them takes the host as long as a long span.
const MOST_DISPATCHES: u64 = 1 << 14;

/// Spans of an entrant whose single dispatch is slow.
pub(super) const SLOW_SPANS: usize = 3;

/// What to do after a trial span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The number of dispatches is good.
    Settled,
    /// Try this many.
    Try(u64),
}

/// Judges a trial span of `dispatches` that took `ns`, under a clock of this quantum. A quantum so
/// coarse that 100 of it exceed 50 ms does not lengthen spans further: the report tells the error.
pub(super) fn judge(dispatches: u64, ns: f64, quantum_ns: f64) -> Verdict {
    let shortest = (MIN_QUANTA * quantum_ns).max(MIN_NS);
    let aim = (shortest * MARGIN).min(MAX_NS);
    let next = if ns < shortest.min(MAX_NS) {
        // What reads as a few quanta, zero or backwards says nothing but "much too short".
        let measurable = ns > 10.0 * quantum_ns;
        let factor = if measurable { (aim / ns).min(16.0) } else { 16.0 };
        ((dispatches as f64 * factor).ceil() as u64).max(dispatches + 1)
    } else if ns > MAX_NS {
        ((dispatches as f64 * aim / ns).floor() as u64).max(1)
    } else {
        dispatches
    };
    let next = next.min(MOST_DISPATCHES);
    if next == dispatches { Verdict::Settled } else { Verdict::Try(next) }
}

/// Whether a single dispatch that took `ns` is slow.
pub(super) fn is_slow(dispatches: u64, ns: f64) -> bool {
    dispatches == 1 && ns > SLOW_NS
}

/// Which rounds of `discarded + spans` a slow entrant takes part in: the first that counts, the
/// last, and one midway, so that they see the same drift as everyone.
pub(super) fn slow_rounds(discarded: usize, spans: usize) -> Vec<usize> {
    let steps = SLOW_SPANS.min(spans);
    let mut rounds: Vec<_> = (0..steps).map(|i| discarded + i * (spans - 1) / (steps - 1).max(1)).collect();
    rounds.dedup();
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the search for a dispatch of `each` ns under a clock that cuts to its quantum.
    fn search(each: f64, quantum: f64) -> (u64, f64) {
        let mut k = 1;
        for _ in 0..32 {
            let ns = (each * k as f64 / quantum).floor() * quantum;
            match judge(k, ns, quantum) {
                Verdict::Settled => return (k, each * k as f64),
                Verdict::Try(next) => k = next,
            }
        }
        panic!("no end: {each} ns under {quantum} ns")
    }

    #[test]
    fn spans_are_long_enough_and_not_too_long() {
        for quantum in [1.0, 100.0, 65_536.0, 100_000.0] {
            for each in [1e3, 2e4, 3.3e5, 1e6, 4.9e6, 5e6, 2e7] {
                let (k, ns) = search(each, quantum);
                assert!(ns >= MIN_NS.max(MIN_QUANTA * quantum), "{each} {quantum}: {k}");
                assert!(ns <= MAX_NS, "{each} {quantum}: {k}");
            }
        }
    }

    #[test]
    fn a_long_dispatch_stands_alone() {
        assert_eq!(search(6e7, 1.0).0, 1);
        assert_eq!(search(4e8, 65_536.0).0, 1);
        assert!(is_slow(1, 3e8) && !is_slow(1, 2e8) && !is_slow(2, 3e8));
    }

    #[test]
    fn coarse_clocks_and_tiny_dispatches_stay_bounded() {
        // What reads as 50 quanta may be a quantum more.
        assert!(search(1e5, 1e6).1 < MAX_NS + 1e6);
        assert!(search(1.0, 65_536.0).0 <= MOST_DISPATCHES);
        assert_eq!(judge(4, -5.0, 1.0), Verdict::Try(64));
        assert_eq!(judge(4, 0.0, 1.0), Verdict::Try(64));
        assert_eq!(judge(MOST_DISPATCHES, 1.0, 1.0), Verdict::Settled);
    }

    #[test]
    fn a_span_that_grew_too_long_shrinks() {
        assert_eq!(judge(100, 100e6, 1.0), Verdict::Try(6));
        assert_eq!(judge(1, 100e6, 1.0), Verdict::Settled);
    }

    #[test]
    fn slow_entrants_are_spread_over_the_run() {
        assert_eq!(slow_rounds(3, 21), [3, 13, 23]);
        assert_eq!(slow_rounds(0, 1), [0]);
        assert_eq!(slow_rounds(1, 2), [1, 2]);
    }
}
