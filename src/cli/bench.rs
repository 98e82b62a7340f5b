//! `rownorm bench`: the protocol of [`crate::bench`], printed.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::Serialize;

use super::adapter::AdapterArgs;
use super::exit::{Failure, Result};
use super::norm::as_timed;
use super::output;
use crate::bench::{self, BenchOptions, BenchReport, Entrant, Measurement, Outcome, Progress, Residency, Shape, Stage};
use crate::error::Error;
use crate::spec::{Norm, Strategy};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    adapter: AdapterArgs,
    /// Rows and dim, as in 4096x768; may be repeated. Default: 4096x768, 512x4096, 128x8192,
    /// 16x65536, 65536x64.
    #[arg(long = "shape", value_name = "RxD")]
    shapes: Vec<Shape>,
    /// `copy` or a name that `rownorm run --norm` takes; may be repeated. Default: copy, layer (with
    /// weight and bias), rms (with weight). The copy takes part in any case; prms has p = 1/16.
    #[arg(long = "kernel", value_name = "NAME")]
    kernels: Vec<Kernel>,
    /// A strategy in place of the planner's choice; `all` times every one the device can run.
    #[arg(long, value_name = "NAME|all")]
    strategy: Option<Strategies>,
    /// Do not use subgroups even where the device has them.
    #[arg(long)]
    no_subgroups: bool,
    /// Keep all data in the device's caches instead of streaming from memory.
    #[arg(long)]
    cache_resident: bool,
    /// Seed of the data and of the order of the spans.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kernel {
    Copy,
    Norm(Norm),
}

impl FromStr for Kernel {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        if s == "copy" {
            return Ok(Kernel::Copy);
        }
        s.parse().map(Kernel::Norm).map_err(|_| {
            let names = Norm::ALL.map(Norm::name).join(", ");
            format!("no kernel is called {s:?}; there are copy, {names}")
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Strategies {
    All,
    One(Strategy),
}

impl FromStr for Strategies {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        if s == "all" { Ok(Strategies::All) } else { s.parse().map(Strategies::One) }
    }
}

pub(super) fn run(args: &Args) -> Result {
    let device = args.adapter.device("rownorm bench")?;
    let options = args.options()?;
    let mut shown = output::Progress::new();
    let mut tell = |progress: &Progress<'_>| {
        let stage = match progress.stage {
            Stage::Check => "checking",
            Stage::Calibrate => "calibrating",
            Stage::Time => "timing",
        };
        let message = format!("{}: {stage} {}", progress.shape, progress.entrant.name);
        shown.tell(progress.done as u64, progress.total as u64, message);
        ControlFlow::Continue(())
    };
    let report = pollster::block_on(bench::run(&device, &options, &mut tell));
    shown.end();
    let mut report = report?;
    if args.strategy == Some(Strategies::All) {
        leave_out_unavailable(&mut report);
    }
    if args.json {
        output::json(&Document::new(&report))?
    } else {
        output::text(&table(&report))?
    }
    verdict(&report)
}

impl Args {
    fn options(&self) -> Result<BenchOptions> {
        let defaults = BenchOptions::default();
        let kernels = match &self.kernels[..] {
            [] => &[Kernel::Copy, Kernel::Norm(Norm::Layer), Kernel::Norm(Norm::Rms)],
            listed => listed,
        };
        let strategies: Vec<_> = match self.strategy {
            None => vec![None],
            Some(Strategies::One(strategy)) => vec![Some(strategy)],
            Some(Strategies::All) => Strategy::ALL.map(Some).to_vec(),
        };
        let mut entrants: Vec<Entrant> = Vec::new();
        for kernel in kernels {
            let listed = match kernel {
                Kernel::Copy => vec![Entrant::copy()],
                Kernel::Norm(norm) => {
                    let entrant = Entrant::norm(norm.name(), as_timed(*norm)?);
                    let entrant = Entrant { allow_subgroups: !self.no_subgroups, ..entrant };
                    strategies.iter().map(|strategy| Entrant { strategy: *strategy, ..entrant.clone() }).collect()
                }
            };
            entrants.extend(listed.into_iter().filter(|entrant| !entrants.contains(entrant)).collect::<Vec<_>>());
        }
        Ok(BenchOptions {
            shapes: if self.shapes.is_empty() { defaults.shapes } else { self.shapes.clone() },
            entrants,
            seed: self.seed,
            residency: if self.cache_resident { Residency::CacheResident } else { Residency::Streaming },
            ..defaults
        })
    }
}

/// Of all strategies, those that the planner refuses on this device are no entrants.
fn leave_out_unavailable(report: &mut BenchReport) {
    let refused = |m: &Measurement| matches!(m.outcome, Outcome::Failed(Error::Strategy { .. }));
    for measurement in report.measurements.iter().filter(|m| refused(m)) {
        // A note that nobody can read is no failure.
        let _ = writeln!(io::stderr(), "left out: {}", complaint(measurement).unwrap_or_default());
    }
    report.measurements.retain(|m| !refused(m));
}

/// What is wrong with an entrant, if anything is.
fn complaint(measurement: &Measurement) -> Option<String> {
    let strategy = measurement.strategy.or(measurement.entrant.strategy);
    let strategy = strategy.map_or(String::new(), |strategy| format!(" ({strategy})"));
    let who = format!("{} on {}{strategy}", measurement.entrant.name, measurement.shape);
    match &measurement.outcome {
        Outcome::Wrong(m) => Some(format!(
            "{who} is wrong: y[{}, {}] is {:e}, float64 says {:e} and allows ±{:e}",
            m.row, m.column, m.actual, m.truth, m.tolerance
        )),
        Outcome::Failed(error) => Some(format!("{who}: {error}")),
        Outcome::Timed(_) | Outcome::Stopped => None,
    }
}

/// The exit status: a wrong result first, then what the device did, then refusals.
fn verdict(report: &BenchReport) -> Result {
    let complaints: Vec<_> = report.measurements.iter().filter_map(complaint).collect();
    if complaints.is_empty() {
        return Ok(());
    }
    let text = complaints.join("\nerror: ");
    if report.measurements.iter().any(|m| matches!(m.outcome, Outcome::Wrong(_))) {
        return Err(Failure::Check(text));
    }
    let errors = report.measurements.iter().filter_map(|m| match &m.outcome {
        Outcome::Failed(error) => Some(Failure::from(error.clone())),
        _ => None,
    });
    let device = errors.into_iter().any(|failure| matches!(failure, Failure::Device(_)));
    Err(if device { Failure::Device(text) } else { Failure::Input(text) })
}

#[derive(Serialize)]
struct Document<'a> {
    adapter: &'a str,
    clock: ClockEntry,
    results: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct ClockEntry {
    kind: &'static str,
    quantum_ns: f64,
}

#[derive(Serialize)]
struct Entry<'a> {
    kernel: &'a str,
    pass: &'static str,
    rows: u64,
    dim: u64,
    dtype: &'static str,
    strategy: Option<&'static str>,
    median_ms: Option<f64>,
    p10_ms: Option<f64>,
    p90_ms: Option<f64>,
    bytes: u64,
    gb_per_s: Option<f64>,
    of_copy: Option<f64>,
    max_error: Option<f64>,
}

impl<'a> Document<'a> {
    fn new(report: &'a BenchReport) -> Self {
        let entry = |m: &'a Measurement| Entry {
            kernel: &m.entrant.name,
            pass: m.entrant.pass.name(),
            rows: m.shape.rows,
            dim: m.shape.dim,
            dtype: m.entrant.dtype.name(),
            strategy: m.strategy.or(m.entrant.strategy).map(Strategy::name),
            median_ms: m.timing().map(|timing| timing.median_ns / 1e6),
            p10_ms: m.timing().map(|timing| timing.p10_ns / 1e6),
            p90_ms: m.timing().map(|timing| timing.p90_ns / 1e6),
            bytes: m.bytes(),
            gb_per_s: m.gb_per_s(),
            of_copy: report.of_copy(m),
            max_error: m.max_error,
        };
        Self {
            adapter: &report.adapter.name,
            clock: ClockEntry { kind: report.clock.kind.name(), quantum_ns: report.clock.quantum_ns },
            results: report.measurements.iter().map(entry).collect(),
        }
    }
}

fn table(report: &BenchReport) -> String {
    let heading =
        ["shape", "kernel", "strategy", "ms", "p10", "p90", "GB/s", "of copy", "max error", "K", "drift", "compile ms"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for m in &report.measurements {
        let timed = |show: &dyn Fn(&bench::Timing) -> String| m.timing().map_or("✗".into(), show);
        rows.push(vec![
            m.shape.to_string(),
            m.entrant.name.clone(),
            m.strategy.or(m.entrant.strategy).map_or("", Strategy::name).into(),
            timed(&|t| milliseconds(t.median_ns)),
            timed(&|t| milliseconds(t.p10_ns)),
            timed(&|t| milliseconds(t.p90_ns)),
            m.gb_per_s().map_or("✗".into(), |v| format!("{v:.2}")),
            report.of_copy(m).map_or("✗".into(), |v| format!("{v:.2}")),
            m.max_error.map_or("✗".into(), |v| format!("{v:.1e}")),
            timed(&|t| format!("{}{}", t.dispatches, if t.slow { "*" } else { "" })),
            timed(&|t| format!("{:+.0} %", t.drift * 100.0)),
            format!("{:.1}", m.compile_ns / 1e6),
        ]);
    }
    let mut text = format!(
        "{} ({})\nclock: {}, quantum {} ns; {}; medians, each of K dispatches in a pass\n\n{}",
        report.adapter.name,
        report.adapter.backend,
        report.clock.kind.name(),
        report.clock.quantum_ns,
        report.residency.name(),
        output::table(&rows, 3)
    );
    let timings = || report.measurements.iter().filter_map(Measurement::timing);
    if timings().any(|timing| timing.slow) {
        text.push_str("* over 250 ms: timed in three spans\n");
    }
    let dropped: usize = timings().map(|timing| timing.dropped).sum();
    if dropped > 0 {
        text.push_str(&format!("{dropped} spans dropped: the clock ran backwards over them\n"));
    }
    text
}

/// Milliseconds with four significant digits.
fn milliseconds(ns: f64) -> String {
    let ms = ns / 1e6;
    let digits = (3 - ms.max(1e-6).log10().floor() as i32).clamp(0, 6) as usize;
    format!("{ms:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_have_four_digits() {
        let cases =
            [(1.0, "0.000001"), (1.2345e6, "1.234"), (12.345678e6, "12.35"), (1234.5e6, "1234"), (98765.4e6, "98765")];
        for (ns, text) in cases {
            assert_eq!(milliseconds(ns), text);
        }
    }

    #[test]
    fn every_norm_is_a_kernel() {
        assert_eq!("copy".parse(), Ok(Kernel::Copy));
        for norm in Norm::ALL {
            assert_eq!(norm.name().parse(), Ok(Kernel::Norm(norm)));
        }
        assert!("lyer".parse::<Kernel>().is_err());
    }
}
