//! Every specification, and every program that can come of one.

use std::collections::BTreeMap;

use super::case::Case;
use super::values::Values;
use crate::caps::DeviceCaps;
use crate::plan::{Access, Kernel, Layout, Request, plan};
use crate::spec::{EpsPlace, Extent, NormSpec, Scale, Shift, Strategy, Weight};

/// The rows of the table of variants, without affine part, ε inside.
fn bases(eps: f32) -> [(&'static str, NormSpec); 6] {
    let plain = NormSpec::rms_plain(eps);
    [
        ("layer", NormSpec::layer_simple(eps)),
        ("rms", plain),
        ("prms", NormSpec { scale: Scale::Rms(Extent::Fraction(0.3)), ..plain }),
        ("prms_first_5", NormSpec { scale: Scale::Rms(Extent::First(5)), ..plain }),
        ("std_scaled", NormSpec { scale: Scale::Std, ..plain }),
        ("centered", NormSpec { shift: Shift::Mean, scale: Scale::None, ..plain }),
    ]
}

/// All specifications: variant × weight × bias × place of ε. (ε has no place where nothing is re-scaled.)
pub fn specs(eps: f32) -> Vec<(String, NormSpec)> {
    let mut specs = Vec::new();
    for (name, base) in bases(eps) {
        for (weight_name, weight) in [("none", Weight::None), ("w", Weight::Direct), ("1_plus_w", Weight::OnePlus)] {
            for bias in [false, true] {
                for (place_name, eps_place) in [("inside", EpsPlace::Inside), ("outside", EpsPlace::Outside)] {
                    if base.scale == Scale::None && eps_place == EpsPlace::Outside {
                        continue;
                    }
                    let bias_name = if bias { "bias" } else { "no_bias" };
                    let name = format!("{name}_weight_{weight_name}_{bias_name}_eps_{place_name}");
                    specs.push((name, NormSpec { weight, bias, eps_place, ..base }));
                }
            }
        }
    }
    specs
}

/// Every specification, by turns on dim 22, which has a tail, and on dim 40, saving statistics. Strategies
/// and dims shift against each other and against weight, bias and place of ε from variant to variant.
pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, (name, spec)) in (0u64..).zip(specs(1e-3)) {
        let x = Values::Noise { mean: 0.5, spread: 2.0 };
        let case = |dim| Case::new(format!("variant_{name}_dim_{dim}"), spec, 6, dim, x.clone());
        // Specifications repeat with period 4 in bias and place of ε: shift the share with each period.
        let share = number + number / 4;
        let with_tail = (number + number / 12).is_multiple_of(2);
        cases.push(if with_tail { case(22) } else { case(40).saving_stats() }.share(share));
    }
    cases
}

/// A program and what it was made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Specification, strategy, layout and dim in words.
    pub name: String,
    /// What was asked for.
    pub request: Request,
    /// The program.
    pub kernel: Kernel,
}

/// The programs the planner can make for these capabilities, without repetitions of a text: every
/// specification × strategy on a row with and without a tail; and, for the specifications that bind
/// most and least, every layout × row length from one element to rows that no register file holds.
/// Slots are independent of each other but for this, so their other products hold nothing new.
pub fn programs(caps: &DeviceCaps) -> Vec<Program> {
    let mut programs = BTreeMap::new();
    let mut add = |spec_name: &str, spec, dim, layout, save_stats| {
        for strategy in Strategy::ALL {
            let request = Request { layout, save_stats, ..Request::forward(spec, dim) };
            // What a device does not offer, or a strategy does not serve, makes no program.
            let Ok(plan) = plan(&request.with_strategy(strategy), caps) else { continue };
            for kernel in plan.kernels {
                let stats = if save_stats { " stats" } else { "" };
                let name = format!("{spec_name} {strategy} dim {dim}{stats} {layout:?}");
                programs.entry(kernel.wgsl.clone()).or_insert(Program { name, request: plan.request, kernel });
            }
        }
    };
    for (name, spec) in specs(1e-5) {
        add(&name, spec, 22, Layout::contiguous(22), false);
        add(&name, spec, 40, Layout::contiguous(40), true);
    }
    let ends = [
        ("layer", NormSpec::layer(1e-5)),
        ("rms_plain", NormSpec::rms_plain(1e-5)),
        ("centered", NormSpec::centered()),
    ];
    for (name, spec) in ends {
        for dim in [1, 3, 16, 100, 1024, 1027, 40_000] {
            add(name, spec, dim, Layout::contiguous(dim), true);
            for layout in layouts(&spec, dim) {
                add(name, spec, dim, layout, false);
            }
        }
    }
    programs.into_values().collect()
}

/// The layouts that differ for a specification: each tensor by fours or one by one, x apart
/// from y or in its buffer.
fn layouts(spec: &NormSpec, dim: u64) -> Vec<Layout> {
    let choices: fn(bool) -> &'static [Access] =
        |both| if both { &[Access::Vec4, Access::Scalar] } else { &[Access::Scalar] };
    let by_fours = dim.is_multiple_of(4);
    let mut layouts = Vec::new();
    for &x in choices(by_fours) {
        for &y in choices(by_fours) {
            for &weight in choices(by_fours && spec.has_weight()) {
                for &bias in choices(by_fours && spec.bias) {
                    layouts.push(Layout { x, weight, bias, y, x_in_y: false });
                    // In one binding there is one element type.
                    if x == y {
                        layouts.push(Layout { x, weight, bias, y, x_in_y: true });
                    }
                }
            }
        }
    }
    layouts
}
