//! The benchmark where there is no GPU: the library's f32 arithmetic on the CPU, by the host's clock.

use rownorm::reference::{self, Forward};
use rownorm::twin::{self, Order};
use rownorm::{Input, NormSpec, Request, Result, tolerance};

/// What an entrant computes: `None` is the copy.
type Work = Option<NormSpec>;

/// A copy, LayerNorm with weight and bias and RMSNorm with weight, on the same data.
#[derive(Debug)]
pub struct Contest {
    dim: u64,
    x: Vec<f32>,
    y: Vec<f32>,
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Contest {
    /// The entrants, by the names that reports use.
    pub const ENTRANTS: [(&'static str, Work); 3] =
        [("copy", None), ("layer", Some(NormSpec::layer(1e-5))), ("rms", Some(NormSpec::rms(1e-5)))];

    /// Data of `rows` × `dim` seeded values.
    pub fn new(rows: u64, dim: u64, seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut values = |len: u64, low: f32, high: f32| -> Vec<f32> {
            (0..len).map(|_| low + (high - low) * random.f32()).collect()
        };
        let x = values(rows * dim, -2.0, 3.0);
        Self { dim, y: vec![0.0; x.len()], weight: values(dim, 0.5, 1.5), bias: values(dim, -0.5, 0.5), x }
    }

    /// Runs an entrant once.
    pub fn run(&mut self, work: Work) -> Result<()> {
        let Some(spec) = work else {
            self.y.copy_from_slice(&self.x);
            return Ok(());
        };
        let input = Input {
            x: &self.x,
            weight: spec.has_weight().then_some(&self.weight[..]),
            bias: spec.bias.then_some(&self.bias[..]),
        };
        twin::forward_into(&Request::forward(spec, self.dim), &Order::for_dim(self.dim), &input, &mut self.y, None)
    }

    /// Runs an entrant and compares all of its result with float64: the largest error, and whether
    /// every element is within the documented bound.
    pub fn check(&mut self, work: Work) -> Result<(f64, bool)> {
        self.y.fill(f32::NAN);
        self.run(work)?;
        let Some(spec) = work else {
            let same = self.x.iter().zip(&self.y).all(|(x, y)| x.to_bits() == y.to_bits());
            return Ok((0.0, same));
        };
        let weight = spec.has_weight().then_some(&self.weight[..]);
        let bias = spec.bias.then_some(&self.bias[..]);
        let dim = self.dim as usize;
        let (mut largest, mut good) = (0.0_f64, true);
        // Row by row: the float64 result of all rows would take twice the memory of x.
        for (x, y) in self.x.chunks_exact(dim).zip(self.y.chunks_exact(dim)) {
            let Forward { y: truth, rows } = reference::forward(&spec, self.dim, x, weight, bias)?;
            let bound = tolerance::forward(&rows[0]);
            for (y, truth) in y.iter().zip(truth) {
                let error = (f64::from(*y) - truth).abs();
                largest = if error.is_nan() { f64::INFINITY } else { largest.max(error) };
                good &= tolerance::within(*y, truth, bound);
            }
        }
        Ok((largest, good))
    }

    /// Bytes that one run must move.
    pub fn bytes(&self) -> f64 {
        8.0 * self.x.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entrant_is_right() {
        let mut contest = Contest::new(3, 100, 1);
        for (name, work) in Contest::ENTRANTS {
            let (error, good) = contest.check(work).unwrap();
            assert!(good && error < 1e-5, "{name}: {error}");
        }
    }

    #[test]
    fn data_follow_from_the_seed() {
        assert_eq!(Contest::new(2, 8, 5).x, Contest::new(2, 8, 5).x);
        assert_ne!(Contest::new(2, 8, 5).x, Contest::new(2, 8, 6).x);
    }
}
