//! The data of one shape, and the buffers that hold them.

use super::options::{Residency, Shape};
use crate::caps::Limits;
use crate::error::{Error, Result};
use crate::gpu::{Context, Temporary};
use crate::memory;

/// Seeded input: x standard normal, weight around 1, bias around 0.
pub(super) struct Data {
    pub x: Vec<f32>,
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Data {
    pub(super) fn new(shape: Shape, seed: u64) -> Result<Self> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut normals = |len: u64, centre: f32, deviation: f32| -> Result<Vec<f32>> {
            let mut values = memory::reserve(len)?;
            values.extend((0..len).map(|_| centre + deviation * normal(&mut random)));
            Ok(values)
        };
        Ok(Self {
            x: normals(shape.elements()?, 0.0, 1.0)?,
            weight: normals(shape.dim, 1.0, 0.1)?,
            bias: normals(shape.dim, 0.0, 0.1)?,
        })
    }
}

/// Box and Muller.
fn normal(random: &mut fastrand::Rng) -> f32 {
    let radius = (-2.0 * (1.0 - random.f32()).ln()).sqrt();
    radius * (std::f32::consts::TAU * random.f32()).cos()
}

/// Buffers on a device: several pairs of x and y with the same contents, one weight, one bias.
pub(super) struct Arena {
    pub x: Vec<Temporary>,
    pub y: Vec<Temporary>,
    pub weight: Temporary,
    pub bias: Temporary,
}

/// Elements of a buffer for x: whole vec4, so that the copy kernel needs no remainder.
fn padded(elements: u64) -> u64 {
    elements.next_multiple_of(4)
}

impl Arena {
    /// Whether the device can have such buffers at all; to be asked before there are data.
    pub(super) fn admits(limits: &Limits, shape: Shape) -> Result<()> {
        let (needed, limit) = (padded(shape.elements()?) * size_of::<f32>() as u64, limits.max_buffer_size);
        if needed <= limit {
            return Ok(());
        }
        Err(Error::Limit { what: "the size of x in bytes", needed, limit_name: "maxBufferSize", limit })
    }

    pub(super) async fn new(context: &Context, data: &Data, residency: Residency) -> Result<Self> {
        let padded = padded(data.x.len() as u64);
        let pairs = residency.pairs(2 * padded * size_of::<f32>() as u64);
        context
            .checked(|| {
                let storage = |label| -> Result<Vec<Temporary>> {
                    (0..pairs).map(|_| Ok(context.storage(label, padded)?.into())).collect()
                };
                let (x, y) = (storage("bench x")?, storage("bench y")?);
                for x in &x {
                    context.queue.write_buffer(x, 0, bytemuck::cast_slice(&data.x));
                }
                let weight = context.upload("bench weight", &data.weight)?.into();
                let bias = context.upload("bench bias", &data.bias)?.into();
                Ok(Self { x, y, weight, bias })
            })
            .await
    }

    pub(super) fn pairs(&self) -> usize {
        self.x.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_buffer_beyond_the_device() {
        let limits = Limits { max_buffer_size: 64, ..Limits::default() };
        let admits = |rows, dim| Arena::admits(&limits, Shape { rows, dim });
        assert_eq!((admits(1, 13), admits(4, 4)), (Ok(()), Ok(())));
        let (what, limit_name) = ("the size of x in bytes", "maxBufferSize");
        assert_eq!(admits(1, 17), Err(Error::Limit { what, needed: 80, limit_name, limit: 64 }));
        assert_eq!(admits(u64::MAX / 8, 8), Err(Error::Overflow { what: "rows·dim" }));
    }

    #[test]
    fn data_are_seeded_finite_and_standard() {
        let shape = Shape { rows: 100, dim: 100 };
        let [a, b, c] = [1, 1, 2].map(|seed| Data::new(shape, seed).unwrap());
        assert!(a.x == b.x && a.x != c.x);
        assert!(a.x.iter().all(|v| v.is_finite()));
        let mean = a.x.iter().sum::<f32>() / 1e4;
        let square = a.x.iter().map(|v| v * v).sum::<f32>() / 1e4;
        assert!(mean.abs() < 0.05 && (square - 1.0).abs() < 0.05, "{mean} {square}");
        assert_eq!((a.weight.len(), a.bias.len()), (100, 100));
    }
}
