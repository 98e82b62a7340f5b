//! How many dispatches make a span, and what a span that was timed says.

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

/// Trial spans before the number of dispatches is taken as it is.
const MOST_TRIALS: usize = 24;
/// Trial spans of the same number of dispatches that must not be too short.
const SAME_TRIALS: usize = 4;

/// Spans of an entrant whose single dispatch is slow.
pub(super) const SLOW_SPANS: usize = 3;

/// A span that counts, all times per dispatch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedSpan {
    /// The round it was timed in: spans of one round saw the same load.
    pub round: usize,
    /// Nanoseconds by the benchmark's clock.
    pub ns: f64,
    /// Nanoseconds by the host's clock, submission and waiting included.
    pub wall_ns: f64,
}

/// Finds how many dispatches make a span, from trial spans. The first uses of a buffer and a busy
/// machine make dispatches look long, so the shortest of a few trial spans decides.
#[derive(Debug, Clone)]
pub struct Calibration {
    quantum_ns: f64,
    most: u64,
    dispatches: u64,
    /// Trial spans of this many dispatches, and in all.
    same: usize,
    trials: usize,
    slow: bool,
}

impl Calibration {
    /// Starts with one dispatch, under a clock of this quantum; more than `most` are never tried.
    pub fn new(quantum_ns: f64, most: u64) -> Self {
        Self { quantum_ns, most, dispatches: 1, same: 0, trials: 0, slow: false }
    }

    /// Dispatches of the next span.
    pub fn dispatches(&self) -> u64 {
        self.dispatches
    }

    /// Whether a single dispatch takes so long that only three spans are timed.
    pub fn is_slow(&self) -> bool {
        self.slow
    }

    /// Takes in that a trial span took `ns`; whether another one is needed.
    pub fn take(&mut self, ns: f64) -> bool {
        self.trials += 1;
        self.same += 1;
        self.slow = self.dispatches == 1 && ns > SLOW_NS;
        let next = judge(self.dispatches, ns, self.quantum_ns).min(self.most);
        if next > self.dispatches || self.same == SAME_TRIALS {
            if next == self.dispatches {
                return false;
            }
            self.dispatches = next;
            self.same = 0;
        }
        self.trials < MOST_TRIALS
    }
}

/// How many dispatches to go on with when a span of `dispatches`, which does not count, took `ns`. One
/// that is too short says that the trials were disturbed: the spans to come get longer.
pub fn lengthened(dispatches: u64, ns: f64, quantum_ns: f64) -> u64 {
    judge(dispatches, ns, quantum_ns).max(dispatches)
}

/// How many dispatches to try when `dispatches` took `ns`, under a clock of this quantum; as many where
/// that is good. A quantum so coarse that 100 of it exceed 50 ms does not lengthen spans further: the
/// report tells the error.
fn judge(dispatches: u64, ns: f64, quantum_ns: f64) -> u64 {
    let shortest = (MIN_QUANTA * quantum_ns).max(MIN_NS);
    let k = dispatches as f64;
    let fit = (k * MAX_NS / ns.max(1.0)).floor();
    let next = if ns > MAX_NS {
        ((k * (shortest * MARGIN).min(MAX_NS) / ns).floor() as u64).max(1)
    } else if ns < shortest && fit > k {
        // What reads as a few quanta, zero or backwards says nothing but "much too short"; yet under a
        // coarse clock it may have lasted a quantum more than it reads.
        let most = (MAX_NS / (ns.max(0.0) + quantum_ns)).clamp(2.0, 16.0);
        let measurable = ns > 10.0 * quantum_ns;
        let factor = if measurable { (shortest * MARGIN / ns).min(most) } else { most };
        // Not `clamp`: its panic would bring the formatting of floats, 10 kB, into the page.
        (k * factor).ceil().max(k + 1.0).min(fit) as u64
    } else {
        dispatches
    };
    next.min(MOST_DISPATCHES)
}

/// Which rounds of `discarded + spans` a slow entrant takes part in: the first that counts, the
/// last, and one midway, so that they see the same drift as everyone.
pub fn slow_rounds(discarded: usize, spans: usize) -> Vec<usize> {
    let steps = SLOW_SPANS.min(spans);
    let mut rounds: Vec<_> = (0..steps).map(|i| discarded + i * (spans - 1) / (steps - 1).max(1)).collect();
    rounds.dedup();
    rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dispatch of `each` ns under a clock that cuts to its quantum, whose ticks fall anywhere: how
    /// many of them the search ends with, and the longest and all of its trial spans.
    fn search(each: f64, quantum: f64) -> (Calibration, f64, f64) {
        let mut calibration = Calibration::new(quantum, u64::MAX);
        let (mut now, mut longest) = (0.3 * quantum, 0.0_f64);
        let start = now;
        loop {
            let read = |t: f64| (t / quantum).floor() * quantum;
            let before = now;
            now += each * calibration.dispatches() as f64;
            longest = longest.max(now - before);
            if !calibration.take(read(now) - read(before)) {
                return (calibration, longest, now - start);
            }
        }
    }

    /// Dispatches, and what they take.
    fn found(each: f64, quantum: f64) -> (u64, f64) {
        let dispatches = search(each, quantum).0.dispatches();
        (dispatches, each * dispatches as f64)
    }

    #[test]
    fn spans_are_long_enough_and_not_too_long() {
        for quantum in [1.0, 100.0, 65_536.0, 100_000.0] {
            for each in [1e3, 2e4, 3.3e5, 1e6, 4.9e6, 5e6, 2e7] {
                let (k, ns) = found(each, quantum);
                assert!(ns >= MIN_NS.max(MIN_QUANTA * quantum) - quantum, "{each} {quantum}: {k}");
                assert!(ns <= MAX_NS, "{each} {quantum}: {k}");
            }
        }
    }

    #[test]
    fn a_long_dispatch_stands_alone() {
        assert_eq!(found(6e7, 1.0).0, 1);
        assert_eq!(found(4e8, 65_536.0).0, 1);
        assert!(search(3e8, 1.0).0.is_slow() && !search(2e8, 1.0).0.is_slow() && !search(1e6, 1.0).0.is_slow());
    }

    /// The page's clock may have a step of 1 ms, in private windows of 16.7 or 100 ms: what runs on the
    /// page's own thread must not hold it up.
    #[test]
    fn coarse_clocks_do_not_make_spans_long() {
        for quantum in [1e6, 16.7e6, 100e6] {
            for each in [1e3, 1e5, 1e6, 2e7, 4.9e7] {
                let (calibration, longest, all) = search(each, quantum);
                let span = each * calibration.dispatches() as f64;
                assert!(span <= MAX_NS + quantum, "{each} {quantum}: span {span}");
                assert!(longest <= 2.0 * (MAX_NS + quantum), "{each} {quantum}: longest trial {longest}");
                assert!(all <= 2.5e9, "{each} {quantum}: {all} in all");
            }
        }
    }

    #[test]
    fn tiny_dispatches_stay_bounded() {
        assert!(found(1.0, 65_536.0).0 <= MOST_DISPATCHES);
        assert_eq!(judge(4, -5.0, 1.0), 64);
        assert_eq!(judge(4, 0.0, 1.0), 64);
        assert_eq!(judge(MOST_DISPATCHES, 1.0, 1.0), MOST_DISPATCHES);
    }

    #[test]
    fn no_more_are_tried_than_allowed() {
        let mut calibration = Calibration::new(1.0, 3);
        while calibration.take(1e3 * calibration.dispatches() as f64) {}
        assert_eq!(calibration.dispatches(), 3);
    }

    #[test]
    fn a_span_that_grew_too_long_shrinks() {
        assert_eq!(judge(100, 100e6, 1.0), 6);
        assert_eq!(judge(1, 100e6, 1.0), 1);
        assert_eq!(lengthened(100, 100e6, 1.0), 100);
        assert_eq!(lengthened(1, 1e6, 1.0), 7);
    }

    #[test]
    fn slow_entrants_are_spread_over_the_run() {
        assert_eq!(slow_rounds(3, 21), [3, 13, 23]);
        assert_eq!(slow_rounds(0, 1), [0]);
        assert_eq!(slow_rounds(1, 2), [1, 2]);
    }
}
