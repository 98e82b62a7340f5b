//! The comparisons. Each can fail: `tests/controls.rs` shows it for every one.

use super::case::Known;
use super::job::Outcome;
use crate::reference::Forward;
use crate::tolerance;

/// y against the truth, element by element. Rows whose truth is NaN (a NaN or an infinity in x) hold
/// unspecified values and are passed over.
pub fn truth(y: &[f32], truth: &Forward) -> Result<(), String> {
    if y.len() != truth.y.len() {
        return Err(format!("y has {} elements; {} were expected", y.len(), truth.y.len()));
    }
    let dim = y.len().checked_div(truth.rows.len()).unwrap_or(0);
    let mut worst: Option<(f64, String)> = None;
    for (row, facts) in truth.rows.iter().enumerate().filter(|(_, facts)| !facts.rstd.is_nan()) {
        let tolerance = tolerance::forward(facts);
        for index in 0..dim {
            let (actual, expected) = (y[row * dim + index], truth.y[row * dim + index]);
            if tolerance::within(actual, expected, tolerance) {
                continue;
            }
            let off = (f64::from(actual) - expected).abs() / tolerance;
            // NaN is worse than anything.
            let off = if off.is_nan() { f64::INFINITY } else { off };
            if worst.as_ref().is_none_or(|(most, _)| off > *most) {
                let text = format!(
                    "y[{row}, {index}] is {actual:e}; the truth is {expected:e}, off by {off:.2} tolerances (M = {:e})",
                    facts.magnitude
                );
                worst = Some((off, text));
            }
        }
    }
    worst.map_or(Ok(()), |(_, text)| Err(text))
}

/// Saved mean and rstd against the truth, for rows whose RMS lies where statistics are specified.
pub fn stats(stats: &[f32], truth: &Forward) -> Result<(), String> {
    if stats.len() != truth.rows.len() * 2 {
        return Err(format!("stats has {} elements; {} were expected", stats.len(), truth.rows.len() * 2));
    }
    for (row, facts) in truth.rows.iter().enumerate().filter(|(_, facts)| tolerance::stats_are_specified(facts)) {
        let pairs = [
            ("mean", stats[row * 2], facts.mean, tolerance::saved_mean(facts)),
            ("rstd", stats[row * 2 + 1], facts.rstd, tolerance::saved_rstd(facts)),
        ];
        for (name, actual, expected, tolerance) in pairs {
            if !tolerance::within(actual, expected, tolerance) {
                return Err(format!("{name}[{row}] is {actual:e}; the truth is {expected:e} ± {tolerance:e}"));
            }
        }
    }
    Ok(())
}

/// Published values against values computed here, in float64 or in f32. `forward` gives each row's facts.
pub fn known(value_at: impl Fn(usize) -> f64, in_f32: bool, known: &[Known], truth: &Forward) -> Result<(), String> {
    let dim = truth.y.len().checked_div(truth.rows.len()).unwrap_or(0);
    for Known { row, index, value } in known {
        let published: f64 = value.parse().map_err(|error| format!("{value:?} is no number: {error}"))?;
        let facts = &truth.rows[*row as usize];
        let computed = if in_f32 { tolerance::forward(facts) } else { 0.0 };
        let tolerance = tolerance::published(value) + computed;
        let actual = value_at(*row as usize * dim + *index as usize);
        let good = (actual - published).abs() <= tolerance;
        if !good {
            return Err(format!("y[{row}, {index}] is {actual}; published is {value} ± {tolerance:e}"));
        }
    }
    Ok(())
}

/// An outcome against the truth and the published values.
pub fn outcome(outcome: &Outcome, forward: &Forward, published: &[Known]) -> Result<(), String> {
    truth(&outcome.y, forward)?;
    if let Some(saved) = &outcome.stats {
        stats(saved, forward)?;
    }
    known(|i| f64::from(outcome.y[i]), true, published, forward)
}

/// Two results, bit for bit.
pub fn same_bits(what: &str, a: &[f32], b: &[f32]) -> Result<(), String> {
    if a.len() != b.len() {
        return Err(format!("{what}: {} elements against {}", a.len(), b.len()));
    }
    match (0..a.len()).find(|i| a[*i].to_bits() != b[*i].to_bits()) {
        None => Ok(()),
        Some(i) => Err(format!(
            "{what}: element {i} is {:e} ({:#010x}) against {:e} ({:#010x})",
            a[i],
            a[i].to_bits(),
            b[i],
            b[i].to_bits()
        )),
    }
}

/// Two outcomes, bit for bit.
pub fn same_outcome(what: &str, a: &Outcome, b: &Outcome) -> Result<(), String> {
    same_bits(what, &a.y, &b.y)?;
    match (&a.stats, &b.stats) {
        (Some(a), Some(b)) => same_bits(&format!("{what}, stats"), a, b),
        (None, None) => Ok(()),
        _ => Err(format!("{what}: one of the two has no stats")),
    }
}
