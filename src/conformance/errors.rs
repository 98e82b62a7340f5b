//! The input contract: what is refused, and with which words, before any GPU object exists.

use crate::caps::{DeviceCaps, Dialect, Limits};
use crate::error::{Error, Result};
use crate::plan::{Access, Call, Layout, Request, Tensor, TensorView, plan};
use crate::reference;
use crate::spec::{EpsPlace, Extent, MAX_DIM, NormSpec, Scale, Shift, Strategy, Weight};

/// An input and the error it must give.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// Unique.
    pub name: &'static str,
    attempt: fn() -> Result<()>,
    expected: Error,
}

impl Refusal {
    /// Tries the input; anything but the expected error is described.
    pub fn check(&self) -> Result<(), String> {
        match (self.attempt)() {
            // By text, since NaN in an error is not equal to itself; the text names variant and values.
            Err(error) if format!("{error:?}") == format!("{:?}", self.expected) => Ok(()),
            Err(error) => Err(format!("gave {error:?}; {:?} was expected", self.expected)),
            Ok(()) => Err(format!("was accepted; {:?} was expected", self.expected)),
        }
    }
}

const LAYER: NormSpec = NormSpec::layer(1e-5);
const RMS: NormSpec = NormSpec::rms(1e-6);

fn caps() -> DeviceCaps {
    DeviceCaps::baseline(Dialect::Naga)
}

/// Plans alone.
fn planned(spec: NormSpec, dim: u64) -> Result<()> {
    plan(&Request::forward(spec, dim), &caps()).map(|_| ())
}

/// The tensors of a contiguous RMSNorm, each in a buffer of so many bytes.
fn contiguous(bytes: u64, dim: u64) -> Vec<(Tensor, TensorView)> {
    [(Tensor::X, 0), (Tensor::Weight, 1), (Tensor::Y, 2)]
        .map(|(tensor, buffer)| (tensor, TensorView::contiguous(buffer, bytes, dim)))
        .to_vec()
}

/// Those of 3 × 8 in buffers of 1 KiB.
fn views() -> Vec<(Tensor, TensorView)> {
    contiguous(1024, 8)
}

/// Plans for the layout of `views` and makes the dispatches of a call.
fn called(rows: u64, dim: u64, views: Vec<(Tensor, TensorView)>) -> Result<()> {
    let request = Request::forward(RMS, dim).with_layout(Layout::of(dim, &views));
    dispatched(&request, &caps(), rows, RMS.eps, views)
}

fn dispatched(
    request: &Request,
    caps: &DeviceCaps,
    rows: u64,
    eps: f32,
    views: Vec<(Tensor, TensorView)>,
) -> Result<()> {
    plan(request, caps)?.dispatches(&Call { rows, eps, views }).map(|_| ())
}

/// Views with one of them changed.
fn with(tensor: Tensor, change: impl Fn(&mut TensorView)) -> Vec<(Tensor, TensorView)> {
    let mut views = views();
    views.iter_mut().filter(|(t, _)| *t == tensor).for_each(|(_, view)| change(view));
    views
}

/// A call of huge contiguous tensors that exist in the planner alone.
fn huge(rows: u64, dim: u64) -> Result<()> {
    called(rows, dim, contiguous(u64::MAX, dim))
}

/// Every refusal.
pub fn refusals() -> Vec<Refusal> {
    [specification(), shape(), arrays(), memory(), limits()].into_iter().flatten().collect()
}

fn refusal(name: &'static str, attempt: fn() -> Result<()>, expected: Error) -> Refusal {
    Refusal { name, attempt, expected }
}

fn specification() -> Vec<Refusal> {
    let eps = |eps: f32| Error::Eps { eps: f64::from(eps) };
    vec![
        refusal("refused_eps_negative", || planned(NormSpec::layer(-1e-5), 8), eps(-1e-5)),
        refusal("refused_eps_nan", || planned(NormSpec::rms(f32::NAN), 8), eps(f32::NAN)),
        refusal("refused_eps_infinite", || planned(NormSpec::rms(f32::INFINITY), 8), eps(f32::INFINITY)),
        refusal("B111_refused_eps_subnormal", || planned(NormSpec::rms(1e-45), 8), eps(1e-45)),
        refusal(
            "refused_eps_of_a_call",
            || dispatched(&Request::forward(RMS, 8), &caps(), 3, -1.0, views()),
            eps(-1.0),
        ),
        refusal("refused_p_0", || planned(NormSpec::prms(0.0, 1e-6), 8), Error::Fraction { p: 0.0 }),
        refusal("refused_p_negative", || planned(NormSpec::prms(-0.5, 1e-6), 8), Error::Fraction { p: -0.5 }),
        refusal("refused_p_above_1", || planned(NormSpec::prms(1.5, 1e-6), 8), Error::Fraction { p: 1.5 }),
        refusal("refused_p_nan", || planned(NormSpec::prms(f64::NAN, 1e-6), 8), Error::Fraction { p: f64::NAN }),
        refusal("B88_refused_k_0_by_p", || planned(NormSpec::prms(0.0625, 1e-6), 8), Error::Extent { k: 0, dim: 8 }),
        refusal("B88_refused_k_0", || planned(NormSpec::prms_first(0, 1e-6), 8), Error::Extent { k: 0, dim: 8 }),
        refusal("refused_k_above_dim", || planned(NormSpec::prms_first(9, 1e-6), 8), Error::Extent { k: 9, dim: 8 }),
        refusal(
            "refused_neither_half",
            || planned(NormSpec { shift: Shift::None, scale: Scale::None, ..RMS }, 8),
            Error::Spec {
                what: "neither re-centring nor re-scaling".into(),
                accepted: "choose Shift::Mean, Scale::Rms or Scale::Std",
            },
        ),
        refusal(
            "refused_centred_rms",
            || planned(NormSpec { shift: Shift::Mean, scale: Scale::Rms(Extent::Full), ..RMS }, 8),
            Error::Spec {
                what: "re-centring together with an uncentred RMS".into(),
                accepted: "a re-centred row is scaled by its standard deviation (Scale::Std) or not at all",
            },
        ),
    ]
}

fn shape() -> Vec<Refusal> {
    let dim = |dim| Error::Dim { dim, max: MAX_DIM };
    let end = || Error::Overflow { what: "the end of a tensor in its buffer, in bytes," };
    vec![
        refusal("B68_refused_dim_0", || planned(LAYER, 0), dim(0)),
        refusal("refused_dim_above_2_pow_25", || planned(LAYER, MAX_DIM + 1), dim(MAX_DIM + 1)),
        refusal("refused_dim_2_pow_32", || planned(LAYER, 1 << 32), dim(1 << 32)),
        refusal("B69_refused_rows_times_dim_beyond_64_bits", || huge(1 << 42, 1 << 22), end()),
        refusal(
            "B69_refused_rows_beyond_the_buffer",
            || called(65536, 65537, contiguous(256 << 20, 65537)),
            Error::BufferTooSmall { tensor: Tensor::X, needed: 65536 * 65537 * 4, actual: 256 << 20 },
        ),
        refusal(
            "refused_stride_below_dim",
            || called(3, 8, with(Tensor::X, |view| view.row_stride = 7)),
            Error::Stride { tensor: Tensor::X, stride: 7, dim: 8 },
        ),
        refusal(
            "refused_offset_beyond_64_bits",
            || called(3, 8, with(Tensor::Y, |view| view.offset = u64::MAX - 3)),
            end(),
        ),
    ]
}

fn arrays() -> Vec<Refusal> {
    fn reference(spec: NormSpec, x: &[f32], weight: Option<&[f32]>, bias: Option<&[f32]>) -> Result<()> {
        reference::forward(&spec, 4, x, weight, bias).map(|_| ())
    }
    vec![
        refusal(
            "refused_x_of_wrong_length",
            || reference(RMS, &[1.0; 6], Some(&[1.0; 4]), None),
            Error::Length { tensor: Tensor::X, actual: 6, expected: 8 },
        ),
        refusal(
            "B50_refused_weight_of_length_1",
            || reference(RMS, &[1.0; 8], Some(&[1.0]), None),
            Error::Length { tensor: Tensor::Weight, actual: 1, expected: 4 },
        ),
        refusal(
            "B50_refused_weight_of_length_12",
            || reference(RMS, &[1.0; 8], Some(&[1.0; 12]), None),
            Error::Length { tensor: Tensor::Weight, actual: 12, expected: 4 },
        ),
        refusal(
            "refused_bias_of_wrong_length",
            || reference(LAYER, &[1.0; 8], Some(&[1.0; 4]), Some(&[1.0; 5])),
            Error::Length { tensor: Tensor::Bias, actual: 5, expected: 4 },
        ),
        refusal(
            "refused_weight_missing",
            || reference(RMS, &[1.0; 8], None, None),
            Error::MissingTensor { tensor: Tensor::Weight },
        ),
        refusal(
            "refused_bias_unused",
            || reference(RMS, &[1.0; 8], Some(&[1.0; 4]), Some(&[1.0; 4])),
            Error::UnusedTensor { tensor: Tensor::Bias },
        ),
    ]
}

fn memory() -> Vec<Refusal> {
    use Tensor::{Stats, Weight as W, X, Y};
    fn share(change: impl Fn(&mut TensorView)) -> Vec<(Tensor, TensorView)> {
        with(Y, |view| {
            view.buffer = 0;
            change(view);
        })
    }
    fn stats_at(offset: u64, buffer: usize) -> Result<()> {
        let stats = (Stats, TensorView { offset, ..TensorView::contiguous(buffer, 1024, 2) });
        let views = views().into_iter().chain([stats]).collect();
        dispatched(&Request::forward(RMS, 8).saving_stats(), &caps(), 3, RMS.eps, views)
    }
    vec![
        refusal(
            "refused_view_missing",
            || called(3, 8, views().into_iter().filter(|(tensor, _)| *tensor != W).collect()),
            Error::MissingTensor { tensor: W },
        ),
        refusal(
            "refused_view_unused",
            || called(3, 8, views().into_iter().chain([(Stats, TensorView::contiguous(3, 1024, 2))]).collect()),
            Error::UnusedTensor { tensor: Stats },
        ),
        refusal(
            "refused_buffer_of_x_too_small",
            || called(3, 8, with(X, |view| view.buffer_size = 92)),
            Error::BufferTooSmall { tensor: X, needed: 96, actual: 92 },
        ),
        refusal(
            "refused_buffer_of_y_too_small_by_its_offset",
            || called(3, 8, with(Y, |view| (view.offset, view.buffer_size) = (1, 96))),
            Error::BufferTooSmall { tensor: Y, needed: 100, actual: 96 },
        ),
        refusal(
            "refused_buffer_of_weight_too_small",
            || called(3, 8, with(W, |view| view.buffer_size = 28)),
            Error::BufferTooSmall { tensor: W, needed: 32, actual: 28 },
        ),
        refusal(
            "refused_offset_against_the_plan",
            || dispatched(&Request::forward(RMS, 8), &caps(), 3, RMS.eps, with(X, |view| view.offset = 2)),
            Error::Alignment { tensor: X, offset: 2, stride: 8 },
        ),
        refusal(
            "refused_stride_against_the_plan",
            || dispatched(&Request::forward(RMS, 8), &caps(), 3, RMS.eps, with(Y, |view| view.row_stride = 9)),
            Error::Alignment { tensor: Y, offset: 0, stride: 9 },
        ),
        refusal(
            "refused_vec4_access_to_rows_with_a_tail",
            || plan(&Request::forward(RMS, 6).with_layout(Layout::contiguous(8)), &caps()).map(|_| ()),
            Error::VectorAccess { tensor: X, dim: 6 },
        ),
        refusal(
            "refused_vec4_access_to_a_weight_with_a_tail",
            || {
                let layout = Layout { weight: Access::Vec4, ..Layout::contiguous(6) };
                plan(&Request::forward(RMS, 6).with_layout(layout), &caps()).map(|_| ())
            },
            Error::VectorAccess { tensor: W, dim: 6 },
        ),
        refusal(
            "refused_two_accesses_in_one_buffer",
            || {
                let layout = Layout { y: Access::Scalar, ..Layout::in_place(8) };
                plan(&Request::forward(RMS, 8).with_layout(layout), &caps()).map(|_| ())
            },
            Error::MixedAccess,
        ),
        refusal(
            "refused_overlap_by_one_row",
            || called(3, 8, share(|view| view.offset = 16)),
            Error::Overlap { a: X, b: Y },
        ),
        refusal(
            "refused_overlap_by_one_element",
            || called(3, 8, share(|view| view.offset = 23)),
            Error::Overlap { a: X, b: Y },
        ),
        refusal(
            "refused_in_place_with_another_stride",
            || called(3, 8, share(|view| view.row_stride = 12)),
            Error::Overlap { a: X, b: Y },
        ),
        refusal(
            "refused_interleaved_rows",
            || {
                let mut views = share(|view| (view.offset, view.row_stride) = (8, 16));
                views[0].1.row_stride = 16;
                called(3, 8, views)
            },
            Error::Overlap { a: X, b: Y },
        ),
        refusal(
            "refused_in_place_against_the_plan",
            || dispatched(&Request::forward(RMS, 8), &caps(), 3, RMS.eps, share(|_| {})),
            Error::Sharing { a: X, b: Y, found: "share", planned: "do not share" },
        ),
        refusal(
            "refused_apart_against_the_plan",
            || {
                let request = Request::forward(RMS, 8).with_layout(Layout::in_place(8));
                dispatched(&request, &caps(), 3, RMS.eps, views())
            },
            Error::Sharing { a: X, b: Y, found: "do not share", planned: "share" },
        ),
        refusal(
            "refused_weight_in_the_buffer_of_y",
            || called(3, 8, with(W, |view| (view.buffer, view.offset) = (2, 100))),
            Error::ReadWriteConflict { tensor: W, written: Y },
        ),
        refusal(
            "refused_stats_in_the_buffer_of_x",
            || stats_at(64, 0),
            Error::ReadWriteConflict { tensor: X, written: Stats },
        ),
        refusal("refused_stats_over_y", || stats_at(23, 2), Error::Overlap { a: Y, b: Stats }),
        refusal(
            // y ends at byte 96: the binding of stats would begin at 0, that of 256 is accepted.
            "refused_stats_close_behind_y",
            || {
                stats_at(64, 2)?;
                stats_at(24, 2)
            },
            Error::Aliasing { a: Y, b: Stats, alignment: 256 },
        ),
        refusal(
            "refused_stats_between_x_and_y",
            || {
                let stats = (Stats, TensorView { offset: 64, ..TensorView::contiguous(0, 4096, 2) });
                let views = share(|view| (view.offset, view.buffer_size) = (128, 4096));
                let views: Vec<_> = views.into_iter().chain([stats]).collect();
                let request = Request::forward(RMS, 8).saving_stats().with_layout(Layout::of(8, &views));
                dispatched(&request, &caps(), 3, RMS.eps, views)
            },
            Error::Aliasing { a: Y, b: Stats, alignment: 256 },
        ),
        refusal(
            "refused_weight_over_y",
            || called(3, 8, with(W, |view| view.buffer = 2)),
            Error::Overlap { a: W, b: Y },
        ),
    ]
}

/// One row on a device whose bindings hold 1 KiB.
fn bound_in_1024_bytes(spec: NormSpec, dim: u64, views: Vec<(Tensor, TensorView)>) -> Result<()> {
    let mut caps = caps();
    caps.limits.max_storage_buffer_binding_size = 1024;
    let request = Request::forward(spec, dim).with_layout(Layout::of(dim, &views));
    dispatched(&request, &caps, 1, spec.eps, views)
}

fn limits() -> Vec<Refusal> {
    fn limited(change: impl Fn(&mut Limits)) -> DeviceCaps {
        let mut caps = caps();
        change(&mut caps.limits);
        caps
    }
    fn small(dim: u64, offset: u64) -> Result<()> {
        let mut views = contiguous(1 << 20, dim);
        views.iter_mut().for_each(|(_, view)| view.offset = offset);
        bound_in_1024_bytes(RMS, dim, views)
    }
    let no_subgroups = |strategy, reason: &str| Error::Strategy { strategy, reason: reason.to_string() };
    vec![
        refusal(
            "refused_row_longer_than_a_binding",
            || small(257, 0),
            Error::RowExceedsBinding { tensor: Tensor::X, needed: 1028, limit: 1024 },
        ),
        refusal(
            "refused_row_longer_than_a_binding_by_its_remainder",
            || small(256, 1),
            Error::RowExceedsBinding { tensor: Tensor::X, needed: 1028, limit: 1024 },
        ),
        refusal(
            "refused_subgroups_that_a_device_lacks",
            || plan(&Request::forward(RMS, 8).with_strategy(Strategy::RowPerSubgroup), &caps()).map(|_| ()),
            no_subgroups(Strategy::RowPerSubgroup, "the device has no subgroups"),
        ),
        refusal(
            "refused_subgroups_ruled_out",
            || {
                let subgroups = Some(crate::caps::SubgroupSizes { min: 8, max: 8 });
                let request = Request::forward(RMS, 8).with_strategy(Strategy::RowPerWorkgroupSubgroup);
                plan(&request.without_subgroups(), &DeviceCaps { subgroups, ..caps() }).map(|_| ())
            },
            no_subgroups(Strategy::RowPerWorkgroupSubgroup, "subgroups are ruled out"),
        ),
        refusal(
            "refused_row_longer_than_a_buffer",
            || plan(&Request::forward(RMS, 257), &limited(|limits| limits.max_buffer_size = 1024)).map(|_| ()),
            Error::Limit { what: "a row's size in bytes", needed: 1028, limit_name: "maxBufferSize", limit: 1024 },
        ),
        refusal(
            "refused_more_storage_buffers_than_a_device_binds",
            || {
                let caps = limited(|limits| limits.max_storage_buffers_per_shader_stage = 4);
                plan(&Request::forward(LAYER, 8), &caps)?;
                plan(&Request::forward(LAYER, 8).saving_stats(), &caps).map(|_| ())
            },
            Error::Limit {
                what: "the number of storage buffers",
                needed: 5,
                limit_name: "maxStorageBuffersPerShaderStage",
                limit: 4,
            },
        ),
        refusal(
            "refused_more_workgroup_memory_than_a_device_has",
            || {
                // 256 lanes with two sums and a maximum each.
                let request = Request::forward(LAYER, 1 << 20).with_strategy(Strategy::RowPerWorkgroup);
                plan(&request, &limited(|limits| limits.max_compute_workgroup_storage_size = 3072))?;
                plan(&request, &limited(|limits| limits.max_compute_workgroup_storage_size = 3071)).map(|_| ())
            },
            Error::Limit {
                what: "workgroup memory in bytes",
                needed: 3072,
                limit_name: "maxComputeWorkgroupStorageSize",
                limit: 3071,
            },
        ),
        refusal(
            "refused_weight_longer_than_a_binding",
            || {
                let spec = NormSpec { eps_place: EpsPlace::Outside, weight: Weight::OnePlus, ..RMS };
                let mut views = contiguous(1 << 20, 256);
                views[1].1.offset = 3;
                bound_in_1024_bytes(spec, 256, views)
            },
            Error::RowExceedsBinding { tensor: Tensor::Weight, needed: 1036, limit: 1024 },
        ),
    ]
}
