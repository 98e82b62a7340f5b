//! The decisions: strategy, lanes, rows at once, rows held or streamed; each with its reason.
//!
//! Shares below are of a vec4 copy kernel's speed on the two software adapters measured: lavapipe
//! (Mesa 22.3, subgroups of 8) and SwiftShader (Chromium 156, subgroups of 4), two cores. No GPU has
//! been measured; what is chosen for one is marked as a guess.

use super::Request;
use crate::caps::{DeviceCaps, SubgroupSizes};
use crate::error::{Error, Result};
use crate::spec::Strategy;

/// One decision, explained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What was decided.
    pub what: &'static str,
    /// The value chosen.
    pub value: String,
    /// Why, with the measurement behind it or the word "guess".
    pub why: String,
}

impl Choice {
    fn new(what: &'static str, value: impl ToString, why: impl Into<String>) -> Self {
        Self { what, value: value.to_string(), why: why.into() }
    }
}

/// How many rows the lanes that share rows work on side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowsAtOnce {
    One,
    /// Four, streamed: a quad of the weight is loaded once for all.
    Four,
    /// Held one after another, and the weight with them.
    Several,
}

impl RowsAtOnce {
    /// `ROWS` of the file that fills the slot.
    pub const fn count(self) -> u32 {
        match self {
            RowsAtOnce::One => 1,
            RowsAtOnce::Four => 4,
            RowsAtOnce::Several => 16,
        }
    }
}

/// How a lane gets at its part of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// Read once, this many quads in registers.
    Held { quads: u32 },
    /// Read anew by every pass; one block of sums.
    Block,
    /// Read anew by every pass; sums fold over blocks and spans.
    Spans,
    /// The same, and over stretches.
    Stretches,
}

/// What the program text depends on beside the request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub strategy: Strategy,
    pub workgroup_size: u32,
    pub rows_at_once: RowsAtOnce,
    /// Groups of rows that the subgroups of a workgroup claim, where it may have several.
    pub claims: Option<u32>,
    /// Invocations that share a row: the fewest, where the device decides.
    pub lanes: u32,
    pub rows_per_workgroup: u32,
    pub row: Row,
    pub choices: Vec<Choice>,
}

/// Quads a lane may hold in registers on a GPU: 16 vec4 are 64 registers.
const MAX_HELD: u64 = 16;

/// Quads a lane may hold on a software adapter, whose registers are the CPU's stack; `row/held_eights.wgsl`
/// has names for so many. RMSNorm at 4096x768, 24 quads a lane: 0.89 of copy on lavapipe against 0.58 re-read.
const MAX_HELD_SOFTWARE: u64 = 32;

/// The same where subgroups have fewer than 8 lanes, and for lanes that are alone with their rows. SwiftShader
/// takes 1.5 s to compile 32 quads, 0.3 s for 8; a lone lane's loads lie a row apart from its neighbours'.
const MAX_HELD_NARROW: u64 = 8;

/// Quads in a block of sums (`sum_block` of `row/block.wgsl`).
const BLOCK: u64 = 32;

/// Quads in a stretch (`row/sum_stretches.wgsl`).
const STRETCH: u64 = 2048;

/// Elements a lane may own where it works on four rows, by the 65,535 loop iterations that lavapipe
/// lets an invocation run: four rows of 4,096 quads take at most 64,000.
const MAX_LANE_FOUR: u64 = 16_384;

/// Elements a lane may own of a single row: 16 stretches of the fold, at most 55,000 iterations.
pub(crate) const MAX_LANE_ONE: u64 = 131_072;

/// The widest workgroup used: WebGPU's guaranteed limit.
const MAX_WORKGROUP: u32 = 256;

pub(super) fn choose(request: &Request, caps: &DeviceCaps) -> Result<Decision> {
    let mut choices = Vec::new();
    let subgroups = caps.subgroups.filter(|_| request.allow_subgroups);
    let strategy = match request.strategy {
        Some(strategy) if strategy.needs_subgroups() && subgroups.is_none() => {
            let reason =
                if request.allow_subgroups { "the device has no subgroups" } else { "subgroups are ruled out" };
            return Err(Error::Strategy { strategy, reason: reason.into() });
        }
        Some(strategy) => {
            choices.push(Choice::new("strategy", strategy, "asked for"));
            strategy
        }
        None => {
            let (strategy, why) = pick_strategy(request, caps, subgroups);
            choices.push(Choice::new("strategy", strategy, why));
            strategy
        }
    };
    let widest = MAX_WORKGROUP
        .min(caps.limits.max_compute_invocations_per_workgroup)
        .min(caps.limits.max_compute_workgroup_size_x);
    let (workgroup_size, why) = workgroup_size(strategy, request, caps, subgroups);
    let workgroup_size = workgroup_size.min(previous_power_of_two(widest));
    choices.push(Choice::new("workgroup", workgroup_size, why));
    let lanes = lanes(strategy, workgroup_size, subgroups);
    let lane_elements = request.dim.div_ceil(u64::from(lanes));
    if lane_elements > MAX_LANE_ONE {
        let reason = format!(
            "rows of {} elements leave {lane_elements} to each of {lanes} lanes; at most {MAX_LANE_ONE} keep the accuracy and the loop limit",
            request.dim
        );
        return Err(Error::Strategy { strategy, reason });
    }
    let row = row(strategy, request, caps, lanes, &mut choices);
    let rows_at_once = rows_at_once(caps, row, lane_elements, &mut choices);
    let claims = match (strategy, subgroups) {
        (Strategy::RowPerSubgroup, _) if fixed_width(subgroups) == Some(workgroup_size) => None,
        // One subgroup may claim all of them, so they share a lane's loop iterations.
        (Strategy::RowPerSubgroup, Some(sizes)) => {
            let most = (MAX_LANE_ONE / lane_elements.max(1)).max(1);
            Some(u64::from(workgroup_size / sizes.min.max(1)).clamp(1, most) as u32)
        }
        _ => None,
    };
    let groups = if strategy == Strategy::RowPerInvocation { workgroup_size } else { claims.unwrap_or(1) };
    let rows_per_workgroup = groups * rows_at_once.count();
    Ok(Decision { strategy, workgroup_size, rows_at_once, claims, lanes, rows_per_workgroup, row, choices })
}

/// How many lanes a subgroup has, where the device has but one width; `row/guess_subgroup.wgsl` wants four.
fn fixed_width(subgroups: Option<SubgroupSizes>) -> Option<u32> {
    subgroups.filter(|sizes| sizes.min == sizes.max && sizes.min >= 4).map(|sizes| sizes.min)
}

/// Quads that so many lanes may each hold on a software adapter.
fn most_held(lanes: u32) -> u64 {
    if lanes >= 8 { MAX_HELD_SOFTWARE } else { MAX_HELD_NARROW }
}

fn pick_strategy(request: &Request, caps: &DeviceCaps, subgroups: Option<SubgroupSizes>) -> (Strategy, &'static str) {
    let dim = request.dim;
    if caps.is_software() {
        let quads = dim.div_ceil(4);
        return match (fixed_width(subgroups), subgroups) {
            _ if quads <= MAX_HELD_NARROW => (
                Strategy::RowPerInvocation,
                "software adapter, short rows: a lane holds a row in registers; LayerNorm at 65536x28 0.66 of copy on lavapipe against 0.42 for row_per_subgroup, 0.70 against 0.38 on SwiftShader",
            ),
            (Some(width), _) if quads <= most_held(width) * u64::from(width) => (
                Strategy::RowPerSubgroup,
                "software adapter: the lanes of a subgroup hold a row and the weight in registers, so that x is read once",
            ),
            (_, Some(sizes)) if sizes.min >= 8 && dim <= MAX_LANE_FOUR * u64::from(sizes.min) => (
                Strategy::RowPerSubgroup,
                "software adapter with subgroups of 8: at 512x4096 neighbouring loads reached 0.85 of copy, rows an invocation 0.57",
            ),
            _ if dim <= 8192 => (
                Strategy::RowPerInvocation,
                "software adapter: no reduction; at 512x4096 0.99 of copy against 0.87 for row_per_subgroup on SwiftShader",
            ),
            (_, Some(sizes)) if dim <= MAX_LANE_ONE * u64::from(sizes.min) => {
                (Strategy::RowPerSubgroup, "software adapter, long rows: whole rows an invocation leave cores idle")
            }
            _ => (Strategy::RowPerWorkgroup, "software adapter, rows too long for the lanes of a subgroup"),
        };
    }
    match subgroups {
        Some(_) if dim <= 1024 => (Strategy::RowPerSubgroup, "guess: up to 8 quads a lane of 32, no barrier"),
        Some(_) => (Strategy::RowPerWorkgroupSubgroup, "guess: a wide workgroup with one barrier a reduction"),
        None if dim <= 16 => (Strategy::RowPerInvocation, "guess: up to 4 quads a row are not worth a reduction"),
        None => (Strategy::RowPerWorkgroup, "guess: no subgroups offered; a tree in workgroup memory"),
    }
}

fn workgroup_size(
    strategy: Strategy,
    request: &Request,
    caps: &DeviceCaps,
    subgroups: Option<SubgroupSizes>,
) -> (u32, &'static str) {
    match strategy {
        Strategy::RowPerInvocation | Strategy::RowPerSubgroup if caps.is_software() => (
            subgroups.map_or(8, |sizes| sizes.min),
            "as wide as a subgroup: twice as wide halves the speed (SwiftShader: 0.87 of copy, then 0.45)",
        ),
        Strategy::RowPerInvocation => (64, "guess"),
        Strategy::RowPerSubgroup => (128, "guess: a few subgroups a workgroup"),
        _ if caps.is_software() => {
            let lanes = request.dim.div_ceil(MAX_LANE_FOUR).next_power_of_two().clamp(8, u64::from(MAX_WORKGROUP));
            (lanes as u32, "as few lanes as keep 16,384 elements a lane: barriers are dear on software adapters")
        }
        _ if request.rows_hint.is_some_and(|rows| rows <= 64) => {
            (MAX_WORKGROUP, "guess: few rows are expected, so each gets a wide workgroup")
        }
        _ => {
            let lanes = request.dim.div_ceil(16).next_power_of_two().clamp(32, u64::from(MAX_WORKGROUP));
            (lanes as u32, "guess: about 4 quads a lane")
        }
    }
}

/// The fewest lanes that may share a row.
fn lanes(strategy: Strategy, workgroup_size: u32, subgroups: Option<SubgroupSizes>) -> u32 {
    match strategy {
        Strategy::RowPerInvocation => 1,
        Strategy::RowPerSubgroup => subgroups.map_or(1, |sizes| sizes.min.min(workgroup_size)),
        _ => workgroup_size,
    }
}

fn row(strategy: Strategy, request: &Request, caps: &DeviceCaps, lanes: u32, choices: &mut Vec<Choice>) -> Row {
    let quads = request.dim.div_ceil(4).div_ceil(u64::from(lanes));
    let workgroup = matches!(strategy, Strategy::RowPerWorkgroup | Strategy::RowPerWorkgroupSubgroup);
    let (most, why_held) = match (strategy, caps.is_software()) {
        (Strategy::RowPerSubgroup, true) if fixed_width(caps.subgroups) == Some(lanes) => {
            (most_held(lanes), "software adapter: x is read once")
        }
        (Strategy::RowPerInvocation, true) => (most_held(lanes), "software adapter: x is read once"),
        _ if workgroup && !caps.is_software() => (MAX_HELD, "fits registers: x is read once"),
        _ => (0, ""),
    };
    if quads <= most {
        choices.push(Choice::new("row", format!("held, {quads} quads a lane"), why_held));
        return Row::Held { quads: quads as u32 };
    }
    let why = match (workgroup, caps.is_software()) {
        (true, false) => "more than 16 quads a lane would leave the registers",
        (true, true) => "software adapter: barriers cost more than re-reading",
        (false, _) => "the lanes own too many quads to hold",
    };
    let (row, value) = if quads <= BLOCK {
        (Row::Block, "streamed, one block of sums a lane")
    } else if quads <= STRETCH {
        (Row::Spans, "streamed, sums folded over blocks and spans")
    } else {
        (Row::Stretches, "streamed, sums folded over blocks, spans and stretches")
    };
    choices.push(Choice::new("row", value, why));
    row
}

fn rows_at_once(caps: &DeviceCaps, row: Row, lane_elements: u64, choices: &mut Vec<Choice>) -> RowsAtOnce {
    let held = matches!(row, Row::Held { .. });
    let (rows, value, why) = if caps.is_software() && held {
        (RowsAtOnce::Several, "16, one after another", "software adapter: the weight is read once for all of them")
    } else if caps.is_software() && lane_elements <= MAX_LANE_FOUR {
        (
            RowsAtOnce::Four,
            "4",
            "software adapter: one load of weight and bias serves four rows; LayerNorm at 512x4096 0.84 of copy against 0.43 on SwiftShader",
        )
    } else {
        (RowsAtOnce::One, "1", "guess: more rows in flight are worth more than fewer loads of the weight")
    };
    choices.push(Choice::new("rows at once", value, why));
    rows
}

fn previous_power_of_two(v: u32) -> u32 {
    1 << v.max(1).ilog2()
}
