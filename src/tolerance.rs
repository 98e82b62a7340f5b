//! How far a result may lie from the float64 truth: the only place that says so.
//!
//! Forward in f32, per row with M = max|x̂·weight| + max|bias|: 8 units in the last place of M.
//! `inverseSqrt` alone may use 2 of them.

use crate::reference::Row;

/// Units in the last place that a forward result may be off.
pub const FORWARD_ULPS: f64 = 8.0;

/// The distance between neighbouring f32 at the magnitude of `v`.
pub fn ulp_f32(v: f64) -> f64 {
    let exponent = v.abs().max(f64::from(f32::MIN_POSITIVE)).log2().floor();
    (exponent - 23.0).exp2()
}

/// How far y may lie from the truth in a row.
pub fn forward(row: &Row) -> f64 {
    FORWARD_ULPS * ulp_f32(row.magnitude)
}

/// How far a saved mean may lie from the truth: measured against the row's RMS.
pub fn saved_mean(row: &Row) -> f64 {
    FORWARD_ULPS * ulp_f32(row.rms)
}

/// How far a saved rstd may lie from the truth.
pub fn saved_rstd(row: &Row) -> f64 {
    FORWARD_ULPS * ulp_f32(row.rstd)
}

/// Whether a result is good: NaN never is, and a truth beyond f32 asks for the infinity.
pub fn within(actual: f32, truth: f64, tolerance: f64) -> bool {
    if truth.abs() > f64::from(f32::MAX) + tolerance {
        return actual.is_infinite() && f64::from(actual).signum() == truth.signum();
    }
    (f64::from(actual) - truth).abs() <= tolerance
}
