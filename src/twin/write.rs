//! The second half of the work, every element of a row, as in `shaders/normalize/` and
//! `shaders/affine/`.

use super::range::power_of_two;
use super::statistic::RowStatistics;
use crate::spec::{NormSpec, Scale, Shift, Weight};

/// y = ((x · 2^exponent − shift) − delta) · scale · weight + bias. Subtracting 0 and multiplying by 1
/// change nothing, so the first formula serves every variant; the others are shorter.
pub(super) fn write_row(
    spec: &NormSpec,
    row: &RowStatistics,
    x: &[f32],
    weight: Option<&[f32]>,
    bias: Option<&[f32]>,
    y: &mut [f32],
) {
    let RowStatistics { exponent, shift, delta, scale, .. } = *row;
    // Of a large constant row x − mean is 0, and stays 0.
    let scale = if spec.shift == Shift::Mean { scale.min(f32::MAX) } else { scale };
    let affine = Affine { spec, x, weight, bias, y };
    match (spec.shift, spec.scale, exponent) {
        (Shift::Mean, Scale::Std, 0) => affine.write(|v| ((v - shift) - delta) * scale),
        (Shift::None, _, 0) => affine.write(|v| v * scale),
        (centring, scaling, _) => {
            let (shift, delta) = if centring == Shift::Mean { (shift, delta) } else { (0.0, 0.0) };
            let power = power_of_two(exponent);
            // Re-centring alone takes the row's power of two back.
            let back = if scaling == Scale::None { power_of_two(-exponent) } else { 1.0 };
            affine.write(|v| ((v * power - shift) - delta) * scale * back);
        }
    }
}

/// mean and rstd. RMSNorm has no mean and saves 0; where the row is not re-scaled, rstd is 1.
pub(super) fn saved_stats(row: &RowStatistics) -> [f32; 2] {
    [(row.shift + row.delta) * power_of_two(-row.exponent), row.rstd]
}

struct Affine<'a> {
    spec: &'a NormSpec,
    x: &'a [f32],
    weight: Option<&'a [f32]>,
    bias: Option<&'a [f32]>,
    y: &'a mut [f32],
}

impl Affine<'_> {
    /// The normalized element, times the weight, plus the bias.
    fn write(self, normalized: impl Fn(f32) -> f32 + Copy) {
        let weight = self.weight.unwrap_or_default();
        match (self.spec.weight, self.bias) {
            (Weight::None, None) => {
                for (y, x) in self.y.iter_mut().zip(self.x) {
                    *y = normalized(*x);
                }
            }
            (Weight::None, Some(bias)) => {
                for ((y, x), b) in self.y.iter_mut().zip(self.x).zip(bias) {
                    *y = normalized(*x) + b;
                }
            }
            (Weight::Direct, None) => {
                for ((y, x), w) in self.y.iter_mut().zip(self.x).zip(weight) {
                    *y = normalized(*x) * w;
                }
            }
            (Weight::Direct, Some(bias)) => {
                for (((y, x), w), b) in self.y.iter_mut().zip(self.x).zip(weight).zip(bias) {
                    *y = normalized(*x) * w + b;
                }
            }
            (Weight::OnePlus, None) => {
                for ((y, x), w) in self.y.iter_mut().zip(self.x).zip(weight) {
                    *y = normalized(*x) * (1.0 + w);
                }
            }
            (Weight::OnePlus, Some(bias)) => {
                for (((y, x), w), b) in self.y.iter_mut().zip(self.x).zip(weight).zip(bias) {
                    *y = normalized(*x) * (1.0 + w) + b;
                }
            }
        }
    }
}
