//! From decisions to a program: which file fills each slot.

use super::choose::{Decision, Row, RowsAtOnce};
use super::layout::Access;
use super::tensor::Tensor;
use super::{Binding, BindingKind, Kernel, Request};
use crate::caps::{DeviceCaps, Dialect};
use crate::error::Result;
use crate::spec::{EpsPlace, Scale, Shift, Strategy, Weight};
use crate::wgsl::{self, ShaderFile};

/// `@binding` of the uniform block.
const PARAMS_INDEX: u32 = 0;

/// `@binding` of a tensor, as its shader file declares it.
const fn binding_index(tensor: Tensor) -> u32 {
    match tensor {
        Tensor::X => 1,
        Tensor::Weight => 2,
        Tensor::Bias => 3,
        Tensor::Y => 4,
        Tensor::Stats => 5,
    }
}

pub(super) fn compose(request: &Request, caps: &DeviceCaps, decision: &Decision) -> Result<Kernel> {
    let statistic_len = request.spec.statistic_len(request.dim)?;
    let mut constants =
        vec![("DIM", request.dim), ("STATISTIC_DIM", statistic_len), ("WORKGROUP", u64::from(decision.workgroup_size))];
    if let Row::Held { quads } = decision.row {
        constants.push(("HELD", u64::from(quads)));
        constants.push(("LANES", u64::from(decision.lanes)));
    }
    if let Some(claims) = decision.claims {
        constants.push(("CLAIMS", u64::from(claims)));
    }
    let directives: &[&str] = match (caps.dialect, decision.strategy.needs_subgroups()) {
        // Lanes of one subgroup take the same branch, which the uniformity analysis cannot see.
        (Dialect::Browser, true) => &["enable subgroups;", "diagnostic(off, subgroup_uniformity);"],
        _ => &[],
    };
    Ok(Kernel {
        label: format!("rownorm {} dim {}", decision.strategy, request.dim),
        wgsl: wgsl::join(directives, &constants, &files(request, decision)),
        entry_point: "rownorm",
        workgroup_size: decision.workgroup_size,
        rows_per_workgroup: decision.rows_per_workgroup,
        bindings: bindings(request),
    })
}

/// The file that fills each slot, in reading order.
fn files(request: &Request, decision: &Decision) -> Vec<ShaderFile> {
    let spec = &request.spec;
    let layout = &request.layout;
    let pick = |access, vec4, scalar| match access {
        Access::Vec4 => vec4,
        Access::Scalar => scalar,
    };
    let strategy = match decision.strategy {
        Strategy::RowPerWorkgroup | Strategy::RowPerWorkgroupSubgroup => wgsl::ROW_PER_WORKGROUP,
        Strategy::RowPerSubgroup if decision.claims.is_none() => wgsl::ROW_PER_ONLY_SUBGROUP,
        Strategy::RowPerSubgroup => wgsl::ROW_PER_SUBGROUP,
        Strategy::RowPerInvocation => wgsl::ROW_PER_INVOCATION,
    };
    let rows_at_once: &[ShaderFile] = match decision.rows_at_once {
        RowsAtOnce::One => &[wgsl::ROW_ONE],
        RowsAtOnce::Four => &[wgsl::ROW_FOUR, wgsl::ROW_WRITE_FOUR],
        RowsAtOnce::Several => &[wgsl::ROW_SEVERAL],
    };
    let row: &[ShaderFile] = match decision.row {
        Row::Held { quads } => &[
            if quads <= 8 { wgsl::ROW_HELD_EIGHT } else { wgsl::ROW_HELD_EIGHTS },
            wgsl::ROW_REGISTERS,
            wgsl::ROW_REGISTERS_SCALED,
            wgsl::ROW_REGISTERS_WEIGHT,
            wgsl::ROW_REGISTERS_BIAS,
        ],
        Row::Block => &[wgsl::ROW_SUM_BLOCK, wgsl::ROW_BLOCK],
        Row::Spans => &[wgsl::ROW_SUM_SPANS, wgsl::ROW_SUM_SPAN, wgsl::ROW_BLOCK],
        Row::Stretches => &[wgsl::ROW_SUM_STRETCHES, wgsl::ROW_SUM_SPAN, wgsl::ROW_BLOCK],
    };
    let passes: &[ShaderFile] = match (decision.rows_at_once, decision.row, decision.strategy) {
        (RowsAtOnce::Several, _, Strategy::RowPerInvocation) => &[wgsl::ROW_GUESS_ALONE, wgsl::ROW_APART],
        (RowsAtOnce::Several, ..) => &[wgsl::ROW_GUESS_SUBGROUP, wgsl::ROW_APART],
        (RowsAtOnce::Four, ..) => &[wgsl::ROW_APART],
        (RowsAtOnce::One, Row::Held { .. }, _) => &[wgsl::ROW_HELD],
        (RowsAtOnce::One, ..) => &[wgsl::ROW_WRITE, wgsl::ROW_STREAMED, wgsl::ROW_EXTREME],
    };
    let in_turns = decision.rows_at_once != RowsAtOnce::One || matches!(decision.row, Row::Spans | Row::Stretches);
    let turns: &[ShaderFile] = if in_turns { &[wgsl::ROW_TURNS] } else { &[] };
    let slots = [
        wgsl::STATISTIC_ROW,
        match spec.scale {
            Scale::Rms(_) => wgsl::STATISTIC_RMS,
            Scale::Std | Scale::None => wgsl::STATISTIC_MOMENTS,
        },
        match spec.eps_place {
            EpsPlace::Inside => wgsl::EPS_INSIDE,
            EpsPlace::Outside => wgsl::EPS_OUTSIDE,
        },
        match (spec.shift, spec.scale) {
            (Shift::None, _) => wgsl::NORMALIZE_SCALED,
            (Shift::Mean, Scale::None) => wgsl::NORMALIZE_CENTRED,
            (Shift::Mean, _) => wgsl::NORMALIZE_CENTRED_SCALED,
        },
        wgsl::AFFINE,
        match spec.weight {
            Weight::None => wgsl::WEIGHT_NONE,
            Weight::Direct => wgsl::WEIGHT_DIRECT,
            Weight::OnePlus => wgsl::WEIGHT_ONE_PLUS,
        },
        if spec.bias { wgsl::BIAS_PRESENT } else { wgsl::BIAS_NONE },
        if request.save_stats { wgsl::STATS_SAVED } else { wgsl::STATS_NONE },
        match decision.strategy {
            Strategy::RowPerWorkgroup => wgsl::REDUCE_TREE,
            Strategy::RowPerWorkgroupSubgroup => wgsl::REDUCE_WORKGROUP_SUBGROUPS,
            Strategy::RowPerSubgroup => wgsl::REDUCE_SUBGROUP,
            Strategy::RowPerInvocation => wgsl::REDUCE_NONE,
        },
        wgsl::LANE,
        wgsl::RANGE,
        wgsl::QUADS,
        if layout.x_in_y {
            pick(layout.x, wgsl::X_IN_Y_VEC4, wgsl::X_IN_Y_SCALAR)
        } else {
            pick(layout.x, wgsl::X_VEC4, wgsl::X_SCALAR)
        },
        if spec.has_weight() {
            pick(layout.weight, wgsl::WEIGHT_VEC4, wgsl::WEIGHT_SCALAR)
        } else {
            wgsl::WEIGHT_ABSENT
        },
        if spec.bias { pick(layout.bias, wgsl::BIAS_VEC4, wgsl::BIAS_SCALAR) } else { wgsl::BIAS_ABSENT },
        pick(layout.y, wgsl::Y_VEC4, wgsl::Y_SCALAR),
        wgsl::PARAMS,
    ];
    [&[strategy], rows_at_once, &[wgsl::ROW_NORMALIZE], row, passes, turns, &slots].concat()
}

fn bindings(request: &Request) -> Vec<Binding> {
    let uniform = Binding { index: PARAMS_INDEX, tensor: None, kind: BindingKind::Uniform };
    let storage = request.tensors().into_iter().filter_map(|tensor| {
        if tensor == Tensor::X && request.layout.x_in_y {
            return None; // read through y's binding
        }
        let kind = if tensor.is_output() { BindingKind::ReadWrite } else { BindingKind::Read };
        Some(Binding { index: binding_index(tensor), tensor: Some(tensor), kind })
    });
    std::iter::once(uniform).chain(storage).collect()
}
