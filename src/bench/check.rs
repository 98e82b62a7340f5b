//! Correctness before time: the result against float64.

use super::arena::{Arena, Data};
use super::entrant::Ready;
use super::options::{Entrant, Shape, Work};
use super::report::Mismatch;
use crate::error::Result;
use crate::gpu::{Context, read_f32};
use crate::reference::{self, Forward};
use crate::spec::NormSpec;
use crate::tolerance;

/// What an entrant's result must be.
#[derive(Debug, PartialEq)]
pub(super) enum Truth {
    /// y = x, bit for bit.
    Same,
    /// The float64 result.
    Norm(NormSpec, Forward),
}

impl Truth {
    pub(super) fn new(entrant: &Entrant, shape: Shape, data: &Data) -> Result<Self> {
        let Work::Norm(spec) = entrant.work else { return Ok(Truth::Same) };
        let weight = spec.has_weight().then_some(&data.weight[..]);
        let bias = spec.bias.then_some(&data.bias[..]);
        Ok(Truth::Norm(spec, reference::forward(&spec, shape.dim, &data.x, weight, bias)?))
    }

    /// Whether this is the truth of that entrant, so that it need not be computed again.
    pub(super) fn serves(&self, entrant: &Entrant) -> bool {
        match (self, entrant.work) {
            (Truth::Same, Work::Copy) => true,
            (Truth::Norm(spec, _), Work::Norm(wanted)) => *spec == wanted,
            _ => false,
        }
    }

    /// The largest |y − truth|, and the first element that is off by more than its tolerance.
    pub(super) fn compare(&self, shape: Shape, x: &[f32], y: &[f32]) -> (f64, Option<Mismatch>) {
        let mut largest: f64 = 0.0;
        let mut first = None;
        for (index, (x, y)) in x.iter().zip(y).enumerate() {
            let row = index / shape.dim as usize;
            let (truth, tolerance, good) = match self {
                Truth::Same => (f64::from(*x), 0.0, x.to_bits() == y.to_bits()),
                Truth::Norm(_, forward) => {
                    let tolerance = tolerance::forward(&forward.rows[row]);
                    let truth = forward.y[index];
                    (truth, tolerance, tolerance::within(*y, truth, tolerance))
                }
            };
            let error = (f64::from(*y) - truth).abs();
            largest = if error.is_nan() { f64::INFINITY } else { largest.max(error) };
            if !good && first.is_none() {
                let column = index as u64 % shape.dim;
                first = Some(Mismatch { row: row as u64, column, actual: *y, truth, tolerance });
            }
        }
        (largest, first)
    }
}

/// Runs once on the first pair, whose y is filled with NaN, and compares all of y.
pub(super) async fn check(
    context: &Context,
    ready: &Ready,
    truth: &Truth,
    shape: Shape,
    data: &Data,
    arena: &Arena,
) -> Result<(f64, Option<Mismatch>)> {
    let y = &arena.y[0];
    context
        .checked(|| {
            let poison = vec![f32::NAN; (y.size() / 4) as usize];
            context.queue.write_buffer(y, 0, bytemuck::cast_slice(&poison));
            let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            ready.encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), 0);
            context.queue.submit([encoder.finish()]);
            Ok(())
        })
        .await?;
    let y = read_f32(context, y, 0, data.x.len() as u64).await?;
    Ok(truth.compare(shape, &data.x, &y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting() -> (Shape, Data, Truth, Vec<f32>) {
        let shape = Shape { rows: 3, dim: 5 };
        let data = Data::new(shape, 7).unwrap();
        let truth = Truth::new(&Entrant::norm("layer", NormSpec::layer(1e-5)), shape, &data).unwrap();
        let Truth::Norm(_, forward) = &truth else { unreachable!() };
        let y = forward.y.iter().map(|y| *y as f32).collect();
        (shape, data, truth, y)
    }

    #[test]
    fn the_rounded_truth_passes() {
        let (shape, data, truth, y) = setting();
        let (error, mismatch) = truth.compare(shape, &data.x, &y);
        assert!(mismatch.is_none() && error > 0.0 && error < 1e-6);
    }

    #[test]
    fn one_wrong_element_and_one_nan_are_found() {
        let (shape, data, truth, mut y) = setting();
        y[7] += 1e-4;
        let (error, mismatch) = truth.compare(shape, &data.x, &y);
        let mismatch = mismatch.unwrap();
        assert_eq!((mismatch.row, mismatch.column), (1, 2));
        assert!(error > 9e-5);
        y[2] = f32::NAN;
        let (error, mismatch) = truth.compare(shape, &data.x, &y);
        assert_eq!((error, mismatch.unwrap().column), (f64::INFINITY, 2));
    }

    #[test]
    fn a_copy_must_be_exact() {
        let (shape, data, ..) = setting();
        assert_eq!(Truth::Same.compare(shape, &data.x, &data.x), (0.0, None));
        let mut y = data.x.clone();
        y[0] = f32::from_bits(y[0].to_bits() ^ 1);
        assert!(Truth::Same.compare(shape, &data.x, &y).1.is_some());
    }
}
