//! The planner's pure half: specifications, layouts, and how a call becomes dispatches. Properties of
//! the dispatches are checked as such (every row once, every binding inside its buffer and aligned),
//! over shapes far beyond what a test could run.

use rownorm::caps::{AdapterKind, DeviceCaps, Dialect, SubgroupSizes};
use rownorm::plan::{Access, Call, Dispatch, Layout, Plan, Tensor, TensorView};
use rownorm::spec::{EpsPlace, Extent, MAX_DIM, NormSpec, Preset, Scale, Shift, Strategy, Weight};
use rownorm::{Error, Request, plan};

const RMS: NormSpec = NormSpec::rms(1e-6);

fn caps() -> DeviceCaps {
    DeviceCaps::baseline(Dialect::Naga)
}

/// Views of all tensors of a request, each in a buffer of its own.
fn views(request: &Request, rows: u64, offset: u64, gap: u64) -> Vec<(Tensor, TensorView)> {
    let view = |(buffer, tensor): (usize, Tensor)| {
        let row_stride = tensor.row_len(request.dim) + gap;
        let elements = if tensor.is_per_row() { rows * row_stride } else { row_stride };
        (tensor, TensorView { buffer, buffer_size: (offset + elements) * 4, offset, row_stride })
    };
    request.tensors().into_iter().enumerate().map(view).collect()
}

/// Plans for these views and makes the dispatches.
fn dispatches(
    request: &Request,
    caps: &DeviceCaps,
    rows: u64,
    views: Vec<(Tensor, TensorView)>,
) -> rownorm::Result<(Plan, Call, Vec<Dispatch>)> {
    let request = request.with_layout(Layout::of(request.dim, &views));
    let plan = plan(&request, caps)?;
    let call = Call { rows, eps: request.spec.eps, views };
    let dispatches = plan.dispatches(&call)?;
    Ok((plan, call, dispatches))
}

/// What must hold of every list of dispatches.
#[track_caller]
fn assert_sound(plan: &Plan, call: &Call, dispatches: &[Dispatch]) {
    let limits = &plan.caps.limits;
    let alignment = u64::from(limits.min_storage_buffer_offset_alignment);
    let dim = plan.request.dim;
    let mut first = 0;
    for dispatch in dispatches {
        let rows = u64::from(dispatch.params.rows);
        assert!(rows > 0);
        let [width, height] = dispatch.grid.map(u64::from);
        let most = u64::from(limits.max_compute_workgroups_per_dimension);
        assert!(width >= 1 && height >= 1 && width <= most && height <= most, "grid {:?}", dispatch.grid);
        let per_group = u64::from(plan.kernels[dispatch.kernel].rows_per_workgroup);
        assert!(width * height * per_group >= rows, "the grid misses rows");
        assert!((width * height - width) * per_group < rows, "a whole line of the grid is idle");
        for bound in &dispatch.tensors {
            let view = call.view(bound.tensor).expect("bound tensors were given");
            assert_eq!(bound.offset % alignment, 0);
            assert_eq!(bound.size % 4, 0);
            assert!(bound.size <= limits.max_storage_buffer_binding_size, "{} bytes", bound.size);
            assert!(bound.offset + bound.size <= view.buffer_size);
        }
        for (tensor, view) in &call.views {
            let in_y = *tensor == Tensor::X && plan.request.layout.x_in_y;
            let holder = if in_y { Tensor::Y } else { *tensor };
            let bound = dispatch.tensors.iter().find(|bound| bound.tensor == holder).expect("every tensor is bound");
            let (offset, stride) = match tensor {
                Tensor::X => (dispatch.params.x_offset, dispatch.params.x_stride),
                Tensor::Y => (dispatch.params.y_offset, dispatch.params.y_stride),
                Tensor::Stats => (dispatch.params.stats_offset, dispatch.params.stats_stride),
                Tensor::Weight => (dispatch.params.weight_offset, 0),
                Tensor::Bias => (dispatch.params.bias_offset, 0),
            };
            let skipped = if tensor.is_per_row() { first * view.row_stride } else { 0 };
            // The first element the program sees is the first of the chunk.
            assert_eq!(bound.offset + u64::from(offset) * 4, (view.offset + skipped) * 4, "{tensor}");
            // The last one lies inside the binding.
            let last = if tensor.is_per_row() { (rows - 1) * u64::from(stride) } else { 0 } + tensor.row_len(dim);
            assert!((u64::from(offset) + last) * 4 <= bound.size, "{tensor} beyond its binding");
            assert!(u64::from(offset) + last <= u64::from(u32::MAX), "{tensor} beyond u32");
            if tensor.is_per_row() && rows > 1 {
                assert_eq!(u64::from(stride), view.row_stride);
            }
        }
        first += rows;
    }
    assert_eq!(first, call.rows, "rows dispatched");
}

#[track_caller]
fn sound(request: &Request, caps: &DeviceCaps, rows: u64, offset: u64, gap: u64) -> usize {
    let (plan, call, list) =
        dispatches(request, caps, rows, views(request, rows, offset, gap)).expect("an accepted call");
    assert_sound(&plan, &call, &list);
    list.len()
}

#[test]
fn one_dispatch_where_everything_fits() {
    for rows in [1, 2, 7, 65_535, 65_536, 1_000_000] {
        assert_eq!(sound(&Request::forward(NormSpec::layer(1e-5), 4).saving_stats(), &caps(), rows, 0, 0), 1);
    }
}

#[test]
fn no_rows_no_dispatch() {
    assert_eq!(sound(&Request::forward(RMS, 4), &caps(), 0, 0, 0), 0);
    assert_eq!(sound(&Request::forward(RMS, 4), &caps(), 0, 5, 3), 0);
}

/// B101: 8192 × 4097 × 4 bytes are 32,768 more than one binding holds.
#[test]
fn rows_beyond_a_binding_are_chunked() {
    assert_eq!(sound(&Request::forward(RMS, 4097), &caps(), 8192, 0, 0), 2);
    assert_eq!(sound(&Request::forward(RMS, 4096), &caps(), 8192, 0, 0), 1, "exactly one binding");
    assert_eq!(sound(&Request::forward(RMS, 4096), &caps(), 8193, 0, 0), 2);
    assert_eq!(sound(&Request::forward(RMS, MAX_DIM), &caps(), 3, 0, 0), 3, "one row a binding");
}

/// B69: shapes whose products pass 2³¹ and 2³² elements, in the planner alone.
#[test]
fn products_beyond_32_bits_do_not_wrap() {
    for (rows, dim) in [(65_536, 65_537), ((1 << 23) + 1, 513), (1 << 33, 1), (1 << 30, 7), (3, 1 << 25)] {
        for (offset, gap) in [(0, 0), (3, 0), (1 << 33, 1)] {
            if dim == 1 << 25 && offset % 64 != 0 {
                continue; // the remainder in front does not fit the binding: see below
            }
            let mut caps = caps();
            sound(&Request::forward(RMS, dim), &caps, rows, offset, gap * u64::from(dim < 1 << 25));
            caps.limits.max_storage_buffer_binding_size = u64::from(u32::MAX);
            sound(&Request::forward(RMS, dim), &caps, rows, offset, gap);
        }
    }
}

#[test]
fn grids_stay_square_enough_for_any_limit() {
    for workgroups in [1, 2, 3, 16, 65_535] {
        for rows in [1, 5, 255, 256, 257, 4097] {
            for adapter in [AdapterKind::Cpu, AdapterKind::Discrete] {
                let mut caps = DeviceCaps { adapter, ..caps() };
                caps.limits.max_compute_workgroups_per_dimension = workgroups;
                for strategy in [Strategy::RowPerWorkgroup, Strategy::RowPerInvocation] {
                    sound(&Request::forward(RMS, 12).with_strategy(strategy), &caps, rows, 0, 0);
                }
            }
        }
    }
}

/// Every offset and gap, under a binding that holds a few rows.
#[test]
fn chunks_of_any_alignment() {
    let mut caps = caps();
    caps.limits.max_storage_buffer_binding_size = 2048;
    for alignment in [32, 256] {
        caps.limits.min_storage_buffer_offset_alignment = alignment;
        for dim in [1, 3, 4, 25, 64, 300] {
            for offset in [0, 1, 2, 3, 4, 5, 63, 64, 65, 200] {
                for gap in [0, 1, 2, 4, 7, 64] {
                    let request = Request::forward(NormSpec::layer(1e-5), dim).saving_stats();
                    sound(&request, &caps, 29, offset, gap);
                }
            }
        }
    }
}

/// x and y in one buffer, in place and apart, under a small binding.
#[test]
fn shared_buffers() {
    let mut caps = caps();
    caps.limits.max_storage_buffer_binding_size = 4096;
    let view = |offset, row_stride| TensorView { buffer: 0, buffer_size: 1 << 20, offset, row_stride };
    let weight = (Tensor::Weight, TensorView::contiguous(1, 1 << 20, 16));
    for (x, y) in [
        (view(0, 16), view(0, 16)),
        (view(5, 19), view(5, 19)),
        (view(0, 16), view(16 * 20, 16)),
        (view(16 * 20 + 3, 16), view(0, 16)),
        (view(1, 17), view(400, 17)),
    ] {
        let views = vec![(Tensor::X, x), weight, (Tensor::Y, y)];
        let (plan, call, list) = dispatches(&Request::forward(RMS, 16), &caps, 20, views).expect("an accepted call");
        assert!(plan.request.layout.x_in_y);
        assert_sound(&plan, &call, &list);
    }
}

#[test]
fn a_row_and_its_remainder_must_fit() {
    let request = Request::forward(RMS, MAX_DIM);
    let result = dispatches(&request, &caps(), 1, views(&request, 1, 1, 0)).map(|_| ());
    let (needed, limit) = ((MAX_DIM + 1) * 4, 128 << 20);
    assert_eq!(result, Err(Error::RowExceedsBinding { tensor: Tensor::X, needed, limit }));
}

/// With few rows the remainders that occur count, not the largest that could.
#[test]
fn few_long_rows_fit_with_their_own_remainders() {
    let dim = 33_554_399;
    let request = Request::forward(NormSpec::rms_plain(1e-6), dim);
    // Row 1 begins 124 bytes behind a multiple of 256, row 2 begins 248 behind one.
    assert_eq!(sound(&request, &caps(), 2, 0, 0), 2);
    let result = dispatches(&request, &caps(), 3, views(&request, 3, 0, 0)).map(|_| ());
    let (needed, limit) = (248 + dim * 4, 128 << 20);
    assert_eq!(result, Err(Error::RowExceedsBinding { tensor: Tensor::X, needed, limit }));
}

/// x and y in one buffer: the window's own remainder counts, and exactly the limit is accepted.
#[test]
fn shared_windows_fit_to_the_byte() {
    let shared = |offset_of_x: u64, apart: u64, strides: (u64, u64), rows: u64, limit: u64| {
        let mut caps = caps();
        caps.limits.max_storage_buffer_binding_size = limit;
        let view = |offset, row_stride| TensorView { buffer: 0, buffer_size: 1 << 40, offset, row_stride };
        let views = vec![(Tensor::X, view(offset_of_x, strides.0)), (Tensor::Y, view(offset_of_x + apart, strides.1))];
        let request = Request::forward(NormSpec::rms_plain(1e-6), 64);
        let (plan, call, list) = dispatches(&request, &caps, rows, views)?;
        assert_sound(&plan, &call, &list);
        Ok(list.len())
    };
    let beyond = |needed, limit| {
        let what = "the window of x and y in the buffer they share, in bytes,";
        Err(Error::Limit { what, needed, limit_name: "maxStorageBufferBindingSize", limit })
    };
    let same = (64, 64);
    assert_eq!(shared(0, 64, same, 1, 512), Ok(1));
    assert_eq!(shared(0, 64, same, 1, 508), beyond(512, 508));
    assert_eq!(shared(3, 64, same, 1, 524), Ok(1));
    assert_eq!(shared(3, 64, same, 1, 520), beyond(524, 520));
    assert_eq!(shared(0, 64 * 5, same, 5, 1536), Ok(5));
    assert_eq!(shared(0, 64 * 5, same, 5, 1532), beyond(1536, 1532));
    // Rows further apart than any index of a program, where there is but one.
    assert_eq!(shared(0, 64, (1 << 62, 1 << 62), 1, 512), Ok(1));
    // Unlike strides: all rows in one window.
    assert_eq!(shared(1, 64 * 5, (64, 66), 5, 4 + 1280 + 4 * 264 + 256), Ok(1));
    assert_eq!(shared(1, 64 * 5, (64, 66), 5, 2592), beyond(2596, 2592));
}

#[test]
fn layouts_follow_offsets_strides_and_dim() {
    let of = |dim, offset, gap| Layout::of(dim, &views(&Request::forward(NormSpec::layer(1e-5), dim), 2, offset, gap));
    assert_eq!(of(8, 0, 0), Layout::contiguous(8));
    assert_eq!(of(8, 4, 4).x, Access::Vec4);
    for (dim, offset, gap) in [(7, 0, 0), (8, 1, 0), (8, 2, 0), (8, 0, 1), (6, 0, 2)] {
        let layout = of(dim, offset, gap);
        assert_eq!((layout.x, layout.y), (Access::Scalar, Access::Scalar), "dim {dim} offset {offset} gap {gap}");
        assert!(!layout.x_in_y);
    }
    // weight has no rows: a gap of x does not concern it.
    assert_eq!(of(8, 0, 1).weight, Access::Vec4);
    assert_eq!(of(8, 1, 0).weight, Access::Scalar);
    assert!(Layout::in_place(8).x_in_y);
}

/// In one buffer there is one element type, so the narrower access serves both.
#[test]
fn shared_buffers_take_the_narrower_access() {
    let view = |offset| TensorView { buffer: 0, buffer_size: 4096, offset, row_stride: 8 };
    let layout = Layout::of(8, &[(Tensor::X, view(0)), (Tensor::Y, view(101))]);
    assert_eq!((layout.x, layout.y, layout.x_in_y), (Access::Scalar, Access::Scalar, true));
    let layout = Layout::of(8, &[(Tensor::X, view(0)), (Tensor::Y, view(100))]);
    assert_eq!((layout.x, layout.y, layout.x_in_y), (Access::Vec4, Access::Vec4, true));
}

/// B112: no plan goes beyond a device's workgroup limits, however small they are.
#[test]
fn workgroups_respect_limits() {
    for invocations in [32, 64, 128, 256, 1024] {
        for adapter in [AdapterKind::Cpu, AdapterKind::Discrete, AdapterKind::Integrated, AdapterKind::Unknown] {
            for subgroups in [None, Some(SubgroupSizes { min: 4, max: 128 }), Some(SubgroupSizes { min: 64, max: 64 })]
            {
                let mut caps = DeviceCaps { adapter, subgroups, ..caps() };
                caps.limits.max_compute_invocations_per_workgroup = invocations;
                caps.limits.max_compute_workgroup_size_x = invocations;
                for dim in [1, 64, 1024, 4097, 65_536, MAX_DIM] {
                    for strategy in Strategy::ALL.map(Some).into_iter().chain([None]) {
                        let request = Request { strategy, ..Request::forward(NormSpec::layer(1e-5), dim) };
                        match plan(&request, &caps) {
                            Ok(plan) => {
                                let size = plan.kernels[0].workgroup_size;
                                assert!(size <= invocations, "{size} invocations of {invocations} for {request:?}");
                            }
                            Err(Error::Strategy { .. }) if strategy.is_some() => {}
                            // The longest rows take WebGPU's default of 256 invocations.
                            Err(Error::Strategy { .. }) if invocations < 256 && dim == MAX_DIM => {}
                            Err(other) => panic!("{other} for {request:?}"),
                        }
                    }
                }
            }
        }
    }
}

/// Capabilities may be written by hand or come from a page: what no device has is refused by name, in the
/// planner and in what was planned before.
#[test]
fn caps_that_no_device_has() {
    type Change = fn(&mut DeviceCaps, u32);
    let none_to_four: &[u32] = &[0, 1, 3];
    let no_alignment: &[u32] = &[0, 1, 2, 3, 5, 255, u32::MAX];
    let table: [(&str, Change, &[u32]); 8] = [
        ("maxComputeInvocationsPerWorkgroup", |c, v| c.limits.max_compute_invocations_per_workgroup = v, &[0]),
        ("maxComputeWorkgroupSizeX", |c, v| c.limits.max_compute_workgroup_size_x = v, &[0]),
        ("maxComputeWorkgroupsPerDimension", |c, v| c.limits.max_compute_workgroups_per_dimension = v, &[0]),
        ("maxStorageBuffersPerShaderStage", |c, v| c.limits.max_storage_buffers_per_shader_stage = v, &[0]),
        ("maxStorageBufferBindingSize", |c, v| c.limits.max_storage_buffer_binding_size = v.into(), none_to_four),
        ("maxBufferSize", |c, v| c.limits.max_buffer_size = v.into(), none_to_four),
        ("minStorageBufferOffsetAlignment", |c, v| c.limits.min_storage_buffer_offset_alignment = v, no_alignment),
        ("minUniformBufferOffsetAlignment", |c, v| c.limits.min_uniform_buffer_offset_alignment = v, no_alignment),
    ];
    for (name, change, values) in table {
        for value in values {
            refused_caps(
                |caps| change(caps, *value),
                |error| matches!(error, Error::Caps { name: found, value: v, .. } if *found == name && *v == u64::from(*value)),
            );
        }
    }
    for (min, max) in [(0, 0), (0, 32), (3, 8), (u32::MAX, u32::MAX)] {
        let change = |caps: &mut DeviceCaps| caps.subgroups = Some(SubgroupSizes { min, max });
        refused_caps(
            change,
            |error| matches!(error, Error::Caps { name: "subgroups.min", value, .. } if *value == u64::from(min)),
        );
    }
    for (min, max) in [(32, 0), (8, 24), (64, 32)] {
        let change = |caps: &mut DeviceCaps| caps.subgroups = Some(SubgroupSizes { min, max });
        refused_caps(
            change,
            |error| matches!(error, Error::Caps { name: "subgroups.max", value, .. } if *value == u64::from(max)),
        );
    }
}

/// Refused by every adapter kind and strategy, when planning and when a plan is used.
#[track_caller]
fn refused_caps(change: impl Fn(&mut DeviceCaps), expected: impl Fn(&Error) -> bool) {
    for adapter in [AdapterKind::Cpu, AdapterKind::Discrete] {
        let good = DeviceCaps { adapter, subgroups: Some(SubgroupSizes { min: 8, max: 32 }), ..caps() };
        let mut bad = good;
        change(&mut bad);
        for strategy in Strategy::ALL.map(Some).into_iter().chain([None]) {
            let request = Request { strategy, ..Request::forward(RMS, 768) };
            let error = plan(&request, &bad).map(|_| ()).expect_err("no device has these");
            assert!(expected(&error), "{error}");
            let mut planned = plan(&request, &good).expect("a good device");
            planned.caps = bad;
            let call = Call { rows: 3, eps: RMS.eps, views: views(&request, 3, 0, 0) };
            let error = planned.dispatches(&call).expect_err("no device has these");
            assert!(expected(&error), "{error}");
        }
    }
}

/// The least that a device may have is served.
#[test]
fn the_smallest_caps() {
    let mut caps = DeviceCaps { subgroups: Some(SubgroupSizes { min: 1, max: 1 }), ..caps() };
    caps.limits.max_compute_invocations_per_workgroup = 1;
    caps.limits.max_compute_workgroup_size_x = 1;
    caps.limits.max_compute_workgroup_storage_size = 4096;
    caps.limits.max_compute_workgroups_per_dimension = 1;
    caps.limits.max_storage_buffers_per_shader_stage = 3;
    caps.limits.max_storage_buffer_binding_size = 4;
    caps.limits.max_buffer_size = 4;
    caps.limits.min_storage_buffer_offset_alignment = 4;
    caps.limits.min_uniform_buffer_offset_alignment = 4;
    for adapter in [AdapterKind::Cpu, AdapterKind::Discrete] {
        for strategy in Strategy::ALL.map(Some).into_iter().chain([None]) {
            let request = Request { strategy, ..Request::forward(RMS, 1) };
            sound(&request, &DeviceCaps { adapter, ..caps }, 5, 1, 2);
            let layer = Request { spec: NormSpec::layer(1e-5), ..request };
            let (needed, limit_name, limit) = (4, "maxStorageBuffersPerShaderStage", 3);
            let what = "the number of storage buffers";
            assert_eq!(plan(&layer, &caps).map(|_| ()), Err(Error::Limit { what, needed, limit_name, limit }));
        }
    }
}

/// The plan is a function of its arguments, and does not look at the number of rows.
#[test]
fn planning_is_pure() {
    let request = Request::forward(NormSpec::layer(1e-5), 768);
    let first = plan(&request, &caps()).expect("a good request");
    assert_eq!(first, plan(&request, &caps()).expect("a good request"));
    assert!(!first.choices.is_empty(), "decisions are explained");
    assert!(first.choices.iter().all(|choice| !choice.why.is_empty()));
}

#[test]
fn strategies_are_found_by_name() {
    for strategy in Strategy::ALL {
        assert_eq!(strategy.name().parse::<Strategy>(), Ok(strategy));
    }
    let error = "row_per_galaxy".parse::<Strategy>().expect_err("no such strategy");
    assert!(error.contains("row_per_galaxy") && error.contains("row_per_workgroup"));
}

#[test]
fn a_strategy_asked_for_is_taken() {
    let subgroups = Some(SubgroupSizes { min: 8, max: 32 });
    for strategy in Strategy::ALL {
        let request = Request::forward(RMS, 100).with_strategy(strategy);
        let plan = plan(&request, &DeviceCaps { subgroups, ..caps() }).expect("every strategy serves short rows");
        assert_eq!(plan.strategy, strategy);
    }
}

/// k = ⌊p·dim⌋ in float64.
#[test]
fn partial_statistics() {
    for (p, dim, k) in
        [(1.0, 7, 7), (0.5, 7, 3), (0.25, 8, 2), (0.1, 10, 1), (0.7, 10, 7), (0.29, 100, 28), (1e-7, 1 << 25, 3)]
    {
        assert_eq!(Extent::Fraction(p).resolve(dim), Ok(k), "p = {p}, dim = {dim}");
    }
    assert_eq!(Extent::First(3).resolve(3), Ok(3));
    assert_eq!(Extent::Full.resolve(9), Ok(9));
    assert_eq!(Extent::Fraction(0.1).resolve(9), Err(Error::Extent { k: 0, dim: 9 }));
}

#[test]
fn constructors_are_the_rows_of_the_table() {
    let halves = |spec: NormSpec| (spec.shift, spec.scale, spec.weight, spec.bias);
    let full = Scale::Rms(Extent::Full);
    assert_eq!(halves(NormSpec::layer(1e-5)), (Shift::Mean, Scale::Std, Weight::Direct, true));
    assert_eq!(halves(NormSpec::layer_simple(1e-5)), (Shift::Mean, Scale::Std, Weight::None, false));
    assert_eq!(halves(NormSpec::rms(1e-5)), (Shift::None, full, Weight::Direct, false));
    assert_eq!(halves(NormSpec::rms_plain(1e-5)), (Shift::None, full, Weight::None, false));
    assert_eq!(halves(NormSpec::std_scaled(1e-3)), (Shift::None, Scale::Std, Weight::Direct, false));
    assert_eq!(halves(NormSpec::centered()), (Shift::Mean, Scale::None, Weight::None, false));
    assert_eq!(NormSpec::prms(0.3, 1e-5).scale, Scale::Rms(Extent::Fraction(0.3)));
    assert_eq!(NormSpec::prms_first(3, 1e-5).scale, Scale::Rms(Extent::First(3)));
    assert_eq!(NormSpec::rms(1e-5).eps_place, EpsPlace::Inside);
    assert_eq!(NormSpec::rms(1e-5).eps_outside().eps_place, EpsPlace::Outside);
}

#[test]
fn presets_carry_their_eps() {
    assert_eq!(Preset::Llama.spec(), NormSpec::rms(1e-5));
    assert_eq!(Preset::Gemma.spec(), NormSpec::rms(1e-6).with_weight(Weight::OnePlus));
    assert_eq!(Preset::Bert.spec().eps, 1e-12);
    assert_eq!(Preset::PaperTorch.spec().eps_place, EpsPlace::Outside);
    assert_eq!(Preset::KerasRmsScaling.spec(), NormSpec::std_scaled(1e-3));
    assert_eq!(Preset::TorchRmsNorm.spec().eps, f32::EPSILON);
}
