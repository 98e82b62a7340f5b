//! One contest for each shape: check everyone, then time everyone in turns.

use std::ops::{ControlFlow, Deref};

use super::arena::{Arena, Data};
use super::check::check;
use super::clock::Clock;
use super::entrant::Ready;
use super::options::{BenchOptions, Entrant, Shape};
use super::report::{BenchReport, Measurement, Outcome, Progress, Stage, Timing};
use super::spans::{Calibration, TimedSpan, lengthened, slow_rounds};
use crate::error::{Error, Result};
use crate::gpu::{Context, ContextOptions, SpanTimer};

/// Times that the device may be lost in the contest of one shape.
const MOST_LOSSES: usize = 32;

type Tell<'a> = &'a mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>;

/// A benchmark under way: the device, which may have to be asked for again, and the clock.
pub(super) struct Bench<'a> {
    device: &'a ContextOptions,
    options: &'a BenchOptions,
    entrants: &'a [Entrant],
    tell: Tell<'a>,
    context: OwnContext,
    timer: SpanTimer,
    clock: Clock,
    done: usize,
    stopped: bool,
}

/// A device of the benchmark's own, which ends with it: in a browser it would outlive the handle.
struct OwnContext(Context);

impl OwnContext {
    async fn request(device: &ContextOptions) -> Result<Self> {
        Context::request(device).await.map(Self)
    }
}

impl Deref for OwnContext {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.0
    }
}

impl Drop for OwnContext {
    fn drop(&mut self) {
        self.0.destroy();
    }
}

/// An entrant in the contest of one shape.
struct Contestant<'a> {
    entrant: &'a Entrant,
    ready: Option<Ready>,
    measurement: Measurement,
    /// Dispatches in a span; 0 until it is known.
    dispatches: u64,
    /// No more than this many: halved when the device was lost.
    most_dispatches: u64,
    slow: bool,
    checked: bool,
    spans: Vec<TimedSpan>,
    dropped: usize,
    /// The pair of buffers that comes next.
    turn: usize,
}

/// Who was at work when an error arose.
struct Fault {
    index: Option<usize>,
    error: Error,
}

impl<'a> Bench<'a> {
    /// Asks for the device and measures its clock.
    pub(super) async fn open(
        device: &'a ContextOptions,
        options: &'a BenchOptions,
        entrants: &'a [Entrant],
        tell: Tell<'a>,
    ) -> Result<Self> {
        let context = OwnContext::request(device).await?;
        let timer = SpanTimer::new(&context);
        let clock = measure_clock(&context, &timer).await?;
        Ok(Self { device, options, entrants, tell, context, timer, clock, done: 0, stopped: false })
    }

    pub(super) fn stopped(&self) -> bool {
        self.stopped
    }

    pub(super) fn report(self, measurements: Vec<Measurement>) -> BenchReport {
        BenchReport {
            adapter: self.context.adapter().clone(),
            clock: self.clock,
            residency: self.options.residency,
            seed: self.options.seed,
            stopped: self.stopped,
            measurements,
        }
    }

    /// Checks and times every entrant on a shape. One that the device or this process cannot hold fails
    /// for everyone.
    pub(super) async fn contest(&mut self, shape: Shape) -> Result<Vec<Measurement>> {
        let schedule = self.schedule();
        let end = self.done + self.entrants.len() + schedule.len();
        let mut contestants: Vec<_> = self.entrants.iter().map(|entrant| Contestant::new(entrant, shape)).collect();
        let data = Arena::admits(&self.context.caps().limits, shape).and_then(|()| Data::new(shape, self.options.seed));
        match data {
            Ok(data) => self.compete(shape, &data, &mut contestants, &schedule).await?,
            Err(error) => _ = settle(&mut contestants, &Fault { index: None, error }, 0),
        }
        self.done = end;
        Ok(contestants.into_iter().map(|contestant| contestant.finish(self.clock.quantum_ns)).collect())
    }

    /// Tries until everyone is timed or out.
    async fn compete(
        &mut self,
        shape: Shape,
        data: &Data,
        contestants: &mut [Contestant<'_>],
        schedule: &[(usize, usize)],
    ) -> Result<()> {
        let mut next = 0;
        let mut losses = 0;
        while let Err(fault) = self.attempt(shape, data, contestants, schedule, &mut next).await {
            let lost = matches!(fault.error, Error::DeviceLost(_));
            losses += usize::from(lost);
            let goes_on = settle(contestants, &fault, losses);
            contestants.iter_mut().for_each(|contestant| contestant.ready = None);
            if lost {
                self.context = OwnContext::request(self.device).await?;
                self.timer = SpanTimer::new(&self.context);
            }
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// Who is timed when: (round, entrant), each round in an order of its own.
    fn schedule(&self) -> Vec<(usize, usize)> {
        let mut random = fastrand::Rng::with_seed(self.options.seed);
        let rounds = self.options.discarded + self.options.spans;
        let round = |round| {
            let mut order: Vec<_> = (0..self.entrants.len()).map(|entrant| (round, entrant)).collect();
            random.shuffle(&mut order);
            order
        };
        (0..rounds).flat_map(round).collect()
    }

    /// Goes on where the contest stands, until its end or a fault.
    async fn attempt(
        &mut self,
        shape: Shape,
        data: &Data,
        contestants: &mut [Contestant<'_>],
        schedule: &[(usize, usize)],
        next: &mut usize,
    ) -> Result<(), Fault> {
        let everyone = |error| Fault { index: None, error };
        let arena = Arena::new(&self.context, data, self.options.residency).await.map_err(everyone)?;
        for (index, contestant) in contestants.iter_mut().enumerate() {
            if contestant.is_out() || self.stopped {
                continue;
            }
            let fault = |error| Fault { index: Some(index), error };
            self.prepare(contestant, shape, data, &arena).await.map_err(fault)?;
        }
        let slow = slow_rounds(self.options.discarded, self.options.spans);
        while let Some((round, index)) = schedule.get(*next).copied() {
            if self.stopped {
                break;
            }
            let contestant = &mut contestants[index];
            let takes_part = !contestant.is_out() && (!contestant.slow || slow.contains(&round));
            if takes_part {
                self.say(contestant, shape, Stage::Time);
                let fault = |error| Fault { index: Some(index), error };
                let counts = contestant.slow || round >= self.options.discarded;
                self.time(contestant, round, counts).await.map_err(fault)?;
            }
            self.done += 1;
            *next += 1;
        }
        Ok(())
    }

    /// Compiles, checks and calibrates, as far as that has not been done.
    async fn prepare(
        &mut self,
        contestant: &mut Contestant<'_>,
        shape: Shape,
        data: &Data,
        arena: &Arena,
    ) -> Result<()> {
        self.say(contestant, shape, Stage::Check);
        let ready = Ready::new(&self.context, contestant.entrant, shape, arena).await?;
        contestant.measurement.strategy = ready.strategy;
        contestant.measurement.compile_ns = ready.compile_ns;
        contestant.measurement.pairs = arena.pairs();
        if !contestant.checked {
            let (max_error, mismatch) = check(&self.context, &ready, contestant.entrant, shape, data, arena).await?;
            contestant.measurement.max_error = Some(max_error);
            if let Some(mismatch) = mismatch {
                contestant.measurement.outcome = Outcome::Wrong(mismatch);
            }
            contestant.checked = true;
            self.done += 1;
        }
        contestant.measurement.wgsl.clone_from(&ready.wgsl);
        contestant.ready = Some(ready);
        if !contestant.is_out() && contestant.dispatches == 0 {
            self.say(contestant, shape, Stage::Calibrate);
            self.calibrate(contestant).await?;
        }
        Ok(())
    }

    /// Finds the number of dispatches of a span.
    async fn calibrate(&mut self, contestant: &mut Contestant<'_>) -> Result<()> {
        let mut calibration = Calibration::new(self.clock.quantum_ns, contestant.most_dispatches);
        loop {
            contestant.dispatches = calibration.dispatches();
            let (ns, _) = self.span(contestant).await?;
            if !calibration.take(ns) {
                break;
            }
        }
        contestant.dispatches = calibration.dispatches();
        contestant.slow = calibration.is_slow();
        Ok(())
    }

    /// Times one span and keeps it, if it counts.
    async fn time(&mut self, contestant: &mut Contestant<'_>, round: usize, counts: bool) -> Result<()> {
        let (ns, wall_ns) = self.span(contestant).await?;
        let dispatches = contestant.dispatches as f64;
        if counts && ns > 0.0 {
            contestant.spans.push(TimedSpan { round, ns: ns / dispatches, wall_ns: wall_ns / dispatches });
        } else if counts {
            contestant.dropped += 1;
        } else {
            let longer = lengthened(contestant.dispatches, ns, self.clock.quantum_ns);
            contestant.dispatches = longer.min(contestant.most_dispatches);
        }
        Ok(())
    }

    /// Runs one span: by the clock, and by the wall.
    async fn span(&mut self, contestant: &mut Contestant<'_>) -> Result<(f64, f64)> {
        let Some(ready) = &contestant.ready else { return Err(Error::Device("nothing is compiled".into())) };
        let (first, dispatches, pairs) = (contestant.turn, contestant.dispatches, contestant.measurement.pairs);
        let work = |pass: &mut wgpu::ComputePass<'_>| {
            for dispatch in 0..dispatches as usize {
                ready.encode(pass, (first + dispatch) % pairs);
            }
        };
        let span = self.timer.span(&self.context, work).await?;
        contestant.turn = (first + dispatches as usize) % pairs;
        Ok((span.ns, span.wall_ns))
    }

    fn say(&mut self, contestant: &Contestant<'_>, shape: Shape, stage: Stage) {
        let rounds = self.options.discarded + self.options.spans;
        let total = self.options.shapes.len() * self.entrants.len() * (rounds + 1);
        let progress = Progress { shape, entrant: contestant.entrant, stage, done: self.done, total };
        self.stopped |= (self.tell)(&progress).is_break();
    }
}

impl<'a> Contestant<'a> {
    fn new(entrant: &'a Entrant, shape: Shape) -> Self {
        let measurement = Measurement {
            entrant: entrant.clone(),
            shape,
            strategy: None,
            wgsl: String::new(),
            compile_ns: 0.0,
            max_error: None,
            pairs: 0,
            outcome: Outcome::Stopped,
        };
        Self {
            entrant,
            ready: None,
            measurement,
            dispatches: 0,
            most_dispatches: u64::MAX,
            slow: false,
            checked: false,
            spans: Vec::new(),
            dropped: 0,
            turn: 0,
        }
    }

    /// Whether it takes no further part.
    fn is_out(&self) -> bool {
        matches!(self.measurement.outcome, Outcome::Wrong(_) | Outcome::Failed(_))
    }

    fn fail(&mut self, error: Error) {
        if !self.is_out() {
            self.measurement.outcome = Outcome::Failed(error);
        }
    }

    /// The device was lost during a span: half as many dispatches next time, if that is possible.
    fn halve(&mut self, error: Error) {
        match self.dispatches {
            0 | 1 => self.fail(error),
            _ => {
                self.dispatches /= 2;
                self.most_dispatches = self.dispatches;
            }
        }
    }

    fn finish(self, quantum_ns: f64) -> Measurement {
        let mut measurement = self.measurement;
        if measurement.outcome == Outcome::Stopped {
            let timing = Timing::new(self.spans, self.dispatches, self.dropped, quantum_ns);
            measurement.outcome = match timing {
                Some(timing) => Outcome::Timed(Timing { slow: self.slow, ..timing }),
                None if self.dropped > 0 => {
                    let text = "the device's clock stood still or ran backwards over every span";
                    Outcome::Failed(Error::Device(text.into()))
                }
                None => Outcome::Stopped,
            };
        }
        measurement
    }
}

/// What a fault means for the contest: someone is out or goes on with less, so that faults have an end.
/// `losses` counts the devices lost in this contest. Answers whether anyone is left.
fn settle(contestants: &mut [Contestant<'_>], fault: &Fault, losses: usize) -> bool {
    let lost = matches!(fault.error, Error::DeviceLost(_));
    match fault.index.filter(|_| losses <= MOST_LOSSES).map(|index| &mut contestants[index]) {
        Some(contestant) if lost => contestant.halve(fault.error.clone()),
        Some(contestant) => contestant.fail(fault.error.clone()),
        // No single entrant is to blame: the data do not fit, or devices do not last.
        None => contestants.iter_mut().for_each(|contestant| contestant.fail(fault.error.clone())),
    }
    !contestants.iter().all(Contestant::is_out)
}

/// The clock, seen over passes that copy a few bytes.
async fn measure_clock(context: &Context, timer: &SpanTimer) -> Result<Clock> {
    let shape = Shape { rows: 64, dim: 64 };
    let data = Data::new(shape, 0)?;
    let arena = Arena::new(context, &data, super::options::Residency::CacheResident).await?;
    let copy = Ready::new(context, &Entrant::copy(), shape, &arena).await?;
    Clock::measure(context, timer, |pass| copy.encode(pass, 0)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatches_halve_when_the_device_is_lost_and_then_it_is_the_entrants_fault() {
        let entrant = Entrant::copy();
        let mut contestant = Contestant::new(&entrant, Shape { rows: 1, dim: 1 });
        contestant.dispatches = 5;
        for left in [2, 1] {
            contestant.halve(Error::DeviceLost("again".into()));
            assert_eq!((contestant.dispatches, contestant.most_dispatches), (left, left));
            assert!(!contestant.is_out());
        }
        contestant.halve(Error::DeviceLost("again".into()));
        assert_eq!(contestant.finish(1.0).outcome, Outcome::Failed(Error::DeviceLost("again".into())));
    }

    /// Whoever loses devices, and while whatever is done: the contest ends.
    #[test]
    fn devices_that_keep_being_lost_end_the_contest() {
        let entrant = Entrant::copy();
        let shape = Shape { rows: 1, dim: 1 };
        let at_work = |dispatches| Contestant { dispatches, ..Contestant::new(&entrant, shape) };
        let lost = |index| Fault { index, error: Error::DeviceLost("again".into()) };
        assert!(!settle(&mut [at_work(8), at_work(8)], &lost(None), 1), "no buffers without a device");
        let mut contestants = [at_work(1), at_work(u64::MAX)];
        assert!(settle(&mut contestants, &lost(Some(0)), 1), "the other one goes on");
        let end = (2..=MOST_LOSSES + 1).find(|losses| !settle(&mut contestants, &lost(Some(1)), *losses));
        assert!(end.is_some(), "no end");
    }

    #[test]
    fn spans_that_all_ran_backwards_are_no_time() {
        let entrant = Entrant::copy();
        let mut contestant = Contestant::new(&entrant, Shape { rows: 1, dim: 1 });
        contestant.dropped = 21;
        assert!(matches!(contestant.finish(1.0).outcome, Outcome::Failed(Error::Device(_))));
        assert_eq!(Contestant::new(&entrant, Shape { rows: 1, dim: 1 }).finish(1.0).outcome, Outcome::Stopped);
    }
}
