//! How much of one entrant's time another takes, and whether the difference can be told from noise.

use rownorm::bench::TimedSpan;

/// A ratio of times with an interval that holds its median with at least 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The median of the paired ratios.
    pub median: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Pairs it rests on.
    pub pairs: usize,
    /// The ratio of the two medians: what a reader computes from the two times.
    pub of_medians: f64,
}

impl Ratio {
    /// Fewer pairs say nothing with 95 % confidence.
    pub const FEWEST: usize = 6;

    /// The ratio of `a` to `b`: spans of the same round are paired, so that what slows a whole round
    /// cancels; a span whose partner was dropped, or never timed, does not count. The interval is the
    /// sign test's (no assumption on the noise), widened by `clock_error`, the share of a ratio that
    /// reading the clock may have caused. `None` of fewer than [`Ratio::FEWEST`] pairs.
    pub fn paired(a: &[TimedSpan], b: &[TimedSpan], clock_error: f64) -> Option<Self> {
        let partner = |a: &TimedSpan| b.iter().find(|b| b.round == a.round).map(|b| (a.ns, b.ns));
        let mut ratios: Vec<f64> = a.iter().filter_map(partner).map(|(a, b)| a / b).collect();
        let all = |spans: &[TimedSpan]| spans.iter().map(|span| span.ns).collect::<Vec<_>>();
        ratios.sort_unstable_by(f64::total_cmp);
        let skip = left_out(ratios.len())?;
        Some(Self {
            median: median(&ratios),
            low: ratios[skip] * (1.0 - clock_error).max(0.0),
            high: ratios[ratios.len() - 1 - skip] * (1.0 + clock_error),
            pairs: ratios.len(),
            of_medians: median(&all(a)) / median(&all(b)),
        })
    }

    /// Whether the interval leaves out 1, and the medians agree on the side. On a busy machine times may
    /// scatter so much that they do not: then nothing was shown.
    pub fn differs(&self) -> bool {
        (self.high < 1.0 && self.of_medians < 1.0) || (self.low > 1.0 && self.of_medians > 1.0)
    }
}

/// The median; NaN of nothing.
fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len().checked_sub(1) {
        Some(last) => (sorted[last / 2] + sorted[last.div_ceil(2)]) / 2.0,
        None => f64::NAN,
    }
}

/// How many of n ordered values may be left out at each end so that the rest holds the median with 95 %
/// confidence; `None` where even all of them do not.
///
/// Without k at each end, the interval misses the median where at most k of n values lie on one side of
/// it: with a probability of 2·P(Binomial(n, ½) ≤ k).
fn left_out(n: usize) -> Option<usize> {
    let mut term = 0.5_f64.powi(n as i32);
    let mut misses = 2.0 * term;
    let mut left_out = None;
    let mut k = 0;
    while misses <= 0.05 {
        left_out = Some(k);
        term *= (n - k) as f64 / (k + 1) as f64;
        misses += 2.0 * term;
        k += 1;
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(ns: impl IntoIterator<Item = f64>) -> Vec<TimedSpan> {
        ns.into_iter().enumerate().map(|(round, ns)| TimedSpan { round, ns, wall_ns: ns }).collect()
    }

    #[test]
    fn the_sign_test_agrees_with_its_tables() {
        // Critical values of the two-sided sign test at 5 %.
        for (n, critical) in [(6, 0), (8, 0), (9, 1), (12, 2), (15, 3), (17, 4), (20, 5), (21, 5), (25, 7), (100, 39)] {
            assert_eq!(left_out(n), Some(critical), "{n}");
        }
        assert_eq!((0..Ratio::FEWEST).filter_map(left_out).next(), None);
    }

    /// Exact: Pascal's triangle in integers.
    #[test]
    fn the_interval_covers_95_per_cent_and_one_value_less_would_not() {
        let mut binomials = vec![1_u128];
        for n in 1..=100_usize {
            binomials = (0..=n).map(|k| if k == 0 || k == n { 1 } else { binomials[k - 1] + binomials[k] }).collect();
            let covers = |k: usize| {
                let missed: u128 = 2 * binomials[..=k].iter().sum::<u128>();
                20 * missed <= 1 << n
            };
            match left_out(n) {
                Some(k) => assert!(n >= Ratio::FEWEST && covers(k) && !covers(k + 1), "{n}: {k}"),
                None => assert!(n < Ratio::FEWEST && !covers(0), "{n}"),
            }
        }
    }

    #[test]
    fn the_interval_ends_at_the_values_that_are_left() {
        // 1.00 to 1.20; without five at each end.
        let a = spans((0..21).map(|i| 100.0 + f64::from(i)));
        let ratio = Ratio::paired(&a, &spans([100.0; 21]), 0.0).unwrap();
        assert_eq!((ratio.low, ratio.median, ratio.high, ratio.pairs), (1.05, 1.10, 1.15, 21));
    }

    #[test]
    fn a_clear_difference_is_seen_and_noise_is_not() {
        let b: Vec<f64> = (0..21).map(|i| 1.0 + 0.01 * f64::from(i % 5)).collect();
        let faster = spans(b.iter().map(|b| b * 0.8));
        let ratio = Ratio::paired(&faster, &spans(b.clone()), 0.01).unwrap();
        assert!((ratio.median - 0.8).abs() < 1e-12 && ratio.differs());
        let noisy = spans(b.iter().enumerate().map(|(i, b)| b * if i % 2 == 0 { 0.9 } else { 1.1 }));
        assert!(!Ratio::paired(&noisy, &spans(b), 0.0).unwrap().differs());
    }

    #[test]
    fn an_equal_time_is_never_a_difference() {
        let same = spans([2.0; 21]);
        assert!(!Ratio::paired(&same, &same, 0.0).unwrap().differs());
    }

    #[test]
    fn few_spans_have_no_ratio() {
        let few = spans([2.0; Ratio::FEWEST - 1]);
        assert!(Ratio::paired(&few, &spans([2.0; 21]), 0.0).is_none());
        assert!(Ratio::paired(&[], &[], 0.0).is_none());
        assert!(Ratio::paired(&spans([2.0; Ratio::FEWEST]), &spans([2.0; 21]), 0.0).is_some());
    }

    /// The load doubles every other round; one entrant lost its first span.
    #[test]
    fn only_spans_of_one_round_are_paired() {
        let load = |i: usize| if i.is_multiple_of(2) { 1.0 } else { 2.0 };
        let b = spans((0..21).map(load));
        let a = &spans((0..21).map(|i| 0.9 * load(i)))[1..];
        for (ratio, value) in [(Ratio::paired(a, &b, 0.0), 0.9), (Ratio::paired(&b, a, 0.0), 1.0 / 0.9)] {
            let Ratio { low, high, pairs, .. } = ratio.unwrap();
            assert_eq!(pairs, 20);
            assert!((low - value).abs() < 1e-12 && (high - value).abs() < 1e-12, "{ratio:?}");
        }
        // Spans of other rounds only.
        let later: Vec<TimedSpan> = b.iter().map(|span| TimedSpan { round: span.round + 21, ..*span }).collect();
        assert!(Ratio::paired(&later, &b, 0.0).is_none());
    }

    #[test]
    fn medians_that_say_the_opposite_are_no_difference() {
        // Pairs say faster, but the load changed so much in between that the medians say slower.
        let a = spans([1.0, 1.0, 1.0, 1.0, 1.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0]);
        let b = spans([2.0, 2.0, 2.0, 2.0, 2.0, 9.0, 60.0, 60.0, 60.0, 60.0, 9.0]);
        let ratio = Ratio::paired(&a, &b, 0.0).unwrap();
        assert!(ratio.median < 1.0 && ratio.of_medians > 1.0 && !ratio.differs());
    }

    #[test]
    fn an_error_of_the_clock_widens_the_interval() {
        let b = spans([1.0; 21]);
        let a = spans([0.97; 21]);
        assert!(Ratio::paired(&a, &b, 0.0).unwrap().differs());
        assert!(!Ratio::paired(&a, &b, 0.05).unwrap().differs());
    }
}
