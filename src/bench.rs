//! The benchmark: one protocol for the command line and the page.
//!
//! 1. **Correct first.** Every entrant's result is compared with float64 ([`crate::reference`],
//!    [`crate::tolerance`]); one that fails gets its error and no time. Compiling is timed apart.
//! 2. **A clock that is known.** Timestamps where the device has them, else the wall clock, labelled.
//!    The clock's quantum is measured, never assumed.
//! 3. **Spans, not dispatches.** K dispatches go into one pass, so that a span lasts at least
//!    100 quanta and 5 ms, and at most 50 ms or one dispatch. An entrant over 250 ms is timed in three
//!    spans and marked. K halves when the device is lost.
//! 4. **Memory, not cache.** Dispatches take turns on several pairs of buffers ([`Residency`]).
//! 5. **Interleaved.** Each round times one span of every entrant, in a seeded order. A plain copy
//!    kernel is always one of them: the ceiling, under the same clock and at the same moment.
//!
//! What an entrant moves is what it must: forward reads x and writes y once, 2·rows·dim elements.

mod arena;
mod check;
mod clock;
mod contest;
mod copy;
mod entrant;
mod options;
mod report;
mod spans;
mod statistics;

pub use clock::Clock;
pub use options::{BenchOptions, Dtype, Entrant, Pass, Residency, Shape, Work};
pub use report::{BenchReport, Measurement, Mismatch, Outcome, Progress, Stage, Timing};
pub use spans::{Calibration, TimedSpan, lengthened, slow_rounds};

use std::ops::ControlFlow;

use crate::error::Result;
use crate::gpu::ContextOptions;

/// Runs the benchmark on a device of its own. `progress` is told of every step and may stop the run
/// with [`ControlFlow::Break`]; what has been measured by then is reported.
///
/// An entrant that fails does not end the run: its error is its result. `Err` is returned for bad
/// options and where no device can be had.
pub async fn run(
    device: &ContextOptions,
    options: &BenchOptions,
    progress: &mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>,
) -> Result<BenchReport> {
    options.validate()?;
    let entrants = options.with_copy();
    let mut bench = contest::Bench::open(device, options, &entrants, progress).await?;
    let mut measurements = Vec::new();
    for shape in &options.shapes {
        measurements.extend(bench.contest(*shape).await?);
        if bench.stopped() {
            break;
        }
    }
    Ok(bench.report(measurements))
}
