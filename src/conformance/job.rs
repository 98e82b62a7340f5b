//! What an engine is given, and what is made of what it gives back.

use super::placement::{Placement, Sharing};
use crate::caps::DeviceCaps;
use crate::error::Result;
use crate::plan::{Call, Layout, Plan, Request, Tensor, TensorView, plan};

/// Fills every output element before a run: a quiet NaN that no computation returns.
pub const POISON_WORD: u32 = 0x7fc0_dead;

/// Fills everything that belongs to no tensor: a NaN, so that reading it shows in the result, with a
/// pattern of its own, so that overwriting it shows in the buffer.
pub const GUARD_WORD: u32 = 0x7fc0_9a3d;

/// Words behind the last tensor of a buffer. Stores of up to 64 bytes past the end stay inside.
const GUARD_LEN: u64 = 17;

/// The contiguous arrays of a call.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tensors {
    /// Number of rows.
    pub rows: u64,
    /// `[rows, dim]`.
    pub x: Vec<f32>,
    /// `[dim]`, where the specification has one.
    pub weight: Option<Vec<f32>>,
    /// `[dim]`, where the specification has one.
    pub bias: Option<Vec<f32>>,
}

/// A planned call with the content of its buffers: all that an engine needs.
#[derive(Debug, Clone)]
pub struct Job {
    /// What to run. Its capabilities may be narrower than the engine's.
    pub plan: Plan,
    /// Rows and views; `view.buffer` is an index into `buffers`.
    pub call: Call,
    /// What the buffers hold before the run, as words.
    pub buffers: Vec<Vec<u32>>,
}

/// What a run computed, contiguous.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// `[rows, dim]`.
    pub y: Vec<f32>,
    /// `[rows, 2]`: mean and rstd, where they were asked for.
    pub stats: Option<Vec<f32>>,
}

impl Job {
    /// Plans `request` (its layout follows from the placement) and lays the tensors out.
    pub fn new(request: &Request, caps: &DeviceCaps, tensors: &Tensors, placement: &Placement) -> Result<Self> {
        let mut views = Vec::new();
        let mut sizes = Vec::new();
        for group in placement.buffers(&request.tensors()) {
            let mut end = 0;
            let buffer = sizes.len();
            for tensor in group {
                let place = placement.place(tensor);
                let (len, row_stride) = (tensor.row_len(request.dim), tensor.row_len(request.dim) + place.gap);
                let over_x = tensor == Tensor::Y && placement.sharing == Sharing::InPlace;
                let view = match find(&views, Tensor::X) {
                    Some(x) if over_x => *x,
                    _ => TensorView { buffer, buffer_size: 0, offset: end + place.offset, row_stride },
                };
                let rows = if tensor.is_per_row() { tensors.rows } else { 1 };
                end = view.offset + rows.saturating_sub(1) * view.row_stride + if rows == 0 { 0 } else { len };
                views.push((tensor, view));
            }
            sizes.push(end + GUARD_LEN);
        }
        for (_, view) in &mut views {
            view.buffer_size = sizes[view.buffer] * 4;
        }
        let request = request.with_layout(Layout::of(request.dim, &views));
        let plan = plan(&request, caps)?;
        let call = Call { rows: tensors.rows, eps: request.spec.eps, views };
        let buffers = sizes.iter().map(|size| vec![GUARD_WORD; *size as usize]).collect();
        let mut job = Self { plan, call, buffers };
        // Poison first: in place, x replaces it.
        job.fill(Tensor::Y, |_| POISON_WORD);
        job.fill(Tensor::Stats, |_| POISON_WORD);
        job.fill(Tensor::X, |i| tensors.x[i].to_bits());
        for (tensor, values) in [(Tensor::Weight, &tensors.weight), (Tensor::Bias, &tensors.bias)] {
            if let Some(values) = values {
                job.fill(tensor, |i| values[i].to_bits());
            }
        }
        Ok(job)
    }

    /// The indices of the buffers that are written.
    pub fn written(&self) -> Vec<usize> {
        let mut written: Vec<_> =
            self.call.views.iter().filter(|(tensor, _)| tensor.is_output()).map(|(_, view)| view.buffer).collect();
        written.dedup();
        written
    }

    /// The values of a tensor before the run, contiguous: for engines that take arrays.
    pub fn gather(&self, tensor: Tensor) -> Option<Vec<f32>> {
        let view = find(&self.call.views, tensor)?;
        Some(self.read(tensor, &self.buffers[view.buffer]))
    }

    /// The written buffers after a run that computed `outcome`: for engines that return arrays.
    pub fn scatter(mut self, outcome: &Outcome) -> Vec<Vec<u32>> {
        self.fill(Tensor::Y, |i| outcome.y[i].to_bits());
        if let Some(stats) = &outcome.stats {
            self.fill(Tensor::Stats, |i| stats[i].to_bits());
        }
        let written = self.written();
        written.into_iter().map(|index| std::mem::take(&mut self.buffers[index])).collect()
    }

    /// Reads the outputs from the written buffers, in the order of [`Job::written`]. Everything in them that
    /// is no output must hold what it held before.
    pub fn collect(&self, after: &[Vec<u32>]) -> std::result::Result<Outcome, String> {
        let written = self.written();
        if written.len() != after.len() {
            return Err(format!("the engine returned {} buffers; {} are written", after.len(), written.len()));
        }
        let mut outcome = Outcome::default();
        for (index, after) in written.into_iter().zip(after) {
            let before = &self.buffers[index];
            if before.len() != after.len() {
                return Err(format!("the engine returned {} words of a buffer of {}", after.len(), before.len()));
            }
            let mut outputs = vec![false; before.len()];
            for (tensor, view) in self.call.views.iter().filter(|(t, view)| t.is_output() && view.buffer == index) {
                self.places(*tensor, view).for_each(|place| outputs[place] = true);
                match tensor {
                    Tensor::Stats => outcome.stats = Some(self.read(*tensor, after)),
                    _ => outcome.y = self.read(*tensor, after),
                }
            }
            let touched = (0..before.len()).find(|place| !outputs[*place] && before[*place] != after[*place]);
            if let Some(place) = touched {
                let last = outputs.iter().rposition(|output| *output).unwrap_or_default();
                return Err(format!(
                    "word {place} of {} was overwritten with {:#010x}; it belongs to no output (the last output word is {last})",
                    before.len(),
                    after[place]
                ));
            }
        }
        Ok(outcome)
    }

    fn places(&self, tensor: Tensor, view: &TensorView) -> impl Iterator<Item = usize> + use<> {
        let rows = if tensor.is_per_row() { self.call.rows } else { 1 };
        let len = tensor.row_len(self.plan.request.dim);
        let view = *view;
        (0..rows).flat_map(move |row| {
            let start = view.offset + row * view.row_stride;
            start as usize..(start + len) as usize
        })
    }

    fn read(&self, tensor: Tensor, buffer: &[u32]) -> Vec<f32> {
        let view = find(&self.call.views, tensor);
        view.map(|view| self.places(tensor, view).map(|place| f32::from_bits(buffer[place])).collect())
            .unwrap_or_default()
    }

    fn fill(&mut self, tensor: Tensor, word: impl Fn(usize) -> u32) {
        let Some(view) = find(&self.call.views, tensor).copied() else { return };
        for (i, place) in self.places(tensor, &view).enumerate() {
            self.buffers[view.buffer][place] = word(i);
        }
    }
}

fn find(views: &[(Tensor, TensorView)], tensor: Tensor) -> Option<&TensorView> {
    views.iter().find(|(t, _)| *t == tensor).map(|(_, view)| view)
}
