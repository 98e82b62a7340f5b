//! How much of one entrant's time another takes, and whether the difference can be told from noise.

/// A ratio of times with an interval that holds its median with at least 95 % confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio {
    /// The median of the paired ratios.
    pub median: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The ratio of the two medians: what a reader computes from the two times.
    pub of_medians: f64,
}

impl Ratio {
    /// The ratio of `a` to `b`: spans of the same round are paired, so that what slows a whole round
    /// cancels. The interval is the sign test's (no assumption on the noise), widened by `clock_error`,
    /// the share of a ratio that reading the clock may have caused. `None` of no spans.
    ///
    /// The two must have been measured in turns; where one lost spans, the last ones go unpaired.
    pub fn paired(a: &[f64], b: &[f64], clock_error: f64) -> Option<Self> {
        let mut ratios: Vec<f64> = a.iter().zip(b).map(|(a, b)| a / b).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let last = ratios.len().checked_sub(1)?;
        let skip = sign_test_rank(ratios.len());
        Some(Self {
            median: median(&ratios),
            low: ratios[skip] * (1.0 - clock_error),
            high: ratios[last - skip] * (1.0 + clock_error),
            of_medians: median(a) / median(b),
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

/// How many order statistics may be left out at each end so that the rest holds the median with 95 %
/// confidence; 0 where there are too few for that.
fn sign_test_rank(n: usize) -> usize {
    // P(Binomial(n, ½) ≤ k) ≤ 2.5 %: the (k + 1)-th smallest is the lower end.
    let mut term = 0.5_f64.powi(n as i32);
    let mut sum = 0.0;
    let mut rank = 0;
    for k in 0..n / 2 {
        sum += term;
        if sum > 0.025 {
            break;
        }
        rank = k + 1;
        term *= (n - k) as f64 / (k + 1) as f64;
    }
    rank.min(n.saturating_sub(1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_agrees_with_its_tables() {
        // Critical values of the two-sided sign test at 5 %.
        for (n, rank) in [(5, 0), (6, 1), (9, 2), (12, 3), (15, 4), (17, 5), (21, 6), (25, 8), (100, 40)] {
            assert_eq!(sign_test_rank(n), rank, "{n}");
        }
    }

    #[test]
    fn a_clear_difference_is_seen_and_noise_is_not() {
        let b: Vec<f64> = (0..21).map(|i| 1.0 + 0.01 * f64::from(i % 5)).collect();
        let faster: Vec<f64> = b.iter().map(|b| b * 0.8).collect();
        let ratio = Ratio::paired(&faster, &b, 0.01).unwrap();
        assert!((ratio.median - 0.8).abs() < 1e-12 && ratio.differs());
        let noisy: Vec<f64> = b.iter().enumerate().map(|(i, b)| b * if i % 2 == 0 { 0.9 } else { 1.1 }).collect();
        assert!(!Ratio::paired(&noisy, &b, 0.0).unwrap().differs());
    }

    #[test]
    fn an_equal_time_is_never_a_difference() {
        let same = [2.0; 21];
        assert!(!Ratio::paired(&same, &same, 0.0).unwrap().differs());
        assert!(Ratio::paired(&[], &same, 0.0).is_none());
    }

    #[test]
    fn medians_that_say_the_opposite_are_no_difference() {
        // Pairs say faster, but the load changed so much in between that the medians say slower.
        let a = [1.0, 1.0, 1.0, 1.0, 1.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0];
        let b = [2.0, 2.0, 2.0, 2.0, 2.0, 9.0, 60.0, 60.0, 60.0, 60.0, 9.0];
        let ratio = Ratio::paired(&a, &b, 0.0).unwrap();
        assert!(ratio.median < 1.0 && ratio.of_medians > 1.0 && !ratio.differs());
    }

    #[test]
    fn an_error_of_the_clock_widens_the_interval() {
        let b = [1.0; 21];
        let a = [0.97; 21];
        assert!(Ratio::paired(&a, &b, 0.0).unwrap().differs());
        assert!(!Ratio::paired(&a, &b, 0.05).unwrap().differs());
    }
}
