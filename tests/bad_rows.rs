//! A row that holds a NaN or an infinity comes out as NaN, y and statistics, and the rows beside it keep their
//! bits. WGSL lets a compiler assume that neither occurs, so on an adapter this is no promise; it is what the
//! adapters tested here answer for rows of two elements or more. On the CPU it is one (`tests/twin/`).

use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};
use rownorm::conformance::{Values, check};
use rownorm::gpu::{Context, Input, Output};
use rownorm::spec::Scale;
use rownorm::{NormSpec, Request, Strategy};

mod support;
use support::{adapter_names, conclude, context, failed, no_gpu};

const ROWS: usize = 9;
const BAD_ROWS: [usize; 5] = [1, 3, 5, 6, 7];
const BAD: [u32; 5] = [0x7fc0_0000, 0x7f80_0000, 0xff80_0000, 0xffc0_0000, 0x7fff_ffff];

fn main() -> ExitCode {
    let specs = [
        ("layer", NormSpec::layer_simple(1e-5)),
        ("layer_eps_0", NormSpec::layer_simple(0.0)),
        ("rms", NormSpec::rms_plain(1e-5)),
        ("rms_eps_outside", NormSpec::rms_plain(1e-5).eps_outside()),
        ("std_scaled", NormSpec::std_scaled(1e-3).without_affine()),
        ("prms", NormSpec::prms(0.5, 1e-5).without_affine()),
        ("centered", NormSpec::centered()),
    ];
    let mut trials = Vec::new();
    for name in adapter_names() {
        for (spec_name, spec) in specs {
            let adapter = name.clone();
            let trial = Trial::test(format!("{name}::{spec_name}"), move || {
                let context = context(&adapter).map_err(|text| failed(format!("adapter {adapter:?}: {text}")))?;
                // Not 1: lavapipe takes x − x for 0, whatever x is.
                for dim in [3, 100, 9000] {
                    bad_rows_are_nan_and_alone(&context, spec, dim)?;
                }
                Ok(())
            });
            trials.push(trial.with_ignored_flag(no_gpu()));
        }
    }
    conclude(trials)
}

/// By the planner's choice and by every strategy that the adapter has.
fn bad_rows_are_nan_and_alone(context: &Context, spec: NormSpec, dim: usize) -> Result<(), Failed> {
    let good = Values::Noise { mean: 0.3, spread: 2.0 }.fill(ROWS as u64, dim as u64);
    let mut bad = good.clone();
    let read = spec.statistic_len(dim as u64).map_err(failed)? as usize;
    for (row, bits) in BAD_ROWS.into_iter().zip(BAD) {
        bad[row * dim + row * 7 % read] = f32::from_bits(bits);
    }
    let usable = |strategy: &Strategy| context.caps().subgroups.is_some() || !strategy.needs_subgroups();
    let strategies = Strategy::ALL.into_iter().filter(usable).map(Some);
    for strategy in [None].into_iter().chain(strategies) {
        let request = Request { strategy, save_stats: true, ..Request::forward(spec, dim as u64) };
        let run = |x: &[f32]| pollster::block_on(context.run(&request, &Input { x, ..Input::default() }));
        let (good, bad) = (run(&good).map_err(failed)?, run(&bad).map_err(failed)?);
        for row in 0..ROWS {
            let what = format!("dim {dim}, {strategy:?}, row {row}");
            let (good, bad) = (of_row(&spec, &good, row, dim), of_row(&spec, &bad, row, dim));
            if !BAD_ROWS.contains(&row) {
                check::same_bits(&what, &good, &bad).map_err(failed)?;
            } else if let Some(i) = bad.iter().position(|v| !v.is_nan()) {
                return Err(failed(format!("{what}: element {i} is {:e}", bad[i])));
            }
        }
    }
    Ok(())
}

/// y of a row, and of its statistics those that it computes: the mean where its statistic has one, rstd where
/// it is re-scaled.
fn of_row(spec: &NormSpec, output: &Output, row: usize, dim: usize) -> Vec<f32> {
    let stats = output.stats.as_ref().map_or(&[][..], |stats| &stats[2 * row..][..2]);
    let mean = !matches!(spec.scale, Scale::Rms(_));
    let rstd = spec.scale != Scale::None;
    let computed = [mean, rstd].into_iter().zip(stats).filter(|(computed, _)| *computed).map(|(_, v)| *v);
    output.y[row * dim..][..dim].iter().copied().chain(computed).collect()
}
