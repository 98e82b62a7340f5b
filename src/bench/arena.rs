//! The data of one shape, and the buffers that hold them.

use super::options::{Residency, Shape};
use crate::error::Result;
use crate::gpu::Context;

/// Seeded input: x standard normal, weight around 1, bias around 0.
pub(super) struct Data {
    pub x: Vec<f32>,
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Data {
    pub(super) fn new(shape: Shape, seed: u64) -> Result<Self> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut normals = |len: u64, centre: f32, deviation: f32| -> Vec<f32> {
            (0..len).map(|_| centre + deviation * normal(&mut random)).collect()
        };
        Ok(Self {
            x: normals(shape.elements()?, 0.0, 1.0),
            weight: normals(shape.dim, 1.0, 0.1),
            bias: normals(shape.dim, 0.0, 0.1),
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
    pub x: Vec<wgpu::Buffer>,
    pub y: Vec<wgpu::Buffer>,
    pub weight: wgpu::Buffer,
    pub bias: wgpu::Buffer,
}

impl Arena {
    pub(super) async fn new(context: &Context, data: &Data, residency: Residency) -> Result<Self> {
        // Whole vec4, so that the copy kernel needs no remainder.
        let padded = (data.x.len() as u64).next_multiple_of(4);
        let pairs = residency.pairs(2 * padded * size_of::<f32>() as u64);
        context
            .checked(|| {
                let storage = |label| (0..pairs).map(|_| context.storage(label, padded)).collect::<Result<Vec<_>>>();
                let (x, y) = (storage("bench x")?, storage("bench y")?);
                for x in &x {
                    context.queue.write_buffer(x, 0, bytemuck::cast_slice(&data.x));
                }
                let weight = context.upload("bench weight", &data.weight)?;
                let bias = context.upload("bench bias", &data.bias)?;
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
