//! On the CPU: the same entrants, the same order of work and the same spans, by the host's clock.

use js_sys::{Function, Promise};
use rownorm::bench::{Calibration, Clock, TimedSpan, Timing, lengthened, slow_rounds};
use rownorm::gpu::now_ns;
use rownorm::{NormSpec, Result};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::go_on;
use super::report::{Entry, Report};
use crate::Contest;
use crate::object::error;

/// Rounds that come first and do not count.
const DISCARDED: usize = 3;
const SEED: u64 = 1;

/// An entrant under way.
struct Contestant {
    work: Option<NormSpec>,
    entry: Entry,
    repeats: u64,
    slow: bool,
    spans: Vec<TimedSpan>,
    /// Spans over which the clock stood still.
    dropped: usize,
}

pub async fn run(rows: u32, dim: u32, spans: u32, tell: &Function) -> Result<JsValue, JsValue> {
    let rounds = DISCARDED + spans as usize;
    let total = Contest::ENTRANTS.len() * (1 + rounds);
    let quantum_ns = Clock::wall().quantum_ns;
    let mut contest = Contest::new(rows.into(), dim.into(), SEED);
    let mut contestants = Vec::new();
    let mut stopped = false;
    for (done, (kernel, work)) in Contest::ENTRANTS.into_iter().enumerate() {
        stopped = !go_on(tell, kernel, "check", done, total);
        if stopped {
            break;
        }
        breathe().await?;
        contestants.push(prepare(&mut contest, kernel, work, quantum_ns).await?);
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    let slow = slow_rounds(DISCARDED, spans as usize);
    let mut done = contestants.len();
    'rounds: for round in 0..rounds {
        let mut order: Vec<usize> = (0..contestants.len()).collect();
        random.shuffle(&mut order);
        for index in order {
            let contestant = &mut contestants[index];
            stopped = stopped || !go_on(tell, &contestant.entry.kernel, "time", done, total);
            if stopped {
                break 'rounds;
            }
            let takes_part = contestant.entry.problem.is_none() && (!contestant.slow || slow.contains(&round));
            if takes_part {
                breathe().await?;
                let counts = contestant.slow || round >= DISCARDED;
                time(&mut contest, contestant, round, counts, quantum_ns)?;
            }
            done += 1;
        }
    }
    Ok(Report {
        clock: "wall clock",
        quantum_ns,
        residency: "one pair of buffers",
        pairs: 1.0,
        discarded: DISCARDED as f64,
        stopped,
        entries: contestants.into_iter().map(|contestant| contestant.finish(quantum_ns)).collect(),
    }
    .into_js())
}

/// Checks an entrant, and finds how many runs make a span.
async fn prepare(
    contest: &mut Contest,
    kernel: &str,
    work: Option<NormSpec>,
    quantum_ns: f64,
) -> Result<Contestant, JsValue> {
    let (max_error, good) = contest.check(work).map_err(error)?;
    let entry = Entry {
        kernel: kernel.into(),
        strategy: None,
        problem: (!good).then(|| "wrong: beyond the bound".to_string()),
        max_error: Some(max_error),
        // There was nothing to compile.
        compile_ns: None,
        bytes: contest.bytes(),
        times: None,
    };
    let mut calibration = Calibration::new(quantum_ns, u64::MAX);
    let mut calibrating = good;
    while calibrating {
        breathe().await?;
        calibrating = calibration.take(span(contest, work, calibration.dispatches()).map_err(error)?);
    }
    let (repeats, slow) = (calibration.dispatches(), calibration.is_slow());
    Ok(Contestant { work, entry, repeats, slow, spans: Vec::new(), dropped: 0 })
}

/// Times one span and keeps it, if it counts.
fn time(
    contest: &mut Contest,
    contestant: &mut Contestant,
    round: usize,
    counts: bool,
    quantum_ns: f64,
) -> Result<(), JsValue> {
    let ns = span(contest, contestant.work, contestant.repeats).map_err(error)?;
    if counts && ns > 0.0 {
        let each = ns / contestant.repeats as f64;
        contestant.spans.push(TimedSpan { round, ns: each, wall_ns: each });
    } else if counts {
        contestant.dropped += 1;
    } else {
        contestant.repeats = lengthened(contestant.repeats, ns, quantum_ns);
    }
    Ok(())
}

/// Nanoseconds of so many runs.
fn span(contest: &mut Contest, work: Option<NormSpec>, repeats: u64) -> Result<f64> {
    let started = now_ns();
    for _ in 0..repeats {
        contest.run(work)?;
    }
    Ok(now_ns() - started)
}

impl Contestant {
    fn finish(self, quantum_ns: f64) -> Entry {
        let stood_still = self.spans.is_empty() && self.dropped > 0;
        let timing = Timing::new(self.spans, self.repeats, self.dropped, quantum_ns);
        Entry {
            problem: self.entry.problem.or(stood_still.then(|| "the clock stood still over every span".into())),
            times: timing.map(|timing| Timing { slow: self.slow, ..timing }),
            ..self.entry
        }
    }
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
