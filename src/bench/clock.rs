//! The clock and its quantum.

use crate::error::Result;
use crate::gpu::{Context, SpanTimer, TimerKind, now_ns};

/// Stamps to look at before the quantum is believed.
const STAMPS: usize = 64;
/// Passes to try before a clock counts as standing still.
const MOST_PASSES: usize = 256;

/// What times were measured with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// The device's timestamps or the host's clock.
    pub kind: TimerKind,
    /// The smallest step of it, measured: the greatest common divisor of differences between raw
    /// stamps, or the smallest step the host's clock was seen to make.
    pub quantum_ns: f64,
}

impl Clock {
    /// The host's clock; its quantum is measured here, which takes a coarse one up to 200 ms.
    pub fn wall() -> Self {
        Self { kind: TimerKind::WallClock, quantum_ns: wall_quantum(now_ns) }
    }

    /// Measures the quantum; `work` is something short for the device to do between two stamps.
    pub(super) async fn measure(
        context: &Context,
        timer: &SpanTimer,
        work: impl Fn(&mut wgpu::ComputePass<'_>),
    ) -> Result<Self> {
        if timer.kind() == TimerKind::WallClock {
            return Ok(Self::wall());
        }
        let mut stamps = Vec::new();
        for _ in 0..MOST_PASSES {
            let span = timer.span(context, &work).await?;
            stamps.extend(span.stamps.into_iter().flatten());
            if stamps.len() >= STAMPS && divisor(&stamps) > 0 {
                break;
            }
        }
        Ok(Self { kind: timer.kind(), quantum_ns: divisor(&stamps).max(1) as f64 * timer.period_ns() })
    }
}

/// The greatest common divisor of all differences; 0 where all stamps are equal.
fn divisor(stamps: &[u64]) -> u64 {
    let first = stamps.first().copied().unwrap_or_default();
    stamps.iter().fold(0, |divisor, stamp| gcd(divisor, stamp.abs_diff(first)))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The smallest step a clock makes, seen over many readings: of a coarse clock 64 steps, of a fine
/// one fewer than it would take to notice.
fn wall_quantum(mut now: impl FnMut() -> f64) -> f64 {
    const MOST_NS: f64 = 200e6;
    const MOST_READINGS: usize = 10_000_000;
    let start = now();
    let (mut last, mut smallest, mut steps) = (start, f64::INFINITY, 0);
    for _ in 0..MOST_READINGS {
        let reading = now();
        if reading > last {
            smallest = smallest.min(reading - last);
            steps += 1;
        }
        last = reading;
        if steps >= STAMPS || reading - start > MOST_NS {
            break;
        }
    }
    if smallest.is_finite() { smallest } else { MOST_NS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divisor_of_stamps_is_their_quantum() {
        assert_eq!(divisor(&[65_536 * 7, 65_536 * 10, 65_536 * 3]), 65_536);
        assert_eq!(divisor(&[1000 + 80, 1000, 1000 + 200]), 40);
        assert_eq!(divisor(&[5, 5, 5]), 0);
        assert_eq!(divisor(&[]), 0);
        assert_eq!(divisor(&[u64::MAX, 0]), u64::MAX);
    }

    #[test]
    fn a_coarse_host_clock_shows_its_step() {
        let mut readings = 0.0;
        let coarse = || {
            readings += 1e3;
            (readings / 1e5_f64).floor() * 1e5
        };
        assert_eq!(wall_quantum(coarse), 1e5);
        assert_eq!(wall_quantum(|| 7.0), 200e6);
    }
}
