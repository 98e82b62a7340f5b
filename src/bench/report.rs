//! What a benchmark found, as plain data.

use super::clock::Clock;
use super::options::{Entrant, Residency, Shape, Work};
use super::spans::TimedSpan;
use super::statistics::{drift, median, quantile};
use crate::error::Error;
use crate::gpu::AdapterReport;
use crate::spec::Strategy;

/// All of it.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchReport {
    /// The adapter it ran on.
    pub adapter: AdapterReport,
    /// The clock.
    pub clock: Clock,
    /// Whether data came from memory or caches.
    pub residency: Residency,
    /// The seed of data and order.
    pub seed: u64,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
    /// One for each shape and entrant, shapes in the order asked for, the copy first.
    pub measurements: Vec<Measurement>,
}

/// One entrant on one shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The entrant.
    pub entrant: Entrant,
    /// The shape.
    pub shape: Shape,
    /// The strategy that ran; none for the copy and where planning failed.
    pub strategy: Option<Strategy>,
    /// The whole program text; empty where planning failed.
    pub wgsl: String,
    /// Time to compile, in nanoseconds.
    pub compile_ns: f64,
    /// The largest |y − y in float64|; infinite where an element is NaN, `None` where nothing ran.
    pub max_error: Option<f64>,
    /// Pairs of buffers that dispatches took turns on.
    pub pairs: usize,
    /// Time, or why there is none.
    pub outcome: Outcome,
}

/// How an entrant fared.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is correct and took this long.
    Timed(Timing),
    /// It computed something else.
    Wrong(Mismatch),
    /// It could not run.
    Failed(Error),
    /// The run was stopped before it had been timed.
    Stopped,
}

/// The first element beyond its tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mismatch {
    /// Its row.
    pub row: u64,
    /// Its index in the row.
    pub column: u64,
    /// What was computed.
    pub actual: f32,
    /// What float64 says.
    pub truth: f64,
    /// How far the two may differ.
    pub tolerance: f64,
}

/// How long one dispatch took. All times are nanoseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// Median over the spans.
    pub median_ns: f64,
    /// 10th percentile.
    pub p10_ns: f64,
    /// 90th percentile.
    pub p90_ns: f64,
    /// Median of the last third of the spans over the median of the first third, less 1.
    pub drift: f64,
    /// The same median by the host's clock, submission and waiting included: a cross-check.
    pub wall_median_ns: f64,
    /// The spans that count, in the order measured.
    pub spans: Vec<TimedSpan>,
    /// Dispatches in a span (K).
    pub dispatches: u64,
    /// Spans dropped because the clock stood still or ran backwards.
    pub dropped: usize,
    /// Whether one dispatch takes over 250 ms, so that only three spans were timed.
    pub slow: bool,
    /// The clock's quantum over the median span: how far off a span may be by reading the clock.
    pub clock_error: f64,
}

impl Timing {
    /// Sums up spans of `dispatches` each, under a clock of this quantum; `None` of nothing.
    pub fn new(spans: Vec<TimedSpan>, dispatches: u64, dropped: usize, quantum_ns: f64) -> Option<Self> {
        if spans.is_empty() {
            return None;
        }
        let ns: Vec<f64> = spans.iter().map(|span| span.ns).collect();
        let walls_ns: Vec<f64> = spans.iter().map(|span| span.wall_ns).collect();
        let median_ns = median(&ns);
        Some(Self {
            median_ns,
            p10_ns: quantile(&ns, 0.1),
            p90_ns: quantile(&ns, 0.9),
            drift: drift(&ns),
            wall_median_ns: median(&walls_ns),
            dispatches,
            dropped,
            slow: false,
            clock_error: quantum_ns / (median_ns * dispatches as f64),
            spans,
        })
    }
}

impl Measurement {
    /// The time, where there is one.
    pub fn timing(&self) -> Option<&Timing> {
        match &self.outcome {
            Outcome::Timed(timing) => Some(timing),
            _ => None,
        }
    }

    /// The bytes one dispatch must move.
    pub fn bytes(&self) -> u64 {
        self.entrant.bytes(self.shape)
    }

    /// Gigabytes (10⁹) a second at the median.
    pub fn gb_per_s(&self) -> Option<f64> {
        self.timing().map(|timing| self.bytes() as f64 / timing.median_ns)
    }
}

impl BenchReport {
    /// The copy's median over this median, at equal bytes: 1 is as fast as a copy.
    pub fn of_copy(&self, measurement: &Measurement) -> Option<f64> {
        let copy = self.measurements.iter().find(|m| m.entrant.work == Work::Copy && m.shape == measurement.shape)?;
        Some(measurement.gb_per_s()? / copy.gb_per_s()?)
    }
}

/// What the benchmark is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'a> {
    /// The shape.
    pub shape: Shape,
    /// The entrant.
    pub entrant: &'a Entrant,
    /// What is done with it.
    pub stage: Stage,
    /// Steps done of `total`, all shapes together.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// A stage of an entrant's contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Compiling, and comparing its result with float64.
    Check,
    /// Finding how many dispatches make a span.
    Calibrate,
    /// Timing a span.
    Time,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timing_sums_up_its_spans() {
        let spans = [1e6, 3e6, 2e6].into_iter().enumerate();
        let spans = spans.map(|(round, ns)| TimedSpan { round, ns, wall_ns: ns + 1e6 }).collect();
        let timing = Timing::new(spans, 10, 1, 1e5).unwrap();
        assert_eq!((timing.median_ns, timing.wall_median_ns), (2e6, 3e6));
        assert_eq!((timing.dispatches, timing.dropped), (10, 1));
        assert!((timing.clock_error - 0.005).abs() < 1e-12);
        assert!(Timing::new(Vec::new(), 1, 21, 1.0).is_none());
    }
}
