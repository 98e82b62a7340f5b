//! On the CPU: the same entrants and the same order of work, by the host's clock.

use js_sys::{Function, Promise};
use rownorm::gpu::now_ns;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::go_on;
use super::report::{Entry, Report, Times};
use crate::Contest;
use crate::object::error;

/// Spans run and thrown away first.
const DISCARDED: usize = 3;
/// A span lasts at least this long, and at least 100 quanta.
const SPAN_NS: f64 = 5e6;
const SEED: u64 = 1;

pub async fn run(rows: u32, dim: u32, spans: u32, tell: &Function) -> Result<JsValue, JsValue> {
    let entrants = Contest::ENTRANTS;
    let rounds = DISCARDED + spans as usize;
    let total = entrants.len() * (1 + rounds);
    let quantum_ns = quantum();
    let mut contest = Contest::new(rows.into(), dim.into(), SEED);
    let mut report = Report {
        clock: "wall clock",
        quantum_ns,
        residency: "one pair of buffers",
        pairs: 1.0,
        stopped: false,
        entries: Vec::new(),
    };
    let mut repeats = [1_u32; Contest::ENTRANTS.len()];
    let mut done = 0;
    for (index, (kernel, work)) in entrants.into_iter().enumerate() {
        report.stopped |= !go_on(tell, kernel, "check", done, total);
        if report.stopped {
            return Ok(report.into_js());
        }
        breathe().await?;
        let (max_error, good) = contest.check(work).map_err(error)?;
        let started = now_ns();
        while now_ns() - started < SPAN_NS.max(100.0 * quantum_ns) {
            contest.run(work).map_err(error)?;
            repeats[index] += 1;
        }
        let problem = (!good).then(|| "wrong: beyond the bound".to_string());
        report.entries.push(Entry {
            kernel: kernel.into(),
            strategy: None,
            problem,
            max_error: Some(max_error),
            compile_ns: 0.0,
            bytes: contest.bytes(),
            times: None,
        });
        done += 1;
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut spans_ns: [Vec<f64>; Contest::ENTRANTS.len()] = Default::default();
    'rounds: for round in 0..rounds {
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        random.shuffle(&mut order);
        for index in order.into_iter().filter(|index| report.entries[*index].problem.is_none()) {
            let (kernel, work) = entrants[index];
            report.stopped |= !go_on(tell, kernel, "time", done, total);
            if report.stopped {
                break 'rounds;
            }
            breathe().await?;
            let started = now_ns();
            for _ in 0..repeats[index] {
                contest.run(work).map_err(error)?;
            }
            let span = (now_ns() - started) / f64::from(repeats[index]);
            if round >= DISCARDED {
                spans_ns[index].push(span);
            }
            done += 1;
        }
    }
    for ((entry, spans), repeats) in report.entries.iter_mut().zip(spans_ns).zip(repeats) {
        entry.times = times(spans, repeats, quantum_ns);
    }
    Ok(report.into_js())
}

fn times(spans: Vec<f64>, repeats: u32, quantum_ns: f64) -> Option<Times> {
    let mut sorted = spans.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let quantile = |q: f64| sorted[(q * last as f64).round() as usize];
    let median = quantile(0.5);
    Some(Times {
        median,
        p10: quantile(0.1),
        p90: quantile(0.9),
        wall_median: median,
        spans,
        dispatches: repeats.into(),
        dropped: 0.0,
        clock_error: quantum_ns / (median * f64::from(repeats)),
        slow: false,
    })
}

/// The smallest step the clock was seen to make.
fn quantum() -> f64 {
    let start = now_ns();
    let (mut last, mut smallest, mut steps) = (start, f64::INFINITY, 0);
    while steps < 32 && last - start < 50e6 {
        let now = now_ns();
        if now > last {
            smallest = smallest.min(now - last);
            steps += 1;
        }
        last = now;
    }
    smallest
}

/// Lets the browser paint and handle a press of Stop.
async fn breathe() -> Result<(), JsValue> {
    let promise = Promise::new(&mut |resolve, _| {
        let timeout = js_sys::Reflect::get(&js_sys::global(), &"setTimeout".into());
        if let Some(timeout) = timeout.ok().and_then(|timeout| timeout.dyn_into::<Function>().ok()) {
            // A browser always has it.
            let _ = timeout.call2(&JsValue::NULL, &resolve, &0.into());
        }
    });
    JsFuture::from(promise).await.map(|_| ())
}
