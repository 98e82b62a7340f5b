//! shift and scale of one row, as in `shaders/statistic/`.

use super::order::Order;
use super::range::{all_finite, exponent_of, is_large_enough, is_small_enough, largest_magnitude, power_of_two};
use super::sums::{quad_sum, sum_row};
use crate::spec::{EpsPlace, NormSpec, Scale};

/// The passes after the first: to scale the row, or to start from a better guess at its mean. One is
/// rare, two are rarer.
const LAST_PASS: u32 = 3;

/// With v = x · 2^exponent: y = ((v − shift) − delta) · scale · weight + bias. The mean is shift +
/// delta, kept as two numbers; both are 0 where the statistic has no mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowStatistics {
    pub exponent: i32,
    pub shift: f32,
    pub delta: f32,
    pub scale: f32,
    /// The scale of the row as it is, 1 where it is not re-scaled.
    pub rstd: f32,
}

/// What a pass over the row assumes of it: x is scaled by 2^exponent, and seen from shift.
#[derive(Debug, Clone, Copy)]
struct Frame {
    exponent: i32,
    shift: f32,
}

/// Σd and Σd²; RMSNorm takes no first moment, and its d is x.
#[derive(Debug, Clone, Copy)]
struct Total {
    first: f32,
    second: f32,
}

/// How the statistic of a row is found.
#[derive(Debug)]
pub(super) struct Statistic {
    /// Whether it is a variance, which has a mean.
    centred: bool,
    /// The number of elements it reads.
    len: usize,
    /// Whether the row is scaled at all.
    scales: bool,
    eps: f32,
    eps_place: EpsPlace,
    order: Order,
    partials: Vec<[f32; 2]>,
    partial_squares: Vec<[f32; 1]>,
}

impl Statistic {
    /// For a valid specification and order; `len` is the number of elements the statistic reads.
    pub fn new(spec: &NormSpec, len: usize, order: Order) -> Self {
        let centred = !matches!(spec.scale, Scale::Rms(_));
        let lanes = order.lanes as usize;
        Self {
            centred,
            len,
            scales: spec.scale != Scale::None,
            eps: if spec.scale == Scale::None { 0.0 } else { spec.eps },
            eps_place: spec.eps_place,
            order,
            partials: vec![[0.0; 2]; if centred { lanes } else { 0 }],
            partial_squares: vec![[0.0; 1]; if centred { 0 } else { lanes }],
        }
    }

    /// An ordinary row takes one pass. The pass is repeated where squares left the range of f32 (then
    /// x is scaled by a power of two), and where the guess at the mean was poor. `None` for a row that
    /// holds a NaN or an infinity.
    pub fn of_row(&mut self, row: &[f32]) -> Option<RowStatistics> {
        let (read, unread) = row.split_at(self.len);
        if !all_finite(unread) {
            return None;
        }
        let mut frame = self.seen_at(read, 0);
        let mut total = self.sum_row(read, frame);
        for pass in 0..LAST_PASS {
            if pass == 0 && !self.in_range(total) {
                let largest = largest_magnitude(read);
                if !largest.is_finite() {
                    return None;
                }
                if largest == 0.0 && unread.is_empty() {
                    break;
                }
                let exponent = self.frame_exponent(exponent_of(largest), !unread.is_empty());
                frame = self.seen_at(read, exponent.clamp(-126, 126));
            } else if self.needs_recentring(total) {
                frame.shift += self.mean_of_d(total);
            } else {
                break;
            }
            total = self.sum_row(read, frame);
        }
        let Frame { exponent, shift } = frame;
        let (scale, rstd) = self.scale_of(self.statistic_of(total), exponent);
        Some(RowStatistics { exponent, shift, delta: self.mean_of_d(total), scale, rstd })
    }

    /// The first look at a row scaled by 2^exponent.
    fn seen_at(&self, row: &[f32], exponent: i32) -> Frame {
        let shift = if self.centred { guess_mean(row, power_of_two(exponent)) } else { 0.0 };
        Frame { exponent, shift }
    }

    fn sum_row(&mut self, row: &[f32], frame: Frame) -> Total {
        let Frame { exponent, shift } = frame;
        let power = power_of_two(exponent);
        let plain = exponent == 0;
        if self.centred {
            let partials = &mut self.partials;
            let [first, second] = if plain {
                sum_row(row, &self.order, partials, |x| {
                    let d = x - shift;
                    [d, d * d]
                })
            } else {
                sum_row(row, &self.order, partials, |x| {
                    let d = x * power - shift;
                    [d, d * d]
                })
            };
            Total { first, second }
        } else {
            let partials = &mut self.partial_squares;
            let [second] = if plain {
                sum_row(row, &self.order, partials, |x| [x * x])
            } else {
                sum_row(row, &self.order, partials, |x| {
                    let v = x * power;
                    [v * v]
                })
            };
            Total { first: 0.0, second }
        }
    }

    fn mean_of_d(&self, total: Total) -> f32 {
        total.first / self.len as f32
    }

    /// The population variance, in the frame: mean d² − (mean d)²; mean x² where there is no mean.
    fn statistic_of(&self, total: Total) -> f32 {
        let c = self.mean_of_d(total);
        (total.second / self.len as f32 - c * c).max(0.0)
    }

    /// Whether no square overflowed, and nothing that counts vanished: no square, and no difference from shift,
    /// whatever ε is.
    fn in_range(&self, total: Total) -> bool {
        let largest = total.second / self.len as f32;
        let smallest = self.smallest_square(self.statistic_of(total));
        let keeps_differences = !self.centred || is_large_enough(largest);
        is_small_enough(largest) && is_small_enough(smallest) && is_large_enough(smallest) && keeps_differences
    }

    /// Whether the guess at the mean costs more than one bit of the variance.
    fn needs_recentring(&self, total: Total) -> bool {
        let c = self.mean_of_d(total);
        c * c > 0.5 * (total.second / self.len as f32)
    }

    /// The power of two that brings a row into range, its largest element being at 2ᵉ: that or ε to 2⁸; but a row
    /// with a mean no lower than 2⁻⁵². What the statistic does not read may be larger.
    fn frame_exponent(&self, e: i32, is_part: bool) -> i32 {
        let eps = exponent_of(self.eps_magnitude());
        if self.centred {
            return 8 - e.max(eps.min(e + 60));
        }
        let leading = e.max(eps);
        if is_part && leading < 8 { -8 - leading } else { 8 - leading }
    }

    /// The magnitude of x that ε is compared with.
    fn eps_magnitude(&self) -> f32 {
        match self.eps_place {
            EpsPlace::Inside => self.eps.sqrt(),
            EpsPlace::Outside => self.eps,
        }
    }

    /// ε for a row scaled by 2^exponent: it scales as the square of x does, or as x does.
    fn eps_in_frame(&self, exponent: i32) -> f32 {
        let power = power_of_two(exponent);
        match self.eps_place {
            EpsPlace::Inside => (self.eps * power) * power,
            EpsPlace::Outside => self.eps * power,
        }
    }

    /// What decides whether squares of the row are in range.
    fn smallest_square(&self, statistic: f32) -> f32 {
        match self.eps_place {
            EpsPlace::Inside => statistic + self.eps,
            EpsPlace::Outside => statistic.max(self.eps * self.eps),
        }
    }

    /// The scale in the frame, and for the row as it is.
    fn scale_of(&self, statistic: f32, exponent: i32) -> (f32, f32) {
        if !self.scales {
            return (1.0, 1.0);
        }
        // Where all squares are 0 (a constant row) or ε has left the frame, ε alone counts.
        let eps = self.eps_in_frame(exponent);
        if statistic == 0.0 || !is_small_enough(eps) {
            let rstd = self.reciprocal(0.0, self.eps);
            return (rstd * power_of_two(-exponent), rstd);
        }
        let scale = self.reciprocal(statistic, eps);
        (scale, scale * power_of_two(exponent))
    }

    /// 1/√(statistic + ε) or 1/(√statistic + ε), and 0 instead of infinity.
    fn reciprocal(&self, statistic: f32, eps: f32) -> f32 {
        let v = match self.eps_place {
            EpsPlace::Inside => (statistic + eps).sqrt(),
            EpsPlace::Outside => statistic.sqrt() + eps,
        };
        if v == 0.0 { 0.0 } else { 1.0 / v }
    }
}

/// The pairwise mean of the first 16 elements, exact where they are equal; the first element where
/// there are fewer.
fn guess_mean(row: &[f32], power: f32) -> f32 {
    let Some(first) = row.first_chunk::<16>() else { return row.first().map_or(0.0, |x| x * power) };
    let v = first.map(|x| x * power);
    quad_sum(std::array::from_fn(|i| (v[i] + v[i + 4]) + (v[i + 8] + v[i + 12]))) * 0.0625
}
