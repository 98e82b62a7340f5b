//! Correctness before time: the result against float64.

use super::arena::{Arena, Data};
use super::entrant::Ready;
use super::options::{Entrant, Shape, Work};
use super::report::Mismatch;
use crate::error::Result;
use crate::gpu::{Context, read_f32};
use crate::spec::NormSpec;
use crate::{reference, tolerance};

/// How far a result is off.
#[derive(Debug, Default)]
struct Deviation {
    /// The largest |y − truth|.
    largest: f64,
    /// The first element that is off by more than its tolerance.
    first: Option<Mismatch>,
}

impl Deviation {
    fn add(&mut self, good: bool, found: Mismatch) {
        let error = (f64::from(found.actual) - found.truth).abs();
        self.largest = if error.is_nan() { f64::INFINITY } else { self.largest.max(error) };
        if !good && self.first.is_none() {
            self.first = Some(found);
        }
    }
}

/// Compares row by row: the float64 result of all rows would take twice the memory of x.
fn compare(entrant: &Entrant, shape: Shape, data: &Data, y: &[f32]) -> Result<(f64, Option<Mismatch>)> {
    let mut deviation = Deviation::default();
    let dim = shape.dim as usize;
    for (row, (x, y)) in (0..).zip(data.x.chunks(dim).zip(y.chunks(dim))) {
        match entrant.work {
            Work::Copy => compare_copy(&mut deviation, row, x, y),
            Work::Norm(spec) => compare_norm(&mut deviation, &spec, data, row, x, y)?,
        }
    }
    Ok((deviation.largest, deviation.first))
}

/// y = x, bit for bit.
fn compare_copy(deviation: &mut Deviation, row: u64, x: &[f32], y: &[f32]) {
    for (column, (x, y)) in (0..).zip(x.iter().zip(y)) {
        let found = Mismatch { row, column, actual: *y, truth: f64::from(*x), tolerance: 0.0 };
        deviation.add(x.to_bits() == y.to_bits(), found);
    }
}

/// The float64 result, within the tolerance of the row.
fn compare_norm(deviation: &mut Deviation, spec: &NormSpec, data: &Data, row: u64, x: &[f32], y: &[f32]) -> Result<()> {
    let weight = spec.has_weight().then_some(&data.weight[..]);
    let bias = spec.bias.then_some(&data.bias[..]);
    let truth = reference::forward(spec, x.len() as u64, x, weight, bias)?;
    for truth_row in &truth.rows {
        let tolerance = tolerance::forward(truth_row);
        for (column, (truth, y)) in (0..).zip(truth.y.iter().zip(y)) {
            let found = Mismatch { row, column, actual: *y, truth: *truth, tolerance };
            deviation.add(tolerance::within(*y, *truth, tolerance), found);
        }
    }
    Ok(())
}

/// Words of NaN that are written at once.
const POISON: [f32; 4096] = [f32::NAN; 4096];

/// Runs once on the first pair, whose y is filled with NaN, and compares all of y: the largest
/// |y − truth|, and the first element that is off by more than its tolerance.
pub(super) async fn check(
    context: &Context,
    ready: &Ready,
    entrant: &Entrant,
    shape: Shape,
    data: &Data,
    arena: &Arena,
) -> Result<(f64, Option<Mismatch>)> {
    let y = &arena.y[0];
    context
        .checked(|| {
            let poison = bytemuck::cast_slice(&POISON);
            for offset in (0..y.size()).step_by(poison.len()) {
                let size = (y.size() - offset).min(poison.len() as u64);
                context.queue.write_buffer(y, offset, &poison[..size as usize]);
            }
            let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            ready.encode(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), 0);
            context.queue.submit([encoder.finish()]);
            Ok(())
        })
        .await?;
    let y = read_f32(context, y, 0, data.x.len() as u64).await?;
    compare(entrant, shape, data, &y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting() -> (Entrant, Shape, Data, Vec<f32>) {
        let shape = Shape { rows: 3, dim: 5 };
        let data = Data::new(shape, 7).unwrap();
        let spec = NormSpec::layer(1e-5);
        let truth = reference::forward(&spec, shape.dim, &data.x, Some(&data.weight), Some(&data.bias)).unwrap();
        let y = truth.y.iter().map(|y| *y as f32).collect();
        (Entrant::norm("layer", spec), shape, data, y)
    }

    #[test]
    fn the_rounded_truth_passes() {
        let (entrant, shape, data, y) = setting();
        let (error, mismatch) = compare(&entrant, shape, &data, &y).unwrap();
        assert!(mismatch.is_none() && error > 0.0 && error < 1e-6);
    }

    #[test]
    fn one_wrong_element_and_one_nan_are_found() {
        let (entrant, shape, data, mut y) = setting();
        y[7] += 1e-4;
        let (error, mismatch) = compare(&entrant, shape, &data, &y).unwrap();
        let mismatch = mismatch.unwrap();
        assert_eq!((mismatch.row, mismatch.column), (1, 2));
        assert!(error > 9e-5);
        y[2] = f32::NAN;
        let (error, mismatch) = compare(&entrant, shape, &data, &y).unwrap();
        assert_eq!((error, mismatch.unwrap().column), (f64::INFINITY, 2));
    }

    #[test]
    fn a_copy_must_be_exact() {
        let (_, shape, data, _) = setting();
        assert_eq!(compare(&Entrant::copy(), shape, &data, &data.x), Ok((0.0, None)));
        let mut y = data.x.clone();
        y[0] = f32::from_bits(y[0].to_bits() ^ 1);
        assert!(matches!(compare(&Entrant::copy(), shape, &data, &y), Ok((_, Some(_)))));
    }
}
