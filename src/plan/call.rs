//! From one call (rows and tensor views) to dispatches: range checks, overlap, row chunks, grids.

use super::layout::Access;
use super::params::Params;
use super::tensor::{Tensor, TensorView};
use super::{BindingKind, Plan};
use crate::error::{Error, Result};
use crate::memory;
use crate::spec::Scale;

/// Bytes of an f32.
const ELEMENT: u64 = 4;

/// Words a program may index: keeps every u32 index computation inside its type.
const MAX_WINDOW_BYTES: u64 = 1 << 31;

/// One use of a plan: how many rows, and where each tensor lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Rows to normalize; 0 is fine and dispatches nothing.
    pub rows: u64,
    /// ε for this call; the specification's unless changed.
    pub eps: f32,
    /// Where the tensors of [`super::Request::tensors`] lie.
    pub views: Vec<(Tensor, TensorView)>,
}

impl Call {
    /// The view of a tensor.
    pub fn view(&self, tensor: Tensor) -> Option<&TensorView> {
        self.views.iter().find(|(t, _)| *t == tensor).map(|(_, view)| view)
    }
}

/// A byte range of a tensor's buffer, to be bound at an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoundTensor {
    /// `@binding(index)`.
    pub index: u32,
    /// Which tensor's buffer.
    pub tensor: Tensor,
    /// First byte, a multiple of the device's offset alignment.
    pub offset: u64,
    /// Length in bytes, a multiple of 4.
    pub size: u64,
}

/// One dispatch: a program, its uniform block, its bindings and its grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// Index into [`Plan::kernels`].
    pub kernel: usize,
    /// The uniform block, bound at 0.
    pub params: Params,
    /// The storage bindings.
    pub tensors: Vec<BoundTensor>,
    /// Workgroups in x and y (z is 1).
    pub grid: [u32; 2],
}

/// A tensor's range of bytes in its buffer.
struct Span {
    start: u64,
    end: u64,
}

impl Span {
    fn overlaps(&self, other: &Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The pairs of tensors in one buffer of which at least one is written.
fn shared_and_written(
    views: &[(Tensor, TensorView)],
) -> impl Iterator<Item = (Tensor, &TensorView, Tensor, &TensorView)> {
    let pairs = views.iter().enumerate().flat_map(|(index, a)| views[index + 1..].iter().map(move |b| (a, b)));
    pairs
        .filter(|((a, view_a), (b, view_b))| view_a.buffer == view_b.buffer && (a.is_output() || b.is_output()))
        .map(|((a, view_a), (b, view_b))| (*a, view_a, *b, view_b))
}

impl Plan {
    /// Turns a call into dispatches; checks everything about it first.
    pub fn dispatches(&self, call: &Call) -> Result<Vec<Dispatch>> {
        self.caps.validate()?;
        let request = &self.request;
        let spec = crate::spec::NormSpec { eps: call.eps, ..request.spec };
        spec.validate(request.dim)?;
        let tensors = request.tensors();
        if let Some((tensor, _)) = call.views.iter().find(|(t, _)| !tensors.contains(t)) {
            return Err(Error::UnusedTensor { tensor: *tensor });
        }
        for tensor in &tensors {
            let view = call.view(*tensor).ok_or(Error::MissingTensor { tensor: *tensor })?;
            self.check_view(*tensor, view, call.rows)?;
        }
        self.check_sharing(call)?;
        if call.rows == 0 {
            return Ok(Vec::new());
        }
        let chunk = self.rows_per_chunk(call)?;
        let mut dispatches = memory::reserve(call.rows.div_ceil(chunk))?;
        let mut first = 0;
        while first < call.rows {
            let rows = chunk.min(call.rows - first);
            dispatches.push(self.dispatch(call, first, rows)?);
            first += rows;
        }
        Ok(dispatches)
    }

    fn check_view(&self, tensor: Tensor, view: &TensorView, rows: u64) -> Result<()> {
        let dim = tensor.row_len(self.request.dim);
        if tensor.is_per_row() && view.row_stride < dim {
            return Err(Error::Stride { tensor, stride: view.row_stride, dim });
        }
        let aligned = view.offset.is_multiple_of(4) && (!tensor.is_per_row() || view.row_stride.is_multiple_of(4));
        if self.request.layout.access(tensor) == Access::Vec4 && !aligned {
            return Err(Error::Alignment { tensor, offset: view.offset, stride: view.row_stride });
        }
        let span = span(tensor, view, self.request.dim, rows)?;
        if span.end > view.buffer_size {
            return Err(Error::BufferTooSmall { tensor, needed: span.end, actual: view.buffer_size });
        }
        Ok(())
    }

    /// Two tensors in one buffer of which one is written: x and y through one binding, with the very same elements
    /// or ranges apart; outputs through bindings apart.
    fn check_sharing(&self, call: &Call) -> Result<()> {
        let x_in_y = self.request.layout.x_in_y;
        for (a, view_a, b, view_b) in shared_and_written(&call.views) {
            let (span_a, span_b) = (self.span(call, a, view_a)?, self.span(call, b, view_b)?);
            let same = (a == Tensor::X && b == Tensor::Y || a == Tensor::Y && b == Tensor::X)
                && view_a.offset == view_b.offset
                && view_a.row_stride == view_b.row_stride;
            if span_a.overlaps(&span_b) && !same {
                return Err(Error::Overlap { a, b });
            }
        }
        let buffer = |tensor| call.view(tensor).map(|view| view.buffer);
        let shared = buffer(Tensor::X) == buffer(Tensor::Y);
        if shared != x_in_y {
            let word = |shared| if shared { "share" } else { "do not share" };
            return Err(Error::Sharing { a: Tensor::X, b: Tensor::Y, found: word(shared), planned: word(!shared) });
        }
        let alignment = self.caps.limits.min_storage_buffer_offset_alignment;
        for (a, view_a, b, view_b) in shared_and_written(&call.views) {
            if x_in_y && (a == Tensor::X || b == Tensor::X) {
                continue; // not bound: the binding of y holds it
            }
            if !(a.is_output() && b.is_output()) {
                let (tensor, written) = if b.is_output() { (a, b) } else { (b, a) };
                return Err(Error::ReadWriteConflict { tensor, written });
            }
            // WebGPU lets written bindings share a buffer, but no byte.
            let bound = |tensor, view| {
                let mut span = self.span(call, tensor, view)?;
                if let (true, Tensor::Y, Some(x)) = (x_in_y, tensor, call.view(Tensor::X)) {
                    let x = self.span(call, Tensor::X, x)?;
                    span = Span { start: span.start.min(x.start), end: span.end.max(x.end) };
                }
                Ok::<_, Error>(Span { start: span.start / u64::from(alignment) * u64::from(alignment), ..span })
            };
            if call.rows > 0 && bound(a, view_a)?.overlaps(&bound(b, view_b)?) {
                return Err(Error::Aliasing { a, b, alignment });
            }
        }
        Ok(())
    }

    fn span(&self, call: &Call, tensor: Tensor, view: &TensorView) -> Result<Span> {
        span(tensor, view, self.request.dim, call.rows)
    }

    /// The most rows whose bindings all fit the device's limits.
    fn rows_per_chunk(&self, call: &Call) -> Result<u64> {
        let limits = &self.caps.limits;
        let limit = limits.max_storage_buffer_binding_size.min(MAX_WINDOW_BYTES);
        let groups = u64::from(limits.max_compute_workgroups_per_dimension).pow(2);
        let per_group = u64::from(self.kernels[0].rows_per_workgroup);
        let mut chunk = call.rows.min(groups.saturating_mul(per_group)).min(u64::from(u32::MAX / 2));
        let alignment = u64::from(limits.min_storage_buffer_offset_alignment);
        for (tensor, view) in &call.views {
            let row = tensor.row_len(self.request.dim) * ELEMENT;
            let at_start = view.offset * ELEMENT % alignment;
            if !tensor.is_per_row() || call.rows == 1 {
                if at_start + row > limit {
                    return Err(Error::RowExceedsBinding { tensor: *tensor, needed: at_start + row, limit });
                }
                continue;
            }
            let stride = view.row_stride * ELEMENT;
            let lead = largest_lead(view.offset * ELEMENT, stride, call.rows, alignment);
            if lead + row > limit {
                return Err(Error::RowExceedsBinding { tensor: *tensor, needed: lead + row, limit });
            }
            chunk = chunk.min((limit - lead - row) / stride + 1);
        }
        if self.request.layout.x_in_y {
            chunk = chunk.min(self.rows_of_shared_window(call, limit)?);
        }
        Ok(chunk)
    }

    /// x and y share one binding: the window must hold both.
    fn rows_of_shared_window(&self, call: &Call, limit: u64) -> Result<u64> {
        let (Some(x), Some(y)) = (call.view(Tensor::X), call.view(Tensor::Y)) else { return Ok(u64::MAX) };
        let alignment = u64::from(self.caps.limits.min_storage_buffer_offset_alignment);
        let beyond = |needed| Error::Limit {
            what: "the window of x and y in the buffer they share, in bytes,",
            needed,
            limit_name: "maxStorageBufferBindingSize",
            limit,
        };
        let first = x.offset.min(y.offset) * ELEMENT;
        if call.rows == 1 || x.row_stride != y.row_stride {
            // Different strides move the two apart from chunk to chunk: one chunk must hold all.
            let end = |tensor, view| span(tensor, view, self.request.dim, call.rows).map(|span| span.end);
            let needed = end(Tensor::X, x)?.max(end(Tensor::Y, y)?) - first / alignment * alignment;
            return if needed > limit { Err(beyond(needed)) } else { Ok(call.rows) };
        }
        let stride = x.row_stride * ELEMENT;
        let apart = x.offset.abs_diff(y.offset) * ELEMENT;
        let lead = largest_lead(first, stride, call.rows, alignment);
        // The end of a row, of which `span` knows that it fits, but for the remainder.
        let needed = (apart + self.request.dim * ELEMENT).saturating_add(lead);
        if needed > limit {
            return Err(beyond(needed));
        }
        Ok((limit - needed) / stride + 1)
    }

    fn dispatch(&self, call: &Call, first: u64, rows: u64) -> Result<Dispatch> {
        let kernel = &self.kernels[0];
        let alignment = u64::from(self.caps.limits.min_storage_buffer_offset_alignment);
        // Nothing is divided by, so no ε: it would decide about the range of squares.
        let eps = if self.request.spec.scale == Scale::None { 0.0 } else { call.eps };
        let mut params = Params { rows: rows as u32, eps, ..Params::default() };
        let mut tensors = Vec::new();
        for binding in &kernel.bindings {
            let Some(tensor) = binding.tensor else { continue };
            debug_assert!(binding.kind != BindingKind::Uniform);
            let mut window = self.window(call, tensor, first, rows)?;
            if tensor == Tensor::Y && self.request.layout.x_in_y {
                let x = self.window(call, Tensor::X, first, rows)?;
                window = Span { start: window.start.min(x.start), end: window.end.max(x.end) };
                self.set_offset(&mut params, call, Tensor::X, x.start, window.start / alignment * alignment);
            }
            let start = window.start / alignment * alignment;
            let own = self.window(call, tensor, first, rows)?;
            self.set_offset(&mut params, call, tensor, own.start, start);
            tensors.push(BoundTensor { index: binding.index, tensor, offset: start, size: window.end - start });
        }
        let groups = rows.div_ceil(u64::from(kernel.rows_per_workgroup));
        Ok(Dispatch { kernel: 0, params, tensors, grid: grid(groups, &self.caps.limits) })
    }

    fn set_offset(&self, params: &mut Params, call: &Call, tensor: Tensor, start: u64, window: u64) {
        let offset = ((start - window) / ELEMENT) as u32;
        // Beyond u32 in a window of one row alone, which takes no step.
        let stride = call.view(tensor).map_or(0, |view| view.row_stride) as u32;
        match tensor {
            Tensor::X => (params.x_offset, params.x_stride) = (offset, stride),
            Tensor::Y => (params.y_offset, params.y_stride) = (offset, stride),
            Tensor::Stats => (params.stats_offset, params.stats_stride) = (offset, stride),
            Tensor::Weight => params.weight_offset = offset,
            Tensor::Bias => params.bias_offset = offset,
        }
    }

    /// The bytes of `rows` rows from row `first` of a tensor.
    fn window(&self, call: &Call, tensor: Tensor, first: u64, rows: u64) -> Result<Span> {
        let view = call.view(tensor).ok_or(Error::MissingTensor { tensor })?;
        let skip = if tensor.is_per_row() { first * view.row_stride } else { 0 };
        let moved = TensorView { offset: view.offset + skip, ..*view };
        span(tensor, &moved, self.request.dim, rows)
    }
}

/// The largest remainder in front of a window that begins with any of these rows, in bytes.
fn largest_lead(first: u64, stride: u64, rows: u64, alignment: u64) -> u64 {
    // Remainders differ by multiples of this step, and come round when each was met.
    let step = greatest_common_divisor(stride, alignment);
    if rows >= alignment / step {
        return first % step + alignment - step;
    }
    (0..rows).map(|row| (first % alignment + row * (stride % alignment)) % alignment).max().unwrap_or(0)
}

/// `b` is not 0.
fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if a.is_multiple_of(b) { b } else { greatest_common_divisor(b, a % b) }
}

/// Workgroups as a grid of at most two dimensions, as square as the limit asks for.
fn grid(groups: u64, limits: &crate::caps::Limits) -> [u32; 2] {
    let limit = u64::from(limits.max_compute_workgroups_per_dimension);
    let height = groups.div_ceil(limit);
    [groups.div_ceil(height) as u32, height as u32]
}

/// First and last byte a call touches in a tensor's buffer, in checked arithmetic.
fn span(tensor: Tensor, view: &TensorView, dim: u64, rows: u64) -> Result<Span> {
    let len = tensor.row_len(dim);
    let start = view.offset.checked_mul(ELEMENT);
    let elements = match (tensor.is_per_row(), rows) {
        (_, 0) => Some(0),
        (false, _) => Some(len),
        (true, rows) => (rows - 1).checked_mul(view.row_stride).and_then(|n| n.checked_add(len)),
    };
    let bytes = elements.and_then(|n| n.checked_mul(ELEMENT));
    let span = start.zip(bytes).and_then(|(start, bytes)| Some(Span { start, end: start.checked_add(bytes)? }));
    span.ok_or(Error::Overflow { what: "the end of a tensor in its buffer, in bytes," })
}
