//! Values that cost digits or leave the range of f32.

use super::case::Case;
use super::values::{Values, uniform};
use crate::spec::NormSpec;

/// A specification of each kind, with ε.
fn specs(eps: f32) -> [(&'static str, NormSpec); 6] {
    [
        ("layer", NormSpec::layer(eps)),
        ("rms", NormSpec::rms(eps)),
        ("prms", NormSpec::prms(0.4, eps)),
        ("std_scaled", NormSpec::std_scaled(eps)),
        ("layer_eps_outside", NormSpec::layer(eps).eps_outside()),
        ("rms_eps_outside", NormSpec::rms(eps).eps_outside()),
    ]
}

pub(super) fn cases() -> Vec<Case> {
    [constants(), outliers(), means(), magnitudes(), epsilons()].into_iter().flatten().collect()
}

/// Constant and zero rows, short, long and streamed.
fn constants() -> Vec<Case> {
    let constant =
        Values::rows(&[&[0.0], &[1.0], &[-0.1], &[1234.1], &[1e-30], &[-3e38], &[f32::MIN_POSITIVE], &[16_777_217.0]]);
    let mut cases = Vec::new();
    for dim in [1, 3, 15, 16, 260, 4096, 20_001] {
        for (number, (name, spec)) in (dim..).zip([("layer", NormSpec::layer(1e-5)), ("rms", NormSpec::rms(1e-5))]) {
            let case = Case::new(format!("constant_{dim}_{name}"), spec, 8, dim, constant.clone());
            // At dim 260 other cases need every program too.
            cases.push(if dim == 260 { case.saving_stats() } else { case.share(number) });
        }
    }
    for (name, spec) in specs(0.0) {
        cases.push(Case::new(format!("constant_eps_0_{name}"), spec, 8, 33, constant.clone()));
        cases.push(Case::new(format!("zero_eps_0_{name}"), spec, 3, 33, Values::Constant(0.0)));
    }
    // Beyond the frame ε vanishes, and with it what rstd could be had from.
    let (spec, x) = (NormSpec::layer_simple(2e-38), Values::Constant(1e25));
    cases.push(Case::new("constant_tiny_eps_layer", spec, 3, 33, x).saving_stats());
    // By one lane a row, in its longest chains.
    let (spec, x) = (NormSpec::rms(0.0), Values::rows(&[&[1e25], &[-1.3e-25], &[0.1]]));
    cases.push(Case::new("constant_8192_rms", spec, 3, 8192, x).share(3));
    cases.push(Case::new("constant_centered", NormSpec::centered(), 8, 33, constant));
    cases.push(Case::new("minus_zero_row", NormSpec::layer(1e-5), 2, 33, Values::Constant(-0.0)));
    cases
}

/// One element far from all others: each row has it somewhere else, or of another size.
fn outliers() -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, spec) in specs(1e-5) {
        for dim in [33, 260] {
            cases.push(Case::new(format!("outlier_{dim}_{name}"), spec, 24, dim, Values::Formula(outlier)));
        }
    }
    cases.push(Case::new("outlier_8193_layer", NormSpec::layer(1e-5), 24, 8193, Values::Formula(outlier)));
    for dim in [768, 4096, 16_384] {
        for (name, spec) in [("layer", NormSpec::layer_simple(0.0)), ("rms", NormSpec::rms_plain(0.0))] {
            let title = format!("outlier_among_equals_{dim}_{name}");
            cases.push(Case::new(title, spec, 96, dim, Values::Formula(outlier_among_equals)));
        }
    }
    cases.push(Case::new("outlier_centered", NormSpec::centered(), 24, 260, Values::Formula(outlier)));
    cases
}

fn outlier(row: u64, i: u64) -> f32 {
    let at = [0, 1, 3, 4, 12, 7][row as usize % 6];
    let size = [1e3, -1e4, 1e6, 1e12][row as usize / 6 % 4];
    if i == at { size } else { uniform(row, i) as f32 }
}

/// The squares of all others are so many units in the last place of the outlier's, and the same number of them:
/// each addition in a chain rounds the same way.
fn outlier_among_equals(row: u64, i: u64) -> f32 {
    let at = [0, 1, 5, 20][row as usize % 4];
    let size = 1.5 + 0.5 * uniform(row, 1 << 40);
    let ulps = 20.0 * (1.0 + uniform(row, 1 << 41)) + 0.05;
    let other = size * (ulps * f64::from(f32::EPSILON)).sqrt();
    (if i == at { size } else { other * uniform(row, i).signum() }) as f32
}

/// mean/σ = 10⁰ … 10⁶ of either sign; and a step between two levels.
fn means() -> Vec<Case> {
    let mut cases = Vec::new();
    let specs = [
        ("layer", NormSpec::layer(1e-12)),
        ("layer_eps_0", NormSpec::layer_simple(0.0)),
        ("std_scaled", NormSpec::std_scaled(1e-12)),
        ("rms", NormSpec::rms(1e-12)),
        ("centered", NormSpec::centered()),
    ];
    for (name, spec) in specs {
        for dim in [33, 260, 4099] {
            let case = Case::new(format!("mean_over_sigma_{dim}_{name}"), spec, 14, dim, Values::Formula(far_mean));
            cases.push(if dim == 33 { case.saving_stats() } else { case });
        }
        cases.push(Case::new(format!("two_levels_{name}"), spec, 4, 260, Values::Formula(two_levels)));
        cases.push(Case::new(format!("ramp_{name}"), spec, 3, 260, Values::Formula(ramp)));
    }
    cases.push(Case::new("mean_over_sigma_65536_layer", NormSpec::layer(1e-12), 7, 65_536, Values::Formula(far_mean)));
    cases.push(Case::new("mean_over_sigma_65536_rms", NormSpec::rms(1e-12), 7, 65_536, Values::Formula(far_mean)));
    cases
}

fn far_mean(row: u64, i: u64) -> f32 {
    let ratio = 10f64.powi(row as i32 % 7);
    let sign = if row >= 7 { -1.0 } else { 1.0 };
    // A uniform number on [−√3, √3) has σ = 1.
    (sign * (ratio + 3f64.sqrt() * uniform(row, i))) as f32
}

/// The first 16 elements say nothing of the rest.
fn two_levels(row: u64, i: u64) -> f32 {
    let level = [1e2, 1e4, -1e5, 1e7][row as usize % 4];
    (if i < 20 { 1.0 } else { level } + uniform(row, i)) as f32
}

fn ramp(row: u64, i: u64) -> f32 {
    let slope = [1.0, 1e-3, 1e3][row as usize % 3];
    (1e4 + slope * i as f64) as f32
}

/// Every power of two from the smallest normal to 3·10³⁸, one a row; and all of them mixed in one row.
fn magnitudes() -> Vec<Case> {
    let mut cases = Vec::new();
    for (eps_name, eps) in [("eps_0", 0.0), ("eps_1e-5", 1e-5)] {
        for (name, spec) in specs(eps) {
            let title = format!("all_magnitudes_{eps_name}_{name}");
            cases.push(Case::new(title, spec, 254, 33, Values::Formula(every_power)));
            // A statistic of tiny elements alone would send the huge ones beyond f32.
            if name != "prms" {
                let title = format!("mixed_magnitudes_{eps_name}_{name}");
                cases.push(Case::new(title, spec, 6, 260, Values::Formula(mixed)));
            }
        }
    }
    // With nothing added to hide behind: tiny rows under an ε that makes up the statistic.
    for (number, (name, spec)) in (0..).zip(specs(1e-5)) {
        let spec = spec.without_affine();
        for dim in [33, 1951] {
            let case =
                Case::new(format!("all_magnitudes_{dim}_{name}_plain"), spec, 254, dim, Values::Formula(every_power));
            cases.push(if dim == 33 { case } else { case.share(number) });
        }
    }
    cases.push(Case::new("all_magnitudes_centered", NormSpec::centered(), 254, 33, Values::Formula(every_power)));
    cases.push(Case::new(
        "all_magnitudes_long_layer",
        NormSpec::layer_simple(0.0),
        254,
        260,
        Values::Formula(every_power),
    ));
    cases.push(Case::new("all_magnitudes_long_rms", NormSpec::rms_plain(0.0), 254, 260, Values::Formula(every_power)));
    // What the statistic does not read may be larger than what it reads by all that f32 has.
    let (tiny, x) = (1.99 * (-100f32).exp2(), |e: f32| 1.5 * e.exp2());
    let rows: [&[f32]; 3] = [&[tiny, x(27.0)], &[tiny, -x(28.0)], &[tiny, x(20.0)]];
    cases.push(Case::of_rows("unread_elements_prms", NormSpec::prms_first(1, 0.0).without_affine(), &rows));
    // All that it reads is 0, under an ε that has no normal reciprocal; and far below ε.
    let spec = NormSpec::prms_first(2, 1e38).without_affine().eps_outside();
    cases.push(Case::of_rows(
        "zero_part_under_huge_eps_prms",
        spec,
        &[&[0.0, 0.0, 1e38, 3e38], &[0.0, 0.0, 1e30, -2.0]],
    ));
    for (name, spec) in [("inside", NormSpec::prms(0.5, 1e38)), ("outside", NormSpec::prms(0.5, 1e30).eps_outside())] {
        let title = format!("all_magnitudes_under_huge_eps_{name}_prms");
        cases.push(Case::new(title, spec.without_affine(), 254, 33, Values::Formula(every_power)));
    }
    // Differences of a few units in the last place, under an ε that makes up the statistic.
    for (name, spec) in
        [("inside", NormSpec::layer_simple(1e-24)), ("outside", NormSpec::layer_simple(1e-12).eps_outside())]
    {
        for dim in [15, 33] {
            let title = format!("nearly_constant_tiny_eps_{name}_{dim}_layer");
            cases.push(Case::new(title, spec, 100, dim, Values::Formula(nearly_constant)));
        }
    }
    // ε has no part in re-centring alone.
    let spec = NormSpec { eps: 1e38, ..NormSpec::centered() };
    cases.push(Case::of_rows("eps_is_no_part_of_centered", spec, &[&[1e-20, 3e-20], &[1e-3, -2e-3]]));
    cases.push(Case::new("mixed_magnitudes_centered", NormSpec::centered(), 6, 260, Values::Formula(mixed)));
    cases
}

/// ±(1 … 1.75)·2^(row − 126): normal numbers alone.
fn every_power(row: u64, i: u64) -> f32 {
    let u = uniform(row, i);
    ((1.0 + 0.75 * u.abs()) * u.signum() * 2f64.powi(row as i32 - 126)) as f32
}

/// (1 + {0, 1, 2}·2⁻²²)·2^(row − 126).
fn nearly_constant(row: u64, i: u64) -> f32 {
    let step = (1.5 * (uniform(row, i) + 1.0)).floor();
    ((1.0 + step * 2f64.powi(-22)) * 2f64.powi(row as i32 - 126)) as f32
}

/// RMS from 2⁻¹⁰⁰ to 2¹⁰⁰, one a row, with a mean beside the deviation.
fn specified_rms(row: u64, i: u64) -> f32 {
    let v = (1.5 + 0.4 * uniform(row, i)) * 2f64.powi(row as i32 - 101);
    v.clamp(2f64.powi(-100), 2f64.powi(100)) as f32
}

fn mixed(row: u64, i: u64) -> f32 {
    match row {
        0 => every_power(i % 254, i),
        1 if i == 50 => 3e38,
        1 => 1.5e-38,
        2 if i.is_multiple_of(2) => 1e-30,
        2 => 1e30,
        3 => {
            if i == 259 {
                -2e20
            } else {
                uniform(row, i) as f32
            }
        }
        4 => {
            if i < 100 {
                1.2e-38
            } else {
                1.0
            }
        }
        _ => {
            if i == 0 {
                3e38
            } else if i == 1 {
                -3e38
            } else {
                1.0
            }
        }
    }
}

/// ε from the smallest normal to the largest f32, rows from zero to huge.
fn epsilons() -> Vec<Case> {
    let x = Values::Formula(|row, i| {
        (uniform(row, i) * [0.0, 1e-30, 1e-10, 1e-3, 1.0, 1e5, 1e18, 1e30][row as usize % 8]) as f32
    });
    let mut cases = Vec::new();
    let values = [
        ("smallest", f32::MIN_POSITIVE),
        ("1e-30", 1e-30),
        ("1e-12", 1e-12),
        ("1", 1.0),
        ("1e20", 1e20),
        ("largest", f32::MAX),
    ];
    for (eps_name, eps) in values {
        for (name, spec) in specs(eps) {
            cases.push(Case::new(format!("eps_{eps_name}_{name}"), spec, 8, 33, x.clone()));
        }
    }
    // Statistics of rows at both ends of what is specified, under every ε.
    for eps in [0.0, f32::MIN_POSITIVE, 1e-5, 1e12, 1e20, 1e30, 1e36, 1e38] {
        for (number, (name, spec)) in (0..).zip(specs(eps)) {
            let title = format!("stats_under_eps_{eps:e}_{name}");
            let case = Case::new(title, spec.without_affine(), 202, 33, Values::Formula(specified_rms)).saving_stats();
            cases.push(case.share(number));
        }
    }
    // The plan's ε is far from the call's.
    for (name, spec) in specs(1.0) {
        let case = Case::new(format!("eps_of_the_call_{name}"), spec, 8, 33, x.clone()).saving_stats();
        cases.push(case.planned_with_eps(1e-5));
    }
    cases
}
