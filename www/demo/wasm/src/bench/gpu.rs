//! On the GPU: `rownorm::bench`, the protocol of the command line.

use std::ops::ControlFlow;

use js_sys::Function;
use rownorm::bench::{self, BenchOptions, Measurement, Outcome, Shape, Stage};
use rownorm::gpu::ContextOptions;
use wasm_bindgen::JsValue;

use super::report::{Entry, Report};

pub async fn run(rows: u32, dim: u32, spans: u32, tell: &Function) -> Result<JsValue, JsValue> {
    let options = BenchOptions {
        shapes: vec![Shape { rows: rows.into(), dim: dim.into() }],
        spans: spans as usize,
        ..BenchOptions::default()
    };
    let mut progress = |progress: &bench::Progress<'_>| {
        let stage = match progress.stage {
            Stage::Check => "check",
            Stage::Calibrate => "calibrate",
            Stage::Time => "time",
        };
        match super::go_on(tell, &progress.entrant.name, stage, progress.done, progress.total) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    };
    let report = bench::run(&ContextOptions::default(), &options, &mut progress).await.map_err(crate::object::error)?;
    Ok(Report {
        clock: report.clock.kind.name(),
        quantum_ns: report.clock.quantum_ns,
        residency: report.residency.name(),
        pairs: report.measurements.first().map_or(0.0, |m| m.pairs as f64),
        discarded: options.discarded as f64,
        stopped: report.stopped,
        entries: report.measurements.iter().map(entry).collect(),
    }
    .into_js())
}

fn entry(measurement: &Measurement) -> Entry {
    let problem = match &measurement.outcome {
        Outcome::Timed(_) | Outcome::Stopped => None,
        Outcome::Failed(error) => Some(error.to_string()),
        // Numbers are left to the page: formatting floats would cost the module 10 kB.
        Outcome::Wrong(mismatch) => Some(format!("wrong, first in row {}, column {}", mismatch.row, mismatch.column)),
    };
    Entry {
        kernel: measurement.entrant.name.clone(),
        strategy: measurement.strategy.map(|strategy| strategy.name()),
        problem,
        max_error: measurement.max_error,
        compile_ns: Some(measurement.compile_ns).filter(|ns| *ns > 0.0),
        bytes: measurement.bytes() as f64,
        times: measurement.timing().cloned(),
    }
}
