//! Cases × arrangements on one engine.

use super::case::{Case, Claim, Coverage};
use super::engine::Engine;
use super::job::{Job, Outcome, Tensors};
use super::placement::{Place, Placement};
use super::report::{CaseReport, ConformanceReport, Failure, Progress, Skip};
use super::{cases, check, errors};
use crate::caps::DeviceCaps;
use crate::error::Error;
use crate::plan::{Request, plan};
use crate::reference;
use crate::spec::Strategy;

/// A way to run a request: the planner's choice, or a strategy asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrangement {
    /// What reports call it: `planned` or the strategy's name.
    pub name: &'static str,
    /// The strategy asked for.
    pub strategy: Option<Strategy>,
}

/// The planner's choice and every strategy that gives another program.
pub fn arrangements(request: &Request, caps: &DeviceCaps, strategies: &[Strategy]) -> Vec<Arrangement> {
    let planned = plan(request, caps).map(|plan| plan.kernels).ok();
    let differs = |strategy: &Strategy| {
        let asked = plan(&request.with_strategy(*strategy), caps);
        !matches!((&planned, asked), (Some(planned), Ok(asked)) if *planned == asked.kernels)
    };
    let asked = strategies.iter().copied().filter(differs);
    let asked = asked.map(|strategy| Arrangement { name: strategy.name(), strategy: Some(strategy) });
    std::iter::once(Arrangement { name: "planned", strategy: None }).chain(asked).collect()
}

/// The arrangements in which a case runs.
pub(super) fn arrangements_of(case: &Case, caps: &DeviceCaps, strategies: &[Strategy]) -> Vec<Arrangement> {
    let planned = Arrangement { name: "planned", strategy: None };
    match case.coverage {
        Coverage::All => arrangements(&case.request(), caps, strategies),
        Coverage::Planned => vec![planned],
        Coverage::Share(number) => {
            let strategy = Strategy::ALL[(number % Strategy::ALL.len() as u64) as usize];
            let asked = Arrangement { name: strategy.name(), strategy: Some(strategy) };
            vec![if strategies.contains(&strategy) { asked } else { planned }]
        }
    }
}

/// Why an arrangement gave no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// A strategy that was asked for does not serve this shape; its own reason.
    Skipped(String),
    /// What went wrong.
    Failed(String),
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ended::Skipped(reason) => write!(f, "skipped: {reason}"),
            Ended::Failed(detail) => f.write_str(detail),
        }
    }
}

impl From<String> for Ended {
    fn from(detail: String) -> Self {
        Ended::Failed(detail)
    }
}

/// The strategies that no case runs on this engine.
pub fn absent<E: Engine>(engine: &E) -> Vec<Skip> {
    let absent = Strategy::ALL.into_iter().filter(|strategy| !engine.strategies().contains(strategy));
    let skip = |strategy: Strategy| {
        let reason =
            if strategy.needs_subgroups() { "the device has no subgroups" } else { "not executed by this engine" };
        Skip { case: format!("*::{strategy}"), reason: reason.into() }
    };
    absent.map(skip).collect()
}

/// Runs every case whose name contains `filter` (all without one), and the refusals, and tells
/// `progress` after each.
pub async fn run<E: Engine>(
    engine: &E,
    filter: Option<&str>,
    mut progress: impl FnMut(Progress<'_>),
) -> ConformanceReport {
    let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    let cases: Vec<_> = cases().into_iter().filter(|case| wanted(&case.name)).collect();
    let refusals: Vec<_> = errors::refusals().into_iter().filter(|refusal| wanted(refusal.name)).collect();
    let mut report = ConformanceReport { adapter: engine.name(), ..ConformanceReport::default() };
    report.skipped.extend(absent(engine));
    let total = cases.len() + refusals.len();
    let mut tell = |report: &ConformanceReport, case: &str, done: usize| {
        progress(Progress { case, done, total, failed: report.failed });
    };
    for (index, refusal) in refusals.iter().enumerate() {
        report.add(match refusal.check() {
            Ok(()) => CaseReport { passed: vec![refusal.name.to_string()], ..CaseReport::default() },
            Err(detail) => {
                let failure = Failure { case: refusal.name.to_string(), detail };
                CaseReport { failures: vec![failure], ..CaseReport::default() }
            }
        });
        tell(&report, refusal.name, index + 1);
    }
    for (index, case) in cases.iter().enumerate() {
        report.add(run_case(engine, case).await);
        tell(&report, &case.name, refusals.len() + index + 1);
    }
    report
}

/// Runs one case in every arrangement.
pub async fn run_case<E: Engine>(engine: &E, case: &Case) -> CaseReport {
    let mut report = CaseReport::default();
    let caps = case.caps(&engine.caps());
    let tensors = case.tensors();
    let truth = match truth(case, &tensors) {
        Ok(truth) => truth,
        Err(detail) => {
            report.failures.push(Failure { case: format!("{}::reference", case.name), detail });
            return report;
        }
    };
    for arrangement in arrangements_of(case, &caps, &engine.strategies()) {
        let name = format!("{}::{}", case.name, arrangement.name);
        let mut request = case.request();
        request.strategy = arrangement.strategy;
        let run = Run { engine, case, caps, request, tensors: &tensors };
        let ended = match case.claim {
            Claim::Truth => run.truth(&truth).await,
            Claim::BatchInvariant => run.batch_invariant().await,
            Claim::Repeatable => run.repeatable().await,
            Claim::AlignmentInvariant => run.alignment_invariant().await,
        };
        match ended {
            Ok(()) => report.passed.push(name),
            Err(Ended::Skipped(reason)) => report.skipped.push(Skip { case: name, reason }),
            Err(Ended::Failed(detail)) => report.failures.push(Failure { case: name, detail }),
        }
    }
    report
}

/// Lays tensors out, runs a request on an engine and reads the outcome back, with poison and guard
/// bands. A strategy asked for may decline a shape by name; the planner's own choice may not.
pub async fn execute<E: Engine>(
    engine: &E,
    request: &Request,
    caps: &DeviceCaps,
    tensors: &Tensors,
    placement: &Placement,
) -> Result<Outcome, Ended> {
    let job = Job::new(request, caps, tensors, placement).map_err(|error| ended(error, request))?;
    run_job(engine, &job).await
}

async fn run_job<E: Engine>(engine: &E, job: &Job) -> Result<Outcome, Ended> {
    let after = engine.run(job).await.map_err(|error| ended(error, &job.plan.request))?;
    Ok(job.collect(&after)?)
}

fn ended(error: Error, request: &Request) -> Ended {
    match error {
        Error::Strategy { reason, .. } if request.strategy.is_some() => Ended::Skipped(reason),
        other => Ended::Failed(other.to_string()),
    }
}

/// The float64 result, itself checked against what was published.
fn truth(case: &Case, tensors: &Tensors) -> Result<reference::Forward, String> {
    let (weight, bias) = (tensors.weight.as_deref(), tensors.bias.as_deref());
    let truth = reference::forward(&case.spec, case.dim, &tensors.x, weight, bias);
    let truth = truth.map_err(|error| error.to_string())?;
    check::known(|i| truth.y[i], false, &case.known, &truth)?;
    Ok(truth)
}

/// One arrangement of one case.
struct Run<'a, E> {
    engine: &'a E,
    case: &'a Case,
    caps: DeviceCaps,
    request: Request,
    tensors: &'a Tensors,
}

impl<E: Engine> Run<'_, E> {
    async fn outcome(&self, tensors: &Tensors, placement: &Placement) -> Result<Outcome, Ended> {
        let job = Job::new(&self.request, &self.caps, tensors, placement);
        let mut job = job.map_err(|error| ended(error, &self.request))?;
        job.call.eps = self.case.spec.eps;
        run_job(self.engine, &job).await
    }

    async fn truth(&self, truth: &reference::Forward) -> Result<(), Ended> {
        let outcome = self.outcome(self.tensors, &self.case.placement).await?;
        Ok(check::outcome(&outcome, truth, &self.case.known)?)
    }

    async fn batch_invariant(&self) -> Result<(), Ended> {
        let dim = self.case.dim as usize;
        let whole = self.outcome(self.tensors, &self.case.placement).await?;
        let rows = self.case.rows;
        // The window's first row and length: the same rows alone and at other positions.
        let windows = [(0, 1), (3, 1), (rows - 1, 1), (0, 7), (rows - 7, 7), (5, 257), (rows - 257, 257)];
        for (first, len) in windows {
            let part =
                |values: &[f32], width: usize| values[first as usize * width..(first + len) as usize * width].to_vec();
            let tensors = Tensors { rows: len, x: part(&self.tensors.x, dim), ..self.tensors.clone() };
            let outcome = self.outcome(&tensors, &self.case.placement).await?;
            let expected = Outcome { y: part(&whole.y, dim), stats: whole.stats.as_ref().map(|stats| part(stats, 2)) };
            check::same_outcome(
                &format!("rows {first} to {} among {rows} and alone", first + len - 1),
                &expected,
                &outcome,
            )?;
        }
        Ok(())
    }

    async fn repeatable(&self) -> Result<(), Ended> {
        let first = self.outcome(self.tensors, &self.case.placement).await?;
        for run in 2..=3 {
            let again = self.outcome(self.tensors, &self.case.placement).await?;
            check::same_outcome(&format!("run 1 and run {run}"), &first, &again)?;
        }
        Ok(())
    }

    async fn alignment_invariant(&self) -> Result<(), Ended> {
        let contiguous = self.outcome(self.tensors, &Placement::CONTIGUOUS).await?;
        let mixed = Placement {
            x: Place::new(1, 2),
            weight: Place::new(2, 0),
            bias: Place::new(3, 0),
            y: Place::new(5, 1),
            ..Placement::CONTIGUOUS
        };
        let x_only = Placement { x: Place::new(3, 3), ..Placement::CONTIGUOUS };
        for placement in [Placement::uniform(1, 0), Placement::uniform(4, 4), Placement::uniform(63, 5), mixed, x_only]
        {
            let moved = self.outcome(self.tensors, &placement).await?;
            check::same_outcome(&format!("contiguous and {placement:?}"), &contiguous, &moved)?;
        }
        Ok(())
    }
}
