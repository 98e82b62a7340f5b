//! What goes wrong on a device ends as an error with the driver's text: never a panic, a hang or stale
//! output. Each test has a device of its own, since some of them destroy it. The planner's refusals are
//! in `conformance::errors`; the rows B68, B69, B93, B97, B101, B103 and B112 of the table of reported
//! faults that concern hosts are here.

use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};
use rownorm::conformance::{Values, check};
use rownorm::gpu::{AdapterFilter, BufferView, Compiled, Context, ContextOptions, Input, read_f32};
use rownorm::plan::{Plan, Tensor};
use rownorm::{Error, NormSpec, Request, Strategy, plan, reference};

mod support;
use support::{adapter_names, conclude, context, failed, no_gpu};

type Test = fn(&Context) -> Result<(), Failed>;

const TESTS: &[(&str, Test)] = &[
    ("B68_no_rows", no_rows),
    ("B68_dim_0", dim_0),
    ("wrong_lengths", wrong_lengths),
    ("B93_invalid_shader", invalid_shader),
    ("B93_workgroup_too_large", workgroup_too_large),
    ("B93_binding_missing", binding_missing),
    ("B97_readback_needs_no_polling", readback_needs_no_polling),
    ("B101_tensor_beyond_a_binding", tensor_beyond_a_binding),
    ("B101_row_beyond_a_binding", row_beyond_a_binding),
    ("B101_buffer_beyond_the_limit", buffer_beyond_the_limit),
    ("wrong_usage", wrong_usage),
    ("readback_beyond_the_buffer", readback_beyond_the_buffer),
    ("B103_device_destroyed_between_calls", destroyed_between_calls),
    ("B103_device_destroyed_before_readback", destroyed_before_readback),
    ("B103_callers_device_destroyed", callers_device_destroyed),
    ("B103_one_of_two_objects_dropped", one_of_two_dropped),
    ("B112_strategies_at_default_limits", strategies_at_default_limits),
    ("caller_error_outside_of_scopes", caller_error_outside_of_scopes),
    ("two_threads_on_one_device", two_threads),
];

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::test("adapter_that_does_not_exist", || adapter_that_does_not_exist().map_err(failed))
            .with_ignored_flag(no_gpu()),
    ];
    for name in adapter_names() {
        for (test_name, test) in TESTS {
            let (adapter, test) = (name.clone(), *test);
            let trial = Trial::test(format!("{name}::{test_name}"), move || {
                let context = context(&adapter).map_err(|text| failed(format!("adapter {adapter:?}: {text}")))?;
                test(&context)
            });
            trials.push(trial.with_ignored_flag(no_gpu()));
        }
    }
    conclude(trials)
}

const RMS: NormSpec = NormSpec::rms_plain(1e-6);

fn ensure(condition: bool, what: impl std::fmt::Debug) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(failed(format!("{what:?}"))) }
}

fn run(context: &Context, spec: NormSpec, dim: u64, x: &[f32]) -> rownorm::Result<Vec<f32>> {
    let input = Input { x, ..Input::default() };
    pollster::block_on(context.run(&Request::forward(spec, dim), &input)).map(|output| output.y)
}

/// The device still computes.
fn still_works(context: &Context) -> Result<(), Failed> {
    let y = run(context, RMS, 4, &[1.0, 2.0, 3.0, 4.0]).map_err(failed)?;
    let truth = reference::forward(&RMS, 4, &[1.0, 2.0, 3.0, 4.0], None, None).map_err(failed)?;
    check::truth(&y, &truth).map_err(failed)
}

fn adapter_that_does_not_exist() -> Result<(), String> {
    let adapter = AdapterFilter::containing("no adapter is called this");
    match pollster::block_on(Context::request(&ContextOptions { adapter, ..ContextOptions::default() })) {
        Err(Error::NoAdapter(text)) if text.contains("no adapter is called this") => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

/// Success, no dispatch, outputs of the right shape.
fn no_rows(context: &Context) -> Result<(), Failed> {
    let request = Request::forward(RMS, 8).saving_stats();
    let output = pollster::block_on(context.run(&request, &Input::default())).map_err(failed)?;
    ensure(output.y.is_empty() && output.stats == Some(Vec::new()), output)
}

fn dim_0(context: &Context) -> Result<(), Failed> {
    let result = run(context, RMS, 0, &[]);
    ensure(matches!(result, Err(Error::Dim { dim: 0, .. })), result)
}

fn wrong_lengths(context: &Context) -> Result<(), Failed> {
    let result = run(context, RMS, 4, &[1.0; 6]);
    ensure(matches!(result, Err(Error::Length { tensor: Tensor::X, actual: 6, expected: 8 })), result)?;
    let weight = |weight| {
        let input = Input { x: &[1.0; 8], weight, bias: None };
        pollster::block_on(context.run(&Request::forward(NormSpec::rms(1e-6), 4), &input))
    };
    let result = weight(Some(&[1.0]));
    ensure(matches!(result, Err(Error::Length { tensor: Tensor::Weight, actual: 1, expected: 4 })), result)?;
    let result = weight(None);
    ensure(matches!(result, Err(Error::MissingTensor { tensor: Tensor::Weight })), result)?;
    let input = Input { x: &[1.0; 8], weight: None, bias: Some(&[0.0; 4]) };
    let result = pollster::block_on(context.run(&Request::forward(RMS, 4), &input));
    ensure(matches!(result, Err(Error::UnusedTensor { tensor: Tensor::Bias })), result)?;
    still_works(context)
}

fn planned(context: &Context) -> Result<Plan, Failed> {
    plan(&Request::forward(RMS, 4), context.caps()).map_err(failed)
}

/// The compiler's own text comes through, and the device goes on.
fn invalid_shader(context: &Context) -> Result<(), Failed> {
    let mut plan = planned(context)?;
    plan.kernels[0].wgsl.push_str("fn broken() -> f32 { return nonsense; }\n");
    let result = pollster::block_on(Compiled::new(context, &plan));
    match result {
        Err(Error::Compile { label, text }) => {
            ensure(label == plan.kernels[0].label && text.contains("nonsense"), text)?
        }
        other => return Err(failed(format!("{other:?}"))),
    }
    still_works(context)
}

/// 2048 invocations are beyond any adapter's limit.
fn workgroup_too_large(context: &Context) -> Result<(), Failed> {
    let mut plan = planned(context)?;
    let size = plan.kernels[0].workgroup_size;
    let kernel = &mut plan.kernels[0];
    kernel.wgsl = kernel.wgsl.replace(&format!("const WORKGROUP: u32 = {size}u;"), "const WORKGROUP: u32 = 2048u;");
    ensure(kernel.wgsl.contains("2048u"), "the prelude names the workgroup size otherwise")?;
    let result = pollster::block_on(Compiled::new(context, &plan));
    ensure(matches!(&result, Err(Error::Compile { text, .. }) if text.contains("2048")), result)?;
    still_works(context)
}

/// A plan whose bindings do not match its program.
fn binding_missing(context: &Context) -> Result<(), Failed> {
    let mut plan = planned(context)?;
    plan.kernels[0].bindings.pop();
    let result = pollster::block_on(Compiled::new(context, &plan));
    ensure(matches!(&result, Err(Error::Compile { text, .. }) if !text.is_empty()), result)?;
    still_works(context)
}

/// A hundred calls, one readback at the end, and no poll in the caller's code.
fn readback_needs_no_polling(context: &Context) -> Result<(), Failed> {
    let compiled = pollster::block_on(Compiled::new(context, &planned(context)?)).map_err(failed)?;
    let x = context.upload("x", &[1.0, 2.0, 3.0, 4.0]).map_err(failed)?;
    let y = context.storage("y", 4).map_err(failed)?;
    let views = [BufferView::contiguous(Tensor::X, &x, 4), BufferView::contiguous(Tensor::Y, &y, 4)];
    let bound = compiled.bind(context, 1, &views).map_err(failed)?;
    for _ in 0..100 {
        let mut encoder = context.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        bound.encode_pass(&mut encoder);
        context.queue.submit([encoder.finish()]);
    }
    let y = pollster::block_on(read_f32(context, &y, 0, 4)).map_err(failed)?;
    let truth = reference::forward(&RMS, 4, &[1.0, 2.0, 3.0, 4.0], None, None).map_err(failed)?;
    check::truth(&y, &truth).map_err(failed)
}

/// The same adapter as the most modest device has it.
fn baseline(context: &Context) -> Result<Context, Failed> {
    let adapter = AdapterFilter::containing(&context.adapter().name);
    pollster::block_on(Context::request(&ContextOptions { adapter, baseline: true })).map_err(failed)
}

/// 134,250,496 bytes under a limit of 134,217,728: rows in chunks. All rows are judged.
fn tensor_beyond_a_binding(context: &Context) -> Result<(), Failed> {
    let context = baseline(context)?;
    let (rows, dim) = (8192, 4097);
    let spec = NormSpec::layer_simple(1e-5);
    ensure(context.caps().limits.max_storage_buffer_binding_size == 128 << 20, context.caps())?;
    let x = Values::Noise { mean: 1.0, spread: 2.0 }.fill(rows, dim);
    let y = run(&context, spec, dim, &x).map_err(failed)?;
    for (x, y) in x.chunks(dim as usize).zip(y.chunks(dim as usize)) {
        let truth = reference::forward(&spec, dim, x, None, None).map_err(failed)?;
        check::truth(y, &truth).map_err(failed)?;
    }
    Ok(())
}

/// Rows 0 and 1 fit a binding with their remainders, row 2 does not: told before anything is compiled or uploaded.
fn row_beyond_a_binding(context: &Context) -> Result<(), Failed> {
    let context = baseline(context)?;
    let dim = 33_554_399;
    let x = vec![0.0; 3 * dim as usize];
    // A context that is beyond compiling and uploading still knows what it refuses.
    context.destroy();
    let result = run(&context, RMS, dim, &x);
    ensure(
        matches!(result, Err(Error::RowExceedsBinding { tensor: Tensor::X, limit, .. }) if limit == 128 << 20),
        result,
    )
}

/// 256 MiB and one element.
fn buffer_beyond_the_limit(context: &Context) -> Result<(), Failed> {
    let context = baseline(context)?;
    let result = context.storage("y", (64 << 20) + 1);
    let named = matches!(&result, Err(Error::Limit { limit_name: "maxBufferSize", limit, .. }) if *limit == 256 << 20);
    ensure(named, result)?;
    still_works(&context)
}

/// Buffers made for something else, on a device that its owner wrapped without an error handler.
fn wrong_usage(context: &Context) -> Result<(), Failed> {
    let wrapped = Context::from_device(context.device.clone(), context.queue.clone());
    let buffer = |usage| {
        let descriptor = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
        wrapped.device.create_buffer(&descriptor)
    };
    let (good, bad) = (buffer(wgpu::BufferUsages::STORAGE), buffer(wgpu::BufferUsages::COPY_DST));
    let compiled = pollster::block_on(Compiled::new(&wrapped, &planned(&wrapped)?)).map_err(failed)?;
    for (x, y, name) in [(&bad, &good, "x"), (&good, &bad, "y")] {
        let views = [BufferView::contiguous(Tensor::X, x, 4), BufferView::contiguous(Tensor::Y, y, 4)];
        let result = compiled.bind(&wrapped, 1, &views);
        let named = matches!(&result, Err(Error::Usage { of, needed: "STORAGE" }) if *of == name);
        ensure(named, result)?;
    }
    let result = pollster::block_on(read_f32(&wrapped, &good, 0, 4));
    ensure(matches!(result, Err(Error::Usage { needed: "COPY_SRC", .. })), result)?;
    wrapped.check_health().map_err(failed)?;
    context.check_health().map_err(failed)
}

/// Offsets and lengths whose bytes leave 64 bits, and ranges beyond the buffer.
fn readback_beyond_the_buffer(context: &Context) -> Result<(), Failed> {
    let y = context.upload("y", &[7.0; 4]).map_err(failed)?;
    for (offset, len) in [(1 << 62, 1), (0, 1 << 62), (u64::MAX, u64::MAX)] {
        let result = pollster::block_on(read_f32(context, &y, offset, len));
        ensure(matches!(result, Err(Error::Overflow { .. })), result)?;
    }
    for (offset, len) in [(4, 1), (0, 5)] {
        let result = pollster::block_on(read_f32(context, &y, offset, len));
        ensure(matches!(result, Err(Error::Device(_))), result)?;
    }
    still_works(context)
}

/// Every later call is an error; a new context works.
fn destroyed_between_calls(context: &Context) -> Result<(), Failed> {
    still_works(context)?;
    let compiled = pollster::block_on(Compiled::new(context, &planned(context)?)).map_err(failed)?;
    context.device.destroy();
    let result = run(context, RMS, 4, &[9.0; 4]);
    ensure(matches!(result, Err(Error::DeviceLost(_) | Error::Device(_))), result)?;
    let result = pollster::block_on(context.run_compiled(&compiled, &Input { x: &[9.0; 4], ..Input::default() }));
    ensure(matches!(result, Err(Error::DeviceLost(_))), result)?;
    let result = pollster::block_on(Compiled::new(context, &planned(context)?));
    ensure(matches!(result, Err(Error::DeviceLost(_))), result)?;
    still_works(&baseline(context)?)
}

fn destroyed_before_readback(context: &Context) -> Result<(), Failed> {
    let y = context.upload("y", &[7.0; 4]).map_err(failed)?;
    let before = pollster::block_on(read_f32(context, &y, 0, 4)).map_err(failed)?;
    ensure(before == [7.0; 4], before)?;
    context.device.destroy();
    let result = pollster::block_on(read_f32(context, &y, 0, 4));
    ensure(result.is_err(), result)
}

/// A wrapped device keeps its owner's callbacks, so only the error scopes tell.
fn callers_device_destroyed(context: &Context) -> Result<(), Failed> {
    let wrapped = Context::from_device(context.device.clone(), context.queue.clone());
    still_works(&wrapped)?;
    context.device.destroy();
    let result = run(&wrapped, RMS, 4, &[9.0; 4]);
    ensure(
        matches!(result, Err(Error::DeviceLost(_) | Error::Device(_) | Error::Readback(_) | Error::Compile { .. })),
        result,
    )
}

fn one_of_two_dropped(context: &Context) -> Result<(), Failed> {
    let wrapped = Context::from_device(context.device.clone(), context.queue.clone());
    let first = pollster::block_on(Compiled::new(context, &planned(context)?)).map_err(failed)?;
    let second = pollster::block_on(Compiled::new(&wrapped, &planned(&wrapped)?)).map_err(failed)?;
    drop(first);
    let input = Input { x: &[1.0, 2.0, 3.0, 4.0], ..Input::default() };
    let output = pollster::block_on(wrapped.run_compiled(&second, &input)).map_err(failed)?;
    drop(second);
    drop(wrapped);
    let truth = reference::forward(&RMS, 4, input.x, None, None).map_err(failed)?;
    check::truth(&output.y, &truth).map_err(failed)?;
    still_works(context)
}

/// Every strategy the planner grants a modest device compiles on it: no workgroup beyond its limits.
fn strategies_at_default_limits(context: &Context) -> Result<(), Failed> {
    let context = baseline(context)?;
    for dim in [1, 1024, 4097, 65_536] {
        for strategy in Strategy::ALL.into_iter().filter(|strategy| !strategy.needs_subgroups()) {
            let request = Request::forward(NormSpec::layer(1e-5), dim).with_strategy(strategy);
            match plan(&request, context.caps()) {
                Ok(plan) => drop(pollster::block_on(Compiled::new(&context, &plan)).map_err(failed)?),
                Err(Error::Strategy { .. }) => {}
                Err(other) => return Err(failed(other)),
            }
        }
    }
    Ok(())
}

/// An error of the caller's own work outside of any scope is told by the next call, then forgotten.
fn caller_error_outside_of_scopes(context: &Context) -> Result<(), Failed> {
    drop(context.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("caller's"),
        source: wgpu::ShaderSource::Wgsl("nonsense".into()),
    }));
    let result = run(context, RMS, 4, &[1.0; 4]);
    ensure(matches!(result, Err(Error::Device(_))), result)?;
    still_works(context)
}

fn two_threads(context: &Context) -> Result<(), Failed> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| (0..5).try_for_each(|_| still_works(context)))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(failed("a thread panicked"))))
    })
}
