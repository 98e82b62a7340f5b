//! A case: everything about one input, as data.

use super::job::Tensors;
use super::placement::Placement;
use super::values::Values;
use crate::caps::{AdapterKind, DeviceCaps};
use crate::plan::Request;
use crate::spec::NormSpec;

/// A published result: the element and its value as it was printed, with as many digits as are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Row.
    pub row: u64,
    /// Index in the row.
    pub index: u64,
    /// The value in decimal.
    pub value: &'static str,
}

/// What the planner is told instead of the truth: limits smaller than the device's, to reach with little data
/// what takes much, and another kind of adapter, to execute the plans of hardware that is not at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Squeeze {
    /// `maxStorageBufferBindingSize`: forces row chunks.
    pub binding_size: Option<u64>,
    /// `maxComputeWorkgroupsPerDimension`: forces two-dimensional grids.
    pub workgroups: Option<u32>,
    /// The kind of adapter planned for.
    pub adapter: Option<AdapterKind>,
}

/// What a case claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The result lies within the tolerance of the float64 truth, and of the published values.
    Truth,
    /// A row's result is bit for bit the same alone, among 7, 257 or all rows, and wherever it stands.
    BatchInvariant,
    /// The same run gives the same bits three times.
    Repeatable,
    /// Every offset and stride gives the bits of the contiguous layout.
    AlignmentInvariant,
}

/// In which arrangements a case runs. Compiling is what takes time on software adapters (a quarter of a
/// second a program), so tables that sweep one thing share the strategies out among their cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The planner's choice and every strategy.
    All,
    /// The planner's choice: for inputs too large to run in every arrangement.
    Planned,
    /// One strategy by its place in [`Strategy::ALL`](crate::spec::Strategy::ALL) (counted round), else the planner's choice where the
    /// device lacks it.
    Share(u64),
}

/// One input and what is claimed of its result.
#[derive(Debug, Clone)]
pub struct Case {
    /// Unique; rows of the table of reported faults start with their id.
    pub name: String,
    /// Which normalization.
    pub spec: NormSpec,
    /// Rows.
    pub rows: u64,
    /// Elements in a row.
    pub dim: u64,
    /// x.
    pub x: Values,
    /// weight, where the specification has one.
    pub weight: Values,
    /// bias, where the specification has one.
    pub bias: Values,
    /// Whether mean and rstd are saved, and judged.
    pub save_stats: bool,
    /// Where the tensors lie.
    pub placement: Placement,
    /// What the planner is told instead of the truth.
    pub squeeze: Squeeze,
    /// The specification's ε when it is planned, where each call brings the case's own.
    pub planned_eps: Option<f32>,
    /// Published results.
    pub known: Vec<Known>,
    /// What is claimed.
    pub claim: Claim,
    /// In which arrangements it runs.
    pub coverage: Coverage,
}

impl Case {
    /// Contiguous tensors, judged by the truth; weight is noise from 0.25 to 1.75, bias from −0.5 to 0.5.
    pub fn new(name: impl Into<String>, spec: NormSpec, rows: u64, dim: u64, x: Values) -> Self {
        Self {
            name: name.into(),
            spec,
            rows,
            dim,
            x,
            weight: Values::Noise { mean: 1.0, spread: 0.75 },
            bias: Values::Noise { mean: 0.0, spread: 0.5 },
            save_stats: false,
            placement: Placement::CONTIGUOUS,
            squeeze: Squeeze::default(),
            planned_eps: None,
            known: Vec::new(),
            claim: Claim::Truth,
            coverage: Coverage::All,
        }
    }

    /// One or several rows written out; the dimension follows.
    pub fn of_rows(name: impl Into<String>, spec: NormSpec, rows: &[&[f32]]) -> Self {
        Self::new(name, spec, rows.len() as u64, rows[0].len() as u64, Values::rows(rows))
    }

    /// The same with this weight.
    pub fn weight(mut self, weight: Values) -> Self {
        self.weight = weight;
        self
    }

    /// The same with this bias.
    pub fn bias(mut self, bias: Values) -> Self {
        self.bias = bias;
        self
    }

    /// The same with weight 1 and bias 0: bound, but without effect.
    pub fn neutral(self) -> Self {
        self.weight(Values::Constant(1.0)).bias(Values::Constant(0.0))
    }

    /// The same, saving statistics.
    pub fn saving_stats(mut self) -> Self {
        self.save_stats = true;
        self
    }

    /// The same with tensors elsewhere.
    pub fn placed(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self
    }

    /// The same with a smaller `maxStorageBufferBindingSize`.
    pub fn binding_size(mut self, bytes: u64) -> Self {
        self.squeeze.binding_size = Some(bytes);
        self
    }

    /// The same with a smaller `maxComputeWorkgroupsPerDimension`.
    pub fn workgroups(mut self, workgroups: u32) -> Self {
        self.squeeze.workgroups = Some(workgroups);
        self
    }

    /// The same, planned for another kind of adapter.
    pub fn adapter(mut self, kind: AdapterKind) -> Self {
        self.squeeze.adapter = Some(kind);
        self
    }

    /// The same, planned with another ε than the calls have.
    pub fn planned_with_eps(mut self, eps: f32) -> Self {
        self.planned_eps = Some(eps);
        self
    }

    /// The same with a whole row's published values.
    pub fn known_row(mut self, row: u64, values: &[&'static str]) -> Self {
        self.known.extend(values.iter().zip(0..).map(|(value, index)| Known { row, index, value }));
        self
    }

    /// The same with one published value.
    pub fn known(mut self, row: u64, index: u64, value: &'static str) -> Self {
        self.known.push(Known { row, index, value });
        self
    }

    /// The same with another claim.
    pub fn claiming(mut self, claim: Claim) -> Self {
        self.claim = claim;
        self
    }

    /// The same, run by the planner's own choice alone.
    pub fn planned_only(mut self) -> Self {
        self.coverage = Coverage::Planned;
        self
    }

    /// The same, run by one strategy: the cases of a table share them out by a number of their own.
    pub fn share(mut self, number: u64) -> Self {
        self.coverage = Coverage::Share(number);
        self
    }

    /// The request, but for layout and strategy.
    pub fn request(&self) -> Request {
        let spec = NormSpec { eps: self.planned_eps.unwrap_or(self.spec.eps), ..self.spec };
        let request = Request::forward(spec, self.dim);
        if self.save_stats { request.saving_stats() } else { request }
    }

    /// A device's capabilities with limits made smaller and the kind of adapter planned for.
    pub fn caps(&self, caps: &DeviceCaps) -> DeviceCaps {
        let mut caps = DeviceCaps { adapter: self.squeeze.adapter.unwrap_or(caps.adapter), ..*caps };
        let limits = &mut caps.limits;
        if let Some(size) = self.squeeze.binding_size {
            limits.max_storage_buffer_binding_size = limits.max_storage_buffer_binding_size.min(size);
        }
        if let Some(workgroups) = self.squeeze.workgroups {
            limits.max_compute_workgroups_per_dimension = limits.max_compute_workgroups_per_dimension.min(workgroups);
        }
        caps
    }

    /// The arrays.
    pub fn tensors(&self) -> Tensors {
        // A row of its own, so that weight and bias are unlike each other and any row of x.
        let vector = |values: &Values, row| (0..self.dim).map(|index| values.at(row, index)).collect();
        Tensors {
            rows: self.rows,
            x: self.x.fill(self.rows, self.dim),
            weight: self.spec.has_weight().then(|| vector(&self.weight, 1 << 40)),
            bias: self.spec.bias.then(|| vector(&self.bias, 1 << 41)),
        }
    }
}
