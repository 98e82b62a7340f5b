//! How far a result may lie from the float64 truth: the only place that says so.
//!
//! Forward in f32, per row with M = max|x̂·weight| + max|bias|: 8 units in the last place of M.
//! `inverseSqrt` alone may use 2 of them. Never less than the smallest normal f32, since WGSL lets a
//! device flush what lies below it to zero. Where the weights of a row differ so much that its large x̂ meet
//! weights near zero, M is small beside max|x̂|·max|weight|, which the rounding of the mean goes by: such a row
//! may leave the bound. And x̂ itself is an f32 on the way: where it lies beyond f32 y is infinite, and where it
//! lies below the smallest normal it may be 0, even if the weight would have brought it back.

use crate::reference::Row;

/// Units in the last place that a forward result may be off.
pub const FORWARD_ULPS: f64 = 8.0;

/// The distance between neighbouring f32 at the magnitude of `v`.
pub fn ulp_f32(v: f64) -> f64 {
    let bits = v.abs().max(f64::from(f32::MIN_POSITIVE)).to_bits();
    // The power of two alone: without the bits of the significand.
    f64::from_bits(bits & f64::INFINITY.to_bits()) * f64::from(f32::EPSILON)
}

/// How far y may lie from the truth in a row.
pub fn forward(row: &Row) -> f64 {
    (FORWARD_ULPS * ulp_f32(row.magnitude)).max(f64::from(f32::MIN_POSITIVE))
}

/// How far a saved mean may lie from the truth: measured against the row's RMS.
pub fn saved_mean(row: &Row) -> f64 {
    FORWARD_ULPS * ulp_f32(row.rms)
}

/// How far a saved rstd may lie from the truth; never less than what a device may flush to zero.
pub fn saved_rstd(row: &Row) -> f64 {
    (FORWARD_ULPS * ulp_f32(row.rstd)).max(f64::from(f32::MIN_POSITIVE))
}

/// Whether a result is good: NaN never is, and an infinity where a truth within the tolerance lies
/// beyond f32.
pub fn within(actual: f32, truth: f64, tolerance: f64) -> bool {
    if actual.is_infinite() {
        return f64::from(actual).signum() == truth.signum() && truth.abs() + tolerance > f64::from(f32::MAX);
    }
    (f64::from(actual) - truth).abs() <= tolerance
}

/// Whether the saved statistics of a row are bounded: its RMS is 0 or lies in [2⁻¹⁰⁰, 2¹⁰⁰].
pub fn stats_are_specified(row: &Row) -> bool {
    row.rms == 0.0 || (row.rms >= (-100f64).exp2() && row.rms <= 100f64.exp2())
}

/// How far a number may lie from a published decimal: half a unit of the last digit printed, and one
/// rounding to f32 of ε and inputs, which some sources used in float64.
pub fn published(decimal: &str) -> f64 {
    let (mantissa, exponent) = decimal.split_once(['e', 'E']).unwrap_or((decimal, "0"));
    let decimals = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
    let last_digit = 10f64.powi(exponent.parse::<i32>().unwrap_or(0) - decimals);
    let value = decimal.parse::<f64>().unwrap_or(0.0);
    // A little more than half: decimal and number are themselves rounded to float64.
    0.500_001 * last_digit + value.abs() * f64::from(f32::EPSILON)
}

/// How far a result may lie from another implementation's f32 result, given our own bound: the other
/// one does not say how it sums, so it is granted twice as much, and both may err at once.
pub fn against_f32(bound: f64) -> f64 {
    3.0 * bound
}

/// How far two float64 results may lie apart: a thousandth of what f32 resolves at M.
pub fn between_float64(row: &Row) -> f64 {
    row.magnitude * (-33f64).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ulp_is_the_distance_to_the_next_f32() {
        for v in [1.0f32, 1.5, 1.999_999_9, 2.0, -3.0, 1e-5, 3e38, f32::MIN_POSITIVE] {
            assert_eq!(ulp_f32(f64::from(v)), f64::from(v.abs().next_up()) - f64::from(v.abs()), "{v}");
        }
        assert_eq!(ulp_f32(0.0), f64::from(f32::from_bits(1)));
    }
}
