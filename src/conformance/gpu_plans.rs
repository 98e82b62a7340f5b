//! The plans of hardware that is not at hand: the planner is told of a GPU, and whatever adapter there is
//! executes what it then plans. Rows beyond the ordinary stand among ordinary ones.

use super::case::Case;
use super::values::{Values, uniform};
use crate::caps::AdapterKind;
use crate::spec::NormSpec;

/// Both sides of every threshold of the planner for GPUs: one invocation a row, a subgroup, a workgroup
/// with 1 to 16 quads a lane held, streamed; with and without a tail.
const DIMS: [u64; 14] = [1, 8, 16, 17, 64, 100, 768, 1000, 1024, 1025, 4096, 8192, 16_384, 20_000];

/// No multiple of the rows that any program has in flight.
const ROWS: u64 = 37;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (index, dim) in (0..).zip(DIMS) {
        let layer = Case::new("layer", NormSpec::layer(1e-5), ROWS, dim, Values::Formula(mixed_rows)).saving_stats();
        let rms = Case::new("rms", NormSpec::rms(1e-6), ROWS, dim, Values::Formula(mixed_rows));
        let share = index + index / 4;
        for (case, kind, number) in [(layer, AdapterKind::Unknown, share), (rms, AdapterKind::Discrete, share + 2)] {
            let case = case.adapter(kind);
            let named = |name: &str| Case { name: format!("{name}_{dim}_{}", case.name), ..case.clone() };
            cases.push(named("gpu_planned").planned_only());
            // The longest rows are streamed, whatever the strategy: every one of them runs.
            let shared = named("gpu_shared");
            cases.push(if dim == 20_000 { shared } else { shared.share(number) });
        }
    }
    cases
}

/// Ordinary rows around huge and tiny ones, NaN and infinity, and means far from zero.
fn mixed_rows(row: u64, i: u64) -> f32 {
    let u = uniform(row, i);
    match row {
        4 => (u * 2f64.powi(126)) as f32,
        9 if i == 0 => f32::NAN,
        14 if i % 7 == 5 => f32::NAN,
        19 => (1e5 + 3f64.sqrt() * u) as f32,
        24 => (u * 2f64.powi(-100)) as f32,
        29 if i % 11 == 3 => f32::NEG_INFINITY,
        34 => (3f64.sqrt() * u - 1e5) as f32,
        36 => 0.0,
        _ => (0.3 + 2.0 * u) as f32,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::run::arrangements_of;
    use super::*;
    use crate::caps::{DeviceCaps, Dialect, SubgroupSizes};
    use crate::plan::{Request, plan};
    use crate::spec::Strategy;

    /// The ways in which a device's cases run a specification: strategy, held or streamed, subgroups that claim.
    fn ways(here: &DeviceCaps) -> BTreeSet<String> {
        let usable = |strategy: &Strategy| here.subgroups.is_some() || !strategy.needs_subgroups();
        let strategies: Vec<_> = Strategy::ALL.into_iter().filter(usable).collect();
        let mut ways = BTreeSet::new();
        for case in cases() {
            let caps = case.caps(here);
            assert!(!caps.is_software());
            let spec = if case.spec.bias { "layer" } else { "rms" };
            for arrangement in arrangements_of(&case, &caps, &strategies) {
                let request = Request { strategy: arrangement.strategy, ..case.request() };
                let plan = plan(&request, &caps).expect("every case is planned");
                let text = &plan.kernels[0].wgsl;
                let row = if text.contains("const HELD: u32 =") { "held" } else { "streamed" };
                // 128 invocations, at least 4 to a subgroup.
                let claims = if text.contains("const CLAIMS: u32 = 32u;") { " claimed" } else { "" };
                ways.insert(format!("{spec} {} {row}{claims}", plan.strategy));
            }
        }
        ways
    }

    #[test]
    fn every_way_in_which_gpus_are_planned_for_is_run() {
        for widths in [None, Some((4, 4)), Some((4, 128))] {
            let subgroups = widths.map(|(min, max)| SubgroupSizes { min, max });
            let here = DeviceCaps { adapter: AdapterKind::Cpu, subgroups, ..DeviceCaps::baseline(Dialect::Naga) };
            let met = ways(&here);
            let mut expected =
                vec!["row_per_invocation streamed", "row_per_workgroup held", "row_per_workgroup streamed"];
            if subgroups.is_some() {
                expected.extend([
                    "row_per_subgroup streamed claimed",
                    "row_per_workgroup_subgroup held",
                    "row_per_workgroup_subgroup streamed",
                ]);
            }
            for way in expected.iter().flat_map(|way| [format!("layer {way}"), format!("rms {way}")]) {
                assert!(met.contains(&way), "subgroups {subgroups:?}: no case runs {way}; they run {met:?}");
            }
        }
    }
}
