//! What must not change a bit: the batch around a row, the run, the alignment.

use super::case::{Case, Claim};
use super::values::Values;
use crate::spec::NormSpec;

pub(super) fn cases() -> Vec<Case> {
    let specs =
        [("layer", NormSpec::layer(1e-5)), ("rms", NormSpec::rms(1e-6)), ("std_scaled", NormSpec::std_scaled(1e-3))];
    let mut cases = Vec::new();
    for (name, spec) in specs {
        let claims = [
            ("batch", Claim::BatchInvariant, 1024, [24, 21]),
            ("repeat", Claim::Repeatable, 65, [24, 4099]),
            ("alignment", Claim::AlignmentInvariant, 5, [24, 1024]),
        ];
        for (claim_name, claim, rows, dims) in claims {
            for dim in dims {
                let x = Values::Noise { mean: 0.7, spread: 3.0 };
                let case = Case::new(format!("{claim_name}_{dim}_{name}"), spec, rows, dim, x);
                cases.push(case.saving_stats().claiming(claim));
            }
        }
    }
    let layer = NormSpec::layer(1e-5);
    let long = Values::Noise { mean: 1e3, spread: 1.0 };
    cases.push(Case::new("alignment_20000_layer", layer, 3, 20_000, long.clone()).claiming(Claim::AlignmentInvariant));
    cases.push(Case::new("repeat_70000_layer", layer, 3, 70_000, long).claiming(Claim::Repeatable));
    cases
}
