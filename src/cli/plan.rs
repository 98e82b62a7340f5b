//! `rownorm plan`: the planner's choices and why.

use serde::Serialize;

use super::exit::Result;
use super::output;
use super::program::{Planned, ProgramArgs};
use crate::plan::{BindingKind, Call, Dispatch, Kernel, Plan, Tensor, TensorView};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    program: ProgramArgs,
    /// Also show the dispatches of a call with this many contiguous rows
    #[arg(long, value_name = "N")]
    rows: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Dispatches that the readable form lists.
const MOST_SHOWN: usize = 4;

#[derive(Serialize)]
struct Document<'a> {
    adapter: &'a str,
    norm: &'static str,
    dim: u64,
    strategy: &'static str,
    choices: Vec<ChoiceEntry<'a>>,
    kernels: Vec<KernelEntry<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dispatches: Option<Vec<DispatchEntry>>,
}

#[derive(Serialize)]
struct ChoiceEntry<'a> {
    what: &'a str,
    value: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct KernelEntry<'a> {
    label: &'a str,
    entry_point: &'a str,
    workgroup_size: u32,
    rows_per_workgroup: u32,
    bindings: Vec<BindingEntry>,
}

#[derive(Serialize)]
struct BindingEntry {
    index: u32,
    holds: &'static str,
    kind: &'static str,
}

#[derive(Serialize)]
struct DispatchEntry {
    kernel: usize,
    rows: u32,
    grid: [u32; 2],
}

pub(super) fn run(args: &Args) -> Result {
    let Planned { adapter, plan } = args.program.plan("rownorm plan")?;
    let dispatches = args.rows.map(|rows| plan.dispatches(&contiguous(&plan, rows))).transpose()?;
    let document = Document {
        adapter: &adapter,
        norm: args.program.norm()?,
        dim: plan.request.dim,
        strategy: plan.strategy.name(),
        choices: plan.choices.iter().map(|c| ChoiceEntry { what: c.what, value: &c.value, why: &c.why }).collect(),
        kernels: plan.kernels.iter().map(kernel).collect(),
        dispatches: dispatches.map(|dispatches| dispatches.iter().map(dispatch).collect()),
    };
    if args.json { output::json(&document) } else { output::text(&describe(&document)) }
}

/// A call of contiguous rows, every tensor in a buffer of its own unless y is written over x. Buffers
/// are as large as the device allows, so that rows beyond are refused.
fn contiguous(plan: &Plan, rows: u64) -> Call {
    let request = &plan.request;
    let views = request.tensors().into_iter().enumerate().map(|(index, tensor)| {
        let in_place = request.layout.x_in_y && tensor == Tensor::Y;
        let buffer = if in_place { 0 } else { index };
        (tensor, TensorView::contiguous(buffer, plan.caps.limits.max_buffer_size, tensor.row_len(request.dim)))
    });
    Call { rows, eps: request.spec.eps, views: views.collect() }
}

fn kernel(kernel: &Kernel) -> KernelEntry<'_> {
    let bindings = kernel.bindings.iter().map(|binding| BindingEntry {
        index: binding.index,
        holds: binding.tensor.map_or("params", |tensor| tensor.name()),
        kind: match binding.kind {
            BindingKind::Uniform => "uniform",
            BindingKind::Read => "storage, read",
            BindingKind::ReadWrite => "storage, read_write",
        },
    });
    KernelEntry {
        label: &kernel.label,
        entry_point: kernel.entry_point,
        workgroup_size: kernel.workgroup_size,
        rows_per_workgroup: kernel.rows_per_workgroup,
        bindings: bindings.collect(),
    }
}

fn dispatch(dispatch: &Dispatch) -> DispatchEntry {
    DispatchEntry { kernel: dispatch.kernel, rows: dispatch.params.rows, grid: dispatch.grid }
}

fn describe(document: &Document<'_>) -> String {
    let mut text = format!("{} of rows of {} on {}\n\nchoices\n", document.norm, document.dim, document.adapter);
    let choices = document.choices.iter();
    let rows: Vec<_> = choices.map(|c| vec![format!("  {}", c.what), c.value.into(), c.why.into()]).collect();
    text.push_str(&output::table(&rows, 3));
    for (index, kernel) in document.kernels.iter().enumerate() {
        text.push_str(&format!(
            "\nkernel {index}: {}\n  entry point {}, workgroups of {}, {} rows a workgroup\n",
            kernel.label, kernel.entry_point, kernel.workgroup_size, kernel.rows_per_workgroup
        ));
        for binding in &kernel.bindings {
            text.push_str(&format!("  @binding({}) {} ({})\n", binding.index, binding.holds, binding.kind));
        }
    }
    let dispatches = document.dispatches.as_deref().unwrap_or_default();
    for (index, dispatch) in dispatches.iter().take(MOST_SHOWN).enumerate() {
        let [x, y] = dispatch.grid;
        text.push_str(&format!(
            "\ndispatch {index}: kernel {}, {} rows, grid {x} × {y}",
            dispatch.kernel, dispatch.rows
        ));
    }
    if let Some(more @ 1..) = dispatches.len().checked_sub(MOST_SHOWN) {
        text.push_str(&format!("\nand {more} more, {} in all (--json lists them)", dispatches.len()));
    }
    text
}
