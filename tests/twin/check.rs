//! The twin against float64, within the documented tolerance.

use rownorm::spec::Shift;
use rownorm::twin::{self, Order};
use rownorm::{Input, NormSpec, Request, reference, tolerance};

/// A specification with weight and bias of some length.
pub struct Case {
    pub spec: NormSpec,
    pub dim: usize,
    pub weight: Option<Vec<f32>>,
    pub bias: Option<Vec<f32>>,
}

impl Case {
    pub fn new(spec: NormSpec, dim: usize, numbers: &mut crate::data::Numbers) -> Self {
        let weight = spec.has_weight().then(|| numbers.normals(dim, 0.5, 0.5));
        let bias = spec.bias.then(|| numbers.normals(dim, 0.0, 0.5));
        Self { spec, dim, weight, bias }
    }

    pub fn input<'a>(&'a self, x: &'a [f32]) -> Input<'a> {
        Input { x, weight: self.weight.as_deref(), bias: self.bias.as_deref() }
    }

    pub fn request(&self) -> Request {
        Request::forward(self.spec, self.dim as u64).saving_stats()
    }

    /// y and stats of the twin over poisoned outputs.
    pub fn run(&self, order: &Order, x: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let (mut y, mut stats) = (vec![f32::NAN; x.len()], vec![f32::NAN; x.len() / self.dim * 2]);
        twin::forward_into(&self.request(), order, &self.input(x), &mut y, Some(&mut stats)).unwrap();
        (y, stats)
    }

    /// The largest error in units of the tolerance, or what lies outside.
    pub fn check(&self, order: &Order, x: &[f32]) -> Result<f64, String> {
        let (y, stats) = self.run(order, x);
        self.compare(x, &y, &stats)
    }

    /// The element before weight and bias, which must fit f32 whatever the weight.
    fn normalized(&self, x: f32, row: &reference::Row) -> f64 {
        let shift = if self.spec.shift == Shift::Mean { row.mean } else { 0.0 };
        (f64::from(x) - shift) * row.rstd
    }

    pub fn compare(&self, x: &[f32], y: &[f32], stats: &[f32]) -> Result<f64, String> {
        let input = self.input(x);
        let truth = reference::forward(&self.spec, self.dim as u64, x, input.weight, input.bias).unwrap();
        let mut worst: f64 = 0.0;
        for (index, row) in truth.rows.iter().enumerate() {
            let allowed = tolerance::forward(row);
            let range = index * self.dim..(index + 1) * self.dim;
            for (i, (actual, truth)) in y[range.clone()].iter().zip(&truth.y[range.clone()]).enumerate() {
                if actual.is_infinite() && self.normalized(x[range.start + i], row).abs() > f64::from(f32::MAX) {
                    continue;
                }
                if !tolerance::within(*actual, *truth, allowed) {
                    return Err(format!(
                        "row {index}, element {i}: {actual:e}, truth {truth:e}, tolerance {allowed:e}"
                    ));
                }
                if actual.is_finite() {
                    worst = worst.max((f64::from(*actual) - truth).abs() / allowed);
                }
            }
            // What is promised of saved statistics.
            if row.rms < (-100_f64).exp2() || row.rms > 100_f64.exp2() {
                continue;
            }
            let saved = [
                ("mean", stats[2 * index], row.mean, tolerance::saved_mean(row)),
                ("rstd", stats[2 * index + 1], row.rstd, tolerance::saved_rstd(row)),
            ];
            for (name, actual, truth, allowed) in saved {
                if !tolerance::within(actual, truth, allowed) {
                    return Err(format!("row {index}, {name}: {actual:e}, truth {truth:e}, tolerance {allowed:e}"));
                }
            }
        }
        Ok(worst)
    }
}
