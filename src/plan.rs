//! The planner: from a specification and a device's capabilities to programs and dispatches.
//!
//! [`plan`] is pure: no device, no async, the same on every platform. It decides the strategy, the
//! vector width, the workgroup size and the WGSL dialect, and explains each in [`Plan::choices`].
//! A plan depends on the row length but not on the number of rows; [`Plan::dispatches`] (pure as
//! well) turns one [`Call`] into the bindings, uniforms and grids a host has to execute. Hosts
//! decide nothing.

mod call;
mod choose;
mod compose;
mod layout;
mod limits;
mod params;
mod tensor;

pub use call::{BoundTensor, Call, Dispatch};
pub use choose::Choice;
pub(crate) use choose::MAX_LANE_ONE;
pub use layout::{Access, Layout};
pub use params::Params;
pub use tensor::{Tensor, TensorView};

use crate::caps::DeviceCaps;
use crate::error::Result;
use crate::spec::{NormSpec, Strategy};

/// What a caller wants planned: a specification, a row length and how the tensors lie in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// Which normalization.
    pub spec: NormSpec,
    /// Elements in a row.
    pub dim: u64,
    /// How the tensors lie in memory.
    pub layout: Layout,
    /// Whether `mean` and `rstd` of each row are written to a tensor `stats: [rows, 2]`.
    pub save_stats: bool,
    /// The number of rows to expect, where the plan may depend on it. Without a hint a row's
    /// result never depends on how many rows are in the batch.
    pub rows_hint: Option<u64>,
    /// A strategy to use instead of the planner's choice.
    pub strategy: Option<Strategy>,
    /// Whether subgroup operations may be used where the device has them.
    pub allow_subgroups: bool,
}

impl Request {
    /// A forward pass over contiguous rows of `dim` elements.
    pub fn forward(spec: NormSpec, dim: u64) -> Self {
        Self {
            spec,
            dim,
            layout: Layout::contiguous(dim),
            save_stats: false,
            rows_hint: None,
            strategy: None,
            allow_subgroups: true,
        }
    }

    /// The same with tensors laid out otherwise.
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// The same, saving `mean` and `rstd` of each row.
    pub fn saving_stats(mut self) -> Self {
        self.save_stats = true;
        self
    }

    /// The same with a number of rows to expect.
    pub fn with_rows_hint(mut self, rows: u64) -> Self {
        self.rows_hint = Some(rows);
        self
    }

    /// The same with a strategy of the caller's choice.
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = Some(strategy);
        self
    }

    /// The same without subgroup operations.
    pub fn without_subgroups(mut self) -> Self {
        self.allow_subgroups = false;
        self
    }

    /// The tensors a call of this request reads or writes, in binding order.
    pub fn tensors(&self) -> Vec<Tensor> {
        let mut tensors = vec![Tensor::X];
        tensors.extend(self.spec.has_weight().then_some(Tensor::Weight));
        tensors.extend(self.spec.bias.then_some(Tensor::Bias));
        tensors.push(Tensor::Y);
        tensors.extend(self.save_stats.then_some(Tensor::Stats));
        tensors
    }
}

/// How a binding is used by a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BindingKind {
    /// The uniform block [`Params`].
    Uniform,
    /// A storage buffer that is read.
    Read,
    /// A storage buffer that is written (and, where x shares it, read).
    ReadWrite,
}

/// One binding of a program, in group 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Binding {
    /// `@binding(index)`.
    pub index: u32,
    /// What is bound; `None` is the uniform block.
    pub tensor: Option<Tensor>,
    /// How it is used.
    pub kind: BindingKind,
}

/// One compute program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// A name for tools and error messages.
    pub label: String,
    /// The whole program text: what runs is exactly this.
    pub wgsl: String,
    /// The entry point's name.
    pub entry_point: &'static str,
    /// Invocations in a workgroup.
    pub workgroup_size: u32,
    /// Rows that one workgroup normalizes.
    pub rows_per_workgroup: u32,
    /// The bindings of group 0.
    pub bindings: Vec<Binding>,
}

/// Programs for one request on one device, and why they look as they do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What was asked for.
    pub request: Request,
    /// The device planned for.
    pub caps: DeviceCaps,
    /// The strategy chosen.
    pub strategy: Strategy,
    /// The programs, in the order a call runs them.
    pub kernels: Vec<Kernel>,
    /// Each decision: what, which value, why.
    pub choices: Vec<Choice>,
}

impl Plan {
    /// Bytes of workgroup memory that one of its programs takes, at most.
    pub fn workgroup_memory(&self, kernel: &Kernel) -> u64 {
        limits::workgroup_memory(&self.request, self.strategy, kernel.workgroup_size)
    }
}

/// Plans a request for a device. Every input error is found here or in [`Plan::dispatches`],
/// before any GPU object exists.
pub fn plan(request: &Request, caps: &DeviceCaps) -> Result<Plan> {
    request.spec.validate(request.dim)?;
    caps.validate()?;
    request.layout.validate(request)?;
    limits::check_row(request, &caps.limits)?;
    let decision = choose::choose(request, caps)?;
    let kernel = compose::compose(request, caps, &decision)?;
    let plan = Plan {
        request: *request,
        caps: *caps,
        strategy: decision.strategy,
        kernels: vec![kernel],
        choices: decision.choices,
    };
    for kernel in &plan.kernels {
        limits::check_kernel(kernel, plan.workgroup_memory(kernel), &caps.limits)?;
    }
    Ok(plan)
}
