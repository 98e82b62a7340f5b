//! Negative controls: engines that are wrong in one way each, to show that the conformance run notices.
//! Each wraps an engine that is right (float64, rounded to f32), which passes every case it can run.

use std::cell::Cell;

use rownorm::caps::{DeviceCaps, Dialect, SubgroupSizes};
use rownorm::conformance::{
    Case, Claim, ConformanceReport, Engine, Job, Known, Outcome, Sharing, Values, cases, check, run, run_case,
};
use rownorm::plan::Tensor;
use rownorm::reference::{self, Forward};
use rownorm::spec::{EpsPlace, Extent, NormSpec, Scale, Shift, Weight};
use rownorm::{Error, tolerance};

/// What is wrong with an engine.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// One element off by more than the bound.
    Perturbed,
    /// One element off by less than the bound: no fault.
    PerturbedWithinBound,
    NanInOutput,
    InfinityInOutput,
    LastElementNotWritten,
    LastRowNotWritten,
    StatsNotWritten,
    StatsOff,
    WordAfterTheEnd,
    WordBetweenRows,
    WordBeforeTheStart,
    InputOverwritten,
    OnePassVariance,
    ClippedOnePassVariance,
    BesselCorrection,
    OtherPlaceOfEps,
    EpsLost,
    EpsHardCoded,
    WeightWithoutOne,
    WeightIgnored,
    BiasIgnored,
    StatisticOfTheWholeRow,
    DependsOnBatch,
    DependsOnRun,
    DependsOnAlignment,
    TooFewBuffers,
    ShortBuffer,
    DeviceError,
}

/// A float64 engine with one fault.
struct Faulty {
    fault: Fault,
    runs: Cell<u32>,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Self { fault, runs: Cell::new(0) }
    }

    /// The specification as the fault misreads it.
    fn spec(&self, spec: NormSpec) -> NormSpec {
        match self.fault {
            Fault::OtherPlaceOfEps => NormSpec {
                eps_place: match spec.eps_place {
                    EpsPlace::Inside => EpsPlace::Outside,
                    EpsPlace::Outside => EpsPlace::Inside,
                },
                ..spec
            },
            Fault::EpsLost => NormSpec { eps: 0.0, ..spec },
            Fault::EpsHardCoded => NormSpec { eps: 1e-6, ..spec },
            Fault::WeightWithoutOne if spec.weight == Weight::OnePlus => spec.with_weight(Weight::Direct),
            Fault::StatisticOfTheWholeRow if matches!(spec.scale, Scale::Rms(_)) => {
                NormSpec { scale: Scale::Rms(Extent::Full), ..spec }
            }
            _ => spec,
        }
    }

    fn outcome(&self, job: &Job) -> Result<Outcome, Error> {
        let request = &job.plan.request;
        let spec = self.spec(NormSpec { eps: job.call.eps, ..request.spec });
        let x = job.gather(Tensor::X).unwrap_or_default();
        let neutral = |tensor, value| {
            let values = job.gather(tensor);
            let ignored = matches!(
                (self.fault, tensor),
                (Fault::WeightIgnored, Tensor::Weight) | (Fault::BiasIgnored, Tensor::Bias)
            );
            if ignored { values.map(|values| vec![value; values.len()]) } else { values }
        };
        let (weight, bias) = (neutral(Tensor::Weight, 1.0), neutral(Tensor::Bias, 0.0));
        let truth = reference::forward(&spec, request.dim, &x, weight.as_deref(), bias.as_deref())?;
        let mut y: Vec<f32> = truth.y.iter().map(|v| *v as f32).collect();
        let dim = request.dim as usize;
        if spec.scale == Scale::Std {
            self.recompute_variance(&spec, &x, &truth, dim, weight.as_deref(), bias.as_deref(), &mut y);
        }
        let mut stats: Vec<f32> = truth.rows.iter().flat_map(|row| [row.mean as f32, row.rstd as f32]).collect();
        self.spoil(job, &truth, &mut y, &mut stats);
        Ok(Outcome { y, stats: request.save_stats.then_some(stats) })
    }

    /// LayerNorm with a variance as the fault computes it, in f32.
    #[allow(clippy::too_many_arguments)]
    fn recompute_variance(
        &self,
        spec: &NormSpec,
        x: &[f32],
        truth: &Forward,
        dim: usize,
        weight: Option<&[f32]>,
        bias: Option<&[f32]>,
        y: &mut [f32],
    ) {
        for (row, x) in x.chunks_exact(dim).enumerate() {
            let n = dim as f32;
            let one_pass = x.iter().map(|v| v * v).sum::<f32>() / n - (x.iter().sum::<f32>() / n).powi(2);
            let mean = truth.rows[row].mean;
            let sum = x.iter().map(|v| (f64::from(*v) - mean).powi(2)).sum::<f64>();
            let variance = match self.fault {
                Fault::OnePassVariance => f64::from(one_pass),
                Fault::ClippedOnePassVariance => f64::from(one_pass.max(0.0)),
                Fault::BesselCorrection => sum / (dim as f64 - 1.0),
                _ => return,
            };
            let scale = 1.0 / (variance + f64::from(spec.eps)).sqrt();
            let shift = if spec.shift == Shift::Mean { mean } else { 0.0 };
            for (i, v) in x.iter().enumerate() {
                let weight = match (spec.weight, weight) {
                    (Weight::Direct, Some(w)) => f64::from(w[i]),
                    (Weight::OnePlus, Some(w)) => f64::from(1.0 + w[i]),
                    _ => 1.0,
                };
                let bias = bias.map_or(0.0, |b| f64::from(b[i]));
                y[row * dim + i] = ((f64::from(*v) - shift) * scale * weight + bias) as f32;
            }
        }
    }

    fn spoil(&self, job: &Job, truth: &Forward, y: &mut [f32], stats: &mut [f32]) {
        let run = self.runs.replace(self.runs.get() + 1);
        let view = job.call.view(Tensor::X);
        let moved = view.is_some_and(|view| view.offset != 0);
        let dim = job.plan.request.dim as usize;
        let Some(last) = y.len().checked_sub(1) else { return };
        let bound = tolerance::forward(&truth.rows[last / dim]);
        let off = |y: &mut [f32], bounds: f64| y[last] = (truth.y[last] + bounds * bound) as f32;
        let next = |v: f32| f32::from_bits(v.to_bits() ^ 1);
        match self.fault {
            Fault::Perturbed => off(y, 1.5),
            Fault::PerturbedWithinBound => off(y, 0.5),
            Fault::NanInOutput => y[last] = f32::NAN,
            Fault::InfinityInOutput => y[last] = f32::INFINITY,
            Fault::LastElementNotWritten => y[last] = f32::from_bits(rownorm::conformance::POISON_WORD),
            Fault::LastRowNotWritten => {
                y[last + 1 - dim..].fill(f32::from_bits(rownorm::conformance::POISON_WORD));
            }
            Fault::StatsNotWritten => stats.fill(f32::from_bits(rownorm::conformance::POISON_WORD)),
            Fault::StatsOff => stats.iter_mut().for_each(|v| *v *= 1.0001),
            Fault::DependsOnBatch if job.call.rows == 257 => y[0] = next(y[0]),
            Fault::DependsOnRun if run == 1 => y[last] = next(y[last]),
            Fault::DependsOnAlignment if moved => y[0] = next(y[0]),
            _ => {}
        }
    }
}

impl Engine for Faulty {
    fn name(&self) -> String {
        format!("{:?}", self.fault)
    }

    fn caps(&self) -> DeviceCaps {
        DeviceCaps { subgroups: Some(SubgroupSizes { min: 4, max: 128 }), ..DeviceCaps::baseline(Dialect::Naga) }
    }

    async fn run(&self, job: &Job) -> Result<Vec<Vec<u32>>, Error> {
        if self.fault == Fault::DeviceError {
            return Err(Error::Device("made up".into()));
        }
        let outcome = self.outcome(job)?;
        let view = *job.call.view(Tensor::Y).ok_or(Error::MissingTensor { tensor: Tensor::Y })?;
        let x = *job.call.view(Tensor::X).ok_or(Error::MissingTensor { tensor: Tensor::X })?;
        let dim = job.plan.request.dim;
        let end = view.offset + job.call.rows.saturating_sub(1) * view.row_stride + dim;
        let mut buffers = job.clone().scatter(&outcome);
        let of_y = job.written().iter().position(|index| *index == view.buffer).unwrap_or_default();
        let word = 0x3f80_0000;
        match self.fault {
            Fault::WordAfterTheEnd => buffers[of_y][end as usize] = word,
            Fault::WordBetweenRows if view.row_stride > dim => buffers[of_y][(view.offset + dim) as usize] = word,
            Fault::WordBeforeTheStart if view.offset > 0 => buffers[of_y][view.offset as usize - 1] = word,
            Fault::InputOverwritten if x.buffer == view.buffer && x.offset != view.offset => {
                buffers[of_y][x.offset as usize] = word;
            }
            Fault::TooFewBuffers => buffers.truncate(buffers.len() - 1),
            Fault::ShortBuffer => buffers[of_y].truncate(end as usize),
            _ => {}
        }
        Ok(buffers)
    }
}

fn report(fault: Fault, filter: &str) -> ConformanceReport {
    pollster::block_on(run(&Faulty::new(fault), Some(filter), |_| {}))
}

#[track_caller]
fn is_noticed(fault: Fault, filter: &str) {
    let honest = report(Fault::None, filter);
    assert!(honest.passed > 0, "{filter} names no case");
    assert_eq!(honest.failures, [], "the right engine fails {filter}");
    let report = report(fault, filter);
    assert!(report.failed > 0 && report.failed == report.failures.len(), "{fault:?} passes {filter}");
}

/// The engine that is right passes every case and every arrangement; so the failures below are due to
/// the faults. It is also a test of the cases themselves: no truth lies beyond what f32 can hold.
#[test]
fn the_right_engine_passes_everything() {
    let small = |case: &Case| case.rows * case.dim < 1 << 20;
    let engine = Faulty::new(Fault::None);
    for case in cases().iter().filter(|case| small(case)) {
        let report = pollster::block_on(run_case(&engine, case));
        assert_eq!(report.failures, [], "{}", case.name);
        assert!(!report.passed.is_empty(), "{} ran nowhere", case.name);
    }
}

#[test]
fn names_are_unique_and_found() {
    let cases = cases();
    let names: std::collections::BTreeSet<_> = cases.iter().map(|case| &case.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(rownorm::conformance::case("B05_mean_grows").is_some());
    assert!(rownorm::conformance::case("B05").is_none());
}

#[test]
fn an_element_off_by_more_than_the_bound() {
    is_noticed(Fault::Perturbed, "B01_large_mean");
    is_noticed(Fault::Perturbed, "table_64_rms");
    assert_eq!(report(Fault::PerturbedWithinBound, "table_64_rms").failed, 0, "the bound itself is allowed");
}

#[test]
fn values_that_are_no_numbers() {
    is_noticed(Fault::NanInOutput, "table_7_layer");
    is_noticed(Fault::InfinityInOutput, "table_7_layer");
}

#[test]
fn elements_that_were_not_written() {
    is_noticed(Fault::LastElementNotWritten, "table_7_layer");
    is_noticed(Fault::LastRowNotWritten, "B64_later_rows_untouched_257");
    is_noticed(Fault::StatsNotWritten, "rows_7_layer");
}

#[test]
fn saved_statistics_that_are_off() {
    is_noticed(Fault::StatsOff, "rows_7_layer");
    is_noticed(Fault::StatsOff, "rows_7_rms");
}

#[test]
fn guard_bands_that_were_overwritten() {
    is_noticed(Fault::WordAfterTheEnd, "B82_tail_of_5");
    is_noticed(Fault::WordBetweenRows, "gap_3_dim_21");
    is_noticed(Fault::WordBeforeTheStart, "offset_3_dim_21");
    is_noticed(Fault::InputOverwritten, "x_then_y_offset_3");
}

#[test]
fn wrong_formulas() {
    is_noticed(Fault::OnePassVariance, "B02_single_pass");
    is_noticed(Fault::OnePassVariance, "B05_mean_grows");
    is_noticed(Fault::ClippedOnePassVariance, "B08_clipped");
    is_noticed(Fault::BesselCorrection, "B29_population_variance");
    is_noticed(Fault::OtherPlaceOfEps, "B32_eps_inside_1e-5");
    is_noticed(Fault::OtherPlaceOfEps, "B32_eps_outside");
    is_noticed(Fault::EpsLost, "B23_one_element");
    is_noticed(Fault::EpsHardCoded, "B36_eps_not_forwarded_1e-5");
    is_noticed(Fault::WeightWithoutOne, "B41_one_plus_weight");
    is_noticed(Fault::StatisticOfTheWholeRow, "B88_partial");
    is_noticed(Fault::WeightIgnored, "variant_rms_weight_w_no_bias_eps_inside");
    is_noticed(Fault::BiasIgnored, "variant_rms_weight_w_bias_eps_inside");
}

#[test]
fn results_that_depend_on_what_they_must_not() {
    is_noticed(Fault::DependsOnBatch, "batch_24_layer");
    is_noticed(Fault::DependsOnRun, "repeat_24_rms");
    is_noticed(Fault::DependsOnAlignment, "alignment_24_std_scaled");
}

#[test]
fn engines_that_fail_or_return_too_little() {
    is_noticed(Fault::TooFewBuffers, "rows_7_layer");
    is_noticed(Fault::ShortBuffer, "rows_7_layer");
    is_noticed(Fault::DeviceError, "rows_7_layer");
}

/// Published values are compared with the reference first: a wrong one fails before any engine runs.
#[test]
fn a_published_value_that_disagrees_with_the_reference() {
    let case = Case::new("wrong", NormSpec::rms_plain(0.0), 1, 2, Values::Constant(1.0)).known(0, 1, "1.001");
    let report = pollster::block_on(run_case(&Faulty::new(Fault::None), &case));
    assert_eq!(report.failures.len(), 1);
    assert_eq!(report.failures[0].case, "wrong::reference");
}

/// The comparisons by themselves.
#[test]
fn comparisons_can_fail() {
    assert!(tolerance::within(1.0, 1.0, 0.0));
    assert!(!tolerance::within(f32::NAN, 1.0, f64::INFINITY));
    assert!(!tolerance::within(1.0, f64::NAN, f64::INFINITY));
    assert!(!tolerance::within(1.000_001, 1.0, 1e-7));
    assert!(tolerance::within(f32::INFINITY, 1e39, 1.0), "a truth beyond f32 is the infinity");
    assert!(!tolerance::within(f32::NEG_INFINITY, 1e39, 1.0));
    assert!(!tolerance::within(f32::MAX, 1e39, 1.0));
    assert!(check::same_bits("", &[0.0], &[-0.0]).is_err());
    assert!(check::same_bits("", &[1.0], &[1.0, 2.0]).is_err());
    assert!(check::same_bits("", &[f32::NAN], &[f32::NAN]).is_ok());
    let truth = reference::forward(&NormSpec::rms_plain(0.0), 2, &[1.0, 1.0], None, None).expect("a good input");
    assert!(check::truth(&[1.0, 1.0], &truth).is_ok());
    assert!(check::truth(&[1.0], &truth).is_err());
    assert!(check::truth(&[1.0, f32::NAN], &truth).is_err());
    let known = [Known { row: 0, index: 1, value: "1.0000000" }];
    assert!(check::known(|_| 1.0, true, &known, &truth).is_ok());
    assert!(check::known(|_| 1.00001, true, &known, &truth).is_err());
    assert!(check::known(|_| f64::NAN, true, &known, &truth).is_err());
    assert!(check::stats(&[0.0, 1.0], &truth).is_ok());
    assert!(check::stats(&[0.0, 1.0001], &truth).is_err());
    assert!(check::stats(&[f32::NAN, 1.0], &truth).is_err());
    assert!(check::stats(&[0.0], &truth).is_err());
}

/// A published decimal is granted its last digit and one rounding to f32, no more.
#[test]
fn published_decimals() {
    let near = |decimal: &str, expected: f64| (tolerance::published(decimal) / expected - 1.0).abs() < 1e-3;
    assert!(near("0.25", 0.005 + 0.25 * f64::from(f32::EPSILON)));
    assert!(near("-1.3416", 5e-5 + 1.3416 * f64::from(f32::EPSILON)));
    assert!(near("4.8e-8", 5e-10));
    assert!(near("1000", 0.5));
}

/// Claims of invariance are compared by bits, so that one unit in the last place fails.
#[test]
fn claims_cover_all_three_invariances() {
    let cases = cases();
    for claim in [Claim::BatchInvariant, Claim::Repeatable, Claim::AlignmentInvariant] {
        assert!(cases.iter().any(|case| case.claim == claim), "{claim:?}");
    }
    assert!(cases.iter().any(|case| case.placement.sharing == Sharing::InPlace));
}
