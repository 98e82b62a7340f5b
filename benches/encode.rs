//! What encoding a bound kernel costs: no GPU object is created, so microseconds at most.

use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rownorm::gpu::{BufferView, Compiled, Context, ContextOptions};
use rownorm::plan::Tensor;
use rownorm::{Error, NormSpec, Request, Result, plan};

const ROWS: u64 = 4;
const DIM: u64 = 768;

/// Kernels recorded into one pass.
const PER_PASS: u64 = 256;

fn encode(c: &mut Criterion) {
    match pollster::block_on(bench(c)) {
        Ok(()) => {}
        Err(error @ (Error::NoAdapter(_) | Error::NoWebGpu(_))) => println!("encode: skipped, {error}"),
        Err(error) => panic!("encode: {error}"),
    }
}

async fn bench(c: &mut Criterion) -> Result<()> {
    let context = Context::request(&ContextOptions::default()).await?;
    let request = Request::forward(NormSpec::layer(1e-5), DIM);
    let compiled = Compiled::new(&context, &plan(&request, context.caps())?).await?;
    let x = context.upload("x", &vec![1.0; (ROWS * DIM) as usize])?;
    let y = context.storage("y", ROWS * DIM)?;
    let weight = context.upload("weight", &vec![1.0; DIM as usize])?;
    let bias = context.upload("bias", &vec![0.0; DIM as usize])?;
    let buffers = [(Tensor::X, &x), (Tensor::Weight, &weight), (Tensor::Bias, &bias), (Tensor::Y, &y)];
    let views = buffers.map(|(tensor, buffer)| BufferView::contiguous(tensor, buffer, DIM));
    let bound = compiled.bind(&context, ROWS, &views)?;

    println!("encode: {} ({})", context.adapter().name, context.adapter().driver);
    let mut group = c.benchmark_group("encode");
    let descriptor = wgpu::CommandEncoderDescriptor::default();
    // The caller's pass: only what this crate adds to it.
    group.bench_function("into a pass", |b| {
        b.iter_custom(|encodes| {
            let mut took = Duration::ZERO;
            for first in (0..encodes).step_by(PER_PASS as usize) {
                let mut encoder = context.device.create_command_encoder(&descriptor);
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                let start = Instant::now();
                for _ in first..encodes.min(first + PER_PASS) {
                    bound.encode(&mut pass);
                }
                took += start.elapsed();
            }
            took
        });
    });
    // wgpu does the work of a pass where it ends: recording, ending and finishing, per kernel.
    group.bench_function("into a pass, finished", |b| {
        b.iter_custom(|encodes| {
            let mut took = Duration::ZERO;
            for first in (0..encodes).step_by(PER_PASS as usize) {
                let mut encoder = context.device.create_command_encoder(&descriptor);
                let start = Instant::now();
                let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                for _ in first..encodes.min(first + PER_PASS) {
                    bound.encode(&mut pass);
                }
                drop(pass);
                let commands = encoder.finish();
                took += start.elapsed();
                drop(commands);
            }
            took
        });
    });
    group.finish();
    context.check_health()
}

criterion_group!(benches, encode);
criterion_main!(benches);
