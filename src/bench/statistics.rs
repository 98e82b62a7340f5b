//! Order statistics of a few spans.

/// The q-quantile (0 to 1) by linear interpolation between order statistics; NaN of nothing.
pub(super) fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let position = q.clamp(0.0, 1.0) * last as f64;
    let below = sorted[position.floor() as usize];
    let above = sorted[position.ceil() as usize];
    below + (above - below) * position.fract()
}

/// The median.
pub(super) fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// How much slower the last third ran than the first: median over median, less 1. 0 of fewer than
/// three values.
pub(super) fn drift(values: &[f64]) -> f64 {
    let third = values.len() / 3;
    if third == 0 {
        return 0.0;
    }
    median(&values[values.len() - third..]) / median(&values[..third]) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_and_ignore_order() {
        let values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!(median(&values), 3.0);
        assert_eq!(quantile(&values, 0.0), 1.0);
        assert_eq!(quantile(&values, 1.0), 5.0);
        assert!((quantile(&values, 0.1) - 1.4).abs() < 1e-12);
        assert!((quantile(&values, 0.9) - 4.6).abs() < 1e-12);
        assert_eq!(median(&[1.0, 2.0]), 1.5);
        assert_eq!(median(&[7.0]), 7.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn drift_compares_the_ends() {
        assert_eq!(drift(&[1.0, 1.0, 9.0, 9.0, 2.0, 2.0]), 1.0);
        assert_eq!(drift(&[3.0; 21]), 0.0);
        assert_eq!(drift(&[1.0, 2.0]), 0.0);
    }
}
