//! Random inputs: any specification, shape, offsets, strides, magnitude and mean gives a result within
//! the bound of the float64 truth, writes nothing else, and keeps what the mathematics promises. Inputs
//! are drawn by proptest with a fixed seed, so that a run can be repeated; a failure prints the smallest
//! input found. `ROWNORM_TEST_CASES` sets the number of inputs on each adapter.

use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use rownorm::conformance::{
    Case, Ended, Engine, Place, Placement, Sharing, Tensors, TwinEngine, Values, arrangements, check, execute,
};
use rownorm::plan::Request;
use rownorm::reference::{self, Forward};
use rownorm::spec::{EpsPlace, Extent, NormSpec, Scale, Shift, Weight};

mod support;
use support::{conclude, failed, on_target, targets};

fn specs() -> impl Strategy<Value = NormSpec> {
    let halves = prop_oneof![
        3 => Just((Shift::Mean, Scale::Std)),
        3 => Just((Shift::None, Scale::Rms(Extent::Full))),
        1 => (0.01..=1.0f64).prop_map(|p| (Shift::None, Scale::Rms(Extent::Fraction(p)))),
        1 => Just((Shift::None, Scale::Std)),
        1 => Just((Shift::Mean, Scale::None)),
    ];
    let eps = prop_oneof![Just(0.0f32), Just(1e-12), Just(1e-5), Just(1e-3), Just(1.0)];
    let place = prop_oneof![Just(EpsPlace::Inside), Just(EpsPlace::Outside)];
    let weight = prop_oneof![Just(Weight::None), Just(Weight::Direct), Just(Weight::OnePlus)];
    (halves, eps, place, weight, any::<bool>()).prop_map(|((shift, scale), eps, eps_place, weight, bias)| NormSpec {
        shift,
        scale,
        eps,
        eps_place,
        weight,
        bias,
    })
}

fn placements() -> impl Strategy<Value = Placement> {
    let place = || (0..70u64, 0..9u64).prop_map(|(offset, gap)| Place::new(offset, gap));
    let sharing = prop_oneof![
        4 => Just(Sharing::Apart),
        1 => Just(Sharing::InPlace),
        1 => Just(Sharing::XThenY),
        1 => Just(Sharing::YThenX),
        1 => Just(Sharing::Inputs),
    ];
    let contiguous = Just(Placement::CONTIGUOUS);
    let scattered = (place(), place(), place(), place(), place(), sharing)
        .prop_map(|(x, weight, bias, y, stats, sharing)| Placement { x, weight, bias, y, stats, sharing });
    prop_oneof![1 => contiguous, 3 => scattered]
}

/// Row lengths that are short, middling and long; rows so that the whole stays small.
fn shapes() -> impl Strategy<Value = (u64, u64)> {
    prop_oneof![4 => 1..80u64, 2 => 80..1200u64, 1 => 1200..9000u64]
        .prop_flat_map(|dim| (0..=(20_000 / dim).clamp(1, 300), Just(dim)))
}

/// Noise of any magnitude around a mean of up to 10⁶ deviations, within f32.
fn values() -> impl Strategy<Value = Values> {
    (-100..100i32, -6.0..6.0f64, any::<bool>(), any::<bool>()).prop_map(|(exponent, ratio, negative, centred)| {
        let spread = 2f64.powi(exponent);
        let mean = if centred { 0.0 } else { spread * 10f64.powf(ratio) };
        Values::Noise { mean: if negative { -mean } else { mean }, spread }
    })
}

fn inputs() -> impl Strategy<Value = Case> {
    let squeeze = prop_oneof![5 => Just(None), 1 => Just(Some(64 << 10))];
    (specs(), shapes(), values(), placements(), any::<bool>(), squeeze)
        .prop_filter("pRMSNorm reads at least one element", |(spec, (_, dim), ..)| spec.validate(*dim).is_ok())
        .prop_map(|(spec, (rows, dim), x, placement, save_stats, binding_size)| {
            let case = Case::new("property", spec, rows, dim, x).placed(placement);
            let case = if save_stats { case.saving_stats() } else { case };
            // A window that must hold x and y at once does not fit a small binding.
            let apart = !matches!(placement.sharing, Sharing::XThenY | Sharing::YThenX);
            match binding_size {
                Some(size) if apart => case.binding_size(size),
                _ => case,
            }
        })
}

fn truth(spec: &NormSpec, dim: u64, tensors: &Tensors) -> Result<Forward, TestCaseError> {
    reference::forward(spec, dim, &tensors.x, tensors.weight.as_deref(), tensors.bias.as_deref())
        .map_err(|error| TestCaseError::fail(error.to_string()))
}

/// Every arrangement of an adapter against the truth.
fn adapter_agrees(engine: &impl Engine, case: &Case) -> Result<(), TestCaseError> {
    let caps = case.caps(&engine.caps());
    let tensors = case.tensors();
    let truth = truth(&case.spec, case.dim, &tensors)?;
    for arrangement in arrangements(&case.request(), &caps, &engine.strategies()) {
        let request = Request { strategy: arrangement.strategy, ..case.request() };
        match pollster::block_on(execute(engine, &request, &caps, &tensors, &case.placement)) {
            Ok(outcome) => check::outcome(&outcome, &truth, &[]),
            Err(Ended::Skipped(_)) => Ok(()),
            Err(Ended::Failed(detail)) => Err(detail),
        }
        .map_err(|detail| TestCaseError::fail(format!("{}: {detail}", arrangement.name)))?;
    }
    Ok(())
}

/// What the formula promises of the reference: LayerNorm does not see a shift of its input, RMSNorm and
/// LayerNorm with ε = 0 no positive factor, and where the mean is 0 they are the same. Powers of two and
/// small integers keep the inputs exact.
fn reference_keeps_its_promises((dim, row, shift, exponent): (u64, u64, i32, i32)) -> Result<(), TestCaseError> {
    let integers: Vec<f32> = (0..dim).map(|i| Values::Noise { mean: 0.0, spread: 1000.0 }.at(row, i).round()).collect();
    let tensors = |x: Vec<f32>| Tensors { rows: 1, x, weight: None, bias: None };
    let near = |a: &Forward, b: &Forward| {
        let off = a.y.iter().zip(&b.y).find(|(a, b)| {
            let good = (**a - **b).abs() <= 1e-9; // false for NaN
            !good
        });
        off.map_or(Ok(()), |(a, b)| Err(TestCaseError::fail(format!("{a} and {b}"))))
    };
    let layer = NormSpec::layer_simple(0.0);
    let rms = NormSpec::rms_plain(0.0);
    let of = |spec: &NormSpec, x: Vec<f32>| truth(spec, dim, &tensors(x));
    near(&of(&layer, integers.clone())?, &of(&layer, integers.iter().map(|v| v + shift as f32).collect())?)?;
    for spec in [&layer, &rms] {
        let scaled = integers.iter().map(|v| v * 2f32.powi(exponent)).collect();
        near(&of(spec, integers.clone())?, &of(spec, scaled)?)?;
    }
    let balanced: Vec<f32> = integers.iter().flat_map(|v| [*v, -*v]).collect();
    let both = |spec: &NormSpec| truth(spec, 2 * dim, &tensors(balanced.clone()));
    near(&both(&layer)?, &both(&rms)?)
}

fn check_all<S: Strategy>(
    cases: u32,
    strategy: S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) -> Result<(), Failed> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(config, rng).run(&strategy, test).map_err(failed)
}

fn main() -> ExitCode {
    let cases = std::env::var("ROWNORM_TEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut trials = vec![Trial::test("reference::keeps_its_promises", || {
        check_all(300, (1..200u64, any::<u64>(), -1000..1000i32, -60..60i32), reference_keeps_its_promises)
    })];
    trials.push(Trial::test("twin::agrees_with_the_reference", || {
        check_all(500, inputs(), |case| adapter_agrees(&TwinEngine, &case))
    }));
    for target in targets() {
        trials.push(on_target(&target, "agrees_with_the_reference", move |engine| {
            check_all(cases, inputs(), |case| adapter_agrees(engine, &case))
        }));
    }
    conclude(trials)
}
