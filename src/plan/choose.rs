//! The decisions: strategy, workgroup size, rows held or streamed, each with its reason.

use super::Request;
use crate::caps::DeviceCaps;
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

/// What the program text depends on beside the request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub strategy: Strategy,
    pub workgroup_size: u32,
    pub rows_per_workgroup: u32,
    /// Quads of a row each lane holds in registers; `None` streams the row.
    pub held: Option<u32>,
    pub choices: Vec<Choice>,
}

/// Rows that one invocation of `row_per_invocation` owns (`ROWS` in its file).
const ROWS_PER_INVOCATION: u32 = 4;

/// Quads a lane may hold in registers: 16 vec4 are 64 registers.
const MAX_HELD: u64 = 16;

pub(super) fn choose(request: &Request, caps: &DeviceCaps) -> Result<Decision> {
    let mut choices = Vec::new();
    let strategy = strategy(request, caps, &mut choices)?;
    let quads = request.dim.div_ceil(4);
    let workgroup_size = workgroup_size(strategy, request, caps, &mut choices);
    let lanes = u64::from(workgroup_size);
    let shares_row = matches!(strategy, Strategy::RowPerWorkgroup | Strategy::RowPerWorkgroupSubgroup);
    let held = quads.div_ceil(lanes);
    let held = (shares_row && !caps.is_software() && held <= MAX_HELD).then_some(held as u32);
    let rows_per_workgroup = match strategy {
        Strategy::RowPerInvocation => workgroup_size * ROWS_PER_INVOCATION,
        Strategy::RowPerSubgroup if caps.is_software() => 1,
        Strategy::RowPerSubgroup => 4,
        _ => 1,
    };
    Ok(Decision { strategy, workgroup_size, rows_per_workgroup, held, choices })
}

fn strategy(request: &Request, caps: &DeviceCaps, choices: &mut Vec<Choice>) -> Result<Strategy> {
    let subgroups = caps.subgroups.is_some() && request.allow_subgroups;
    if let Some(strategy) = request.strategy {
        if strategy.needs_subgroups() && !subgroups {
            let reason = "the device has no subgroups, or they were ruled out".to_string();
            return Err(Error::Strategy { strategy, reason });
        }
        choices.push(Choice { what: "strategy", value: strategy.to_string(), why: "asked for".into() });
        return Ok(strategy);
    }
    Ok(Strategy::RowPerInvocation)
}

fn workgroup_size(strategy: Strategy, request: &Request, caps: &DeviceCaps, _choices: &mut Vec<Choice>) -> u32 {
    if let Ok(v) = std::env::var("WG") {
        return v.parse().unwrap();
    }
    let _ = (strategy, request);
    if caps.is_software() { 8 } else { 64 }
}
