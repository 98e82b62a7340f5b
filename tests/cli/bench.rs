//! `rownorm bench`: the shape of its report. What it measures is the machine's to say.

use std::ops::ControlFlow;
use std::process::Stdio;

use libtest_mimic::Trial;
use rownorm::bench::{self, BenchOptions, Entrant, Outcome, Shape, Stage};
use rownorm::gpu::{AdapterFilter, ContextOptions};
use rownorm::{NormSpec, Strategy};
use serde_json::Value;

use crate::support::{Cli, Test, Tested, equal, on_adapter};

pub fn trials(adapter: &str) -> Vec<Trial> {
    let tests: [Test; 5] = [
        ("bench::json", json),
        ("bench::table", table),
        ("bench::refuses", refuses),
        ("bench::stops", stops),
        ("bench::fails_alone", fails_alone),
    ];
    on_adapter(adapter, &tests)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn json(cli: &Cli) -> Tested {
    let arguments = ["bench", "--shape", "37x33", "--shape", "8x256", "--kernel", "layer"];
    let report = cli.run(&[&arguments[..], &["--strategy", "all", "--json"]].concat()).good()?.json()?;
    equal("report", keys(&report), vec!["adapter", "clock", "results"])?;
    let name = report["adapter"].as_str().unwrap_or_default().to_lowercase();
    equal("the adapter meant", name.contains(&cli.adapter.to_lowercase()), true)?;
    equal("clock", keys(&report["clock"]), vec!["kind", "quantum_ns"])?;
    equal("quantum", report["clock"]["quantum_ns"].as_f64() > Some(0.0), true)?;
    let results = report["results"].as_array().ok_or("results")?;
    // The copy, and a norm by four strategies, on two shapes.
    equal("results", results.len(), 2 * (1 + 4))?;
    for result in results {
        let wanted = [
            "bytes",
            "dim",
            "dtype",
            "gb_per_s",
            "kernel",
            "max_error",
            "median_ms",
            "of_copy",
            "p10_ms",
            "p90_ms",
            "pass",
            "rows",
            "strategy",
        ];
        let mut found = keys(result);
        found.sort_unstable();
        equal("result", found, wanted.to_vec())?;
        let number = |key: &str| result[key].as_f64().ok_or(format!("{key} of {result}"));
        let (rows, dim) = (number("rows")?, number("dim")?);
        equal("bytes", number("bytes")?, 2.0 * 4.0 * rows * dim)?;
        equal("order", number("p10_ms")? <= number("median_ms")? && number("median_ms")? <= number("p90_ms")?, true)?;
        let rate = number("bytes")? / number("median_ms")? / 1e6;
        equal("rate", (number("gb_per_s")? / rate - 1.0).abs() < 1e-9, true)?;
        equal("error", number("max_error")? < 1e-5, true)?;
        equal("pass", result["pass"].as_str(), Some("forward"))?;
        equal("dtype", result["dtype"].as_str(), Some("f32"))?;
        let copy = result["kernel"] == "copy";
        equal("strategy", result["strategy"].is_null(), copy)?;
        let ceiling = results.iter().find(|other| other["kernel"] == "copy" && other["dim"] == result["dim"]);
        let ceiling = ceiling.and_then(|copy| copy["median_ms"].as_f64()).ok_or("a copy")?;
        let of_copy = ceiling / number("median_ms")?;
        equal("of_copy", (number("of_copy")? / of_copy - 1.0).abs() < 1e-9, true)?;
    }
    Ok(())
}

fn table(cli: &Cli) -> Tested {
    let text = cli.run(&["bench", "--shape", "64x64", "--cache-resident"]).good()?.stdout();
    for word in ["clock:", "cache-resident", "of copy", "64x64  copy", "64x64  layer", "64x64  rms"] {
        equal(word, text.contains(word), true)?;
    }
    Ok(())
}

fn refuses(cli: &Cli) -> Tested {
    let subgroups = ["bench", "--shape", "8x8", "--kernel", "rms", "--strategy", "row_per_subgroup", "--no-subgroups"];
    let ran = cli.run(&subgroups);
    equal("status", ran.status(), Some(2))?;
    equal("reason", ran.stderr().contains("row_per_subgroup"), true)?;
    // The verdict is the same where nobody reads the table.
    let (reader, writer) = std::io::pipe()?;
    drop(reader);
    let closed = cli.command(&subgroups).stdout(writer).stderr(Stdio::null()).status()?;
    equal("status with a closed pipe", closed.code(), Some(2))?;
    let ran = cli.run(&["bench", "--shape", "4x8", "--kernel", "prms"]);
    equal("status of k = 0", ran.status(), Some(2))?;
    equal("reason of k = 0", ran.stderr().contains("0 of 8"), true)?;
    let ran = cli.run(&["bench", "--shape", "100000000x768", "--kernel", "rms"]);
    equal("status of a shape beyond the device", ran.status(), Some(2))?;
    equal("reason of it", ran.stderr().contains("307200000000") && ran.stderr().contains("maxBufferSize"), true)?;
    Cli { adapter: "cpu".into() }.run(&["bench"]).refused(2, &["cpu", "WGSL"])
}

/// A short run on the adapter.
fn short(cli: &Cli, entrants: Vec<Entrant>) -> (ContextOptions, BenchOptions) {
    let adapter = if cli.adapter.is_empty() { AdapterFilter::ANY } else { AdapterFilter::containing(&cli.adapter) };
    let shapes = vec![Shape { rows: 5, dim: 16 }, Shape { rows: 3, dim: 8 }];
    let options = BenchOptions { shapes, entrants, spans: 3, discarded: 1, ..BenchOptions::default() };
    (ContextOptions { adapter, ..ContextOptions::default() }, options)
}

/// Stopped at the first span, the run reports everyone checked and nobody timed.
fn stops(cli: &Cli) -> Tested {
    let (device, options) = short(cli, vec![Entrant::norm("rms", NormSpec::rms(1e-5))]);
    let mut tell = |progress: &bench::Progress<'_>| match progress.stage {
        Stage::Time => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let report = pollster::block_on(bench::run(&device, &options, &mut tell))?;
    equal("stopped", report.stopped, true)?;
    equal("measurements", report.measurements.len(), 2)?;
    for measurement in &report.measurements {
        equal("outcome", &measurement.outcome, &Outcome::Stopped)?;
        equal("checked", measurement.max_error.is_some(), true)?;
    }
    Ok(())
}

/// An entrant that cannot be planned fails; the others are timed as if it were not there.
fn fails_alone(cli: &Cli) -> Tested {
    let impossible = Entrant::norm("rms", NormSpec::rms(1e-5)).with_strategy(Strategy::RowPerSubgroup);
    let impossible = Entrant { allow_subgroups: false, ..impossible };
    let (device, options) = short(cli, vec![impossible, Entrant::norm("layer", NormSpec::layer(1e-5))]);
    let mut last = (0, 0);
    let mut tell = |progress: &bench::Progress<'_>| {
        last = (progress.done, progress.total);
        ControlFlow::Continue(())
    };
    let report = pollster::block_on(bench::run(&device, &options, &mut tell))?;
    equal("stopped", report.stopped, false)?;
    for shape in report.measurements.chunks(3) {
        let names: Vec<_> = shape.iter().map(|m| (m.entrant.name.as_str(), m.timing().is_some())).collect();
        equal("timed", names, vec![("copy", true), ("rms", false), ("layer", true)])?;
        equal("failed", matches!(shape[1].outcome, Outcome::Failed(rownorm::Error::Strategy { .. })), true)?;
        let spans: Vec<_> = shape.iter().filter_map(|m| m.timing()).map(|t| t.spans.len() + t.dropped).collect();
        equal("spans", spans, vec![3, 3])?;
    }
    equal("progress ends near its end", last.0 < last.1 && last.0 * 10 > last.1 * 8, true)
}
