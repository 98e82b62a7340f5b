//! The CPU side: the twin's throughput, and what planning and preparing a call cost.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rownorm::caps::Dialect;
use rownorm::plan::{Call, Tensor, TensorView};
use rownorm::{DeviceCaps, Input, NormSpec, Request, plan, twin};

const SHAPES: [(usize, usize); 3] = [(4096, 768), (512, 4096), (65_536, 64)];

fn norms() -> [(&'static str, NormSpec); 2] {
    [("layer", NormSpec::layer(1e-5)), ("rms", NormSpec::rms(1e-6))]
}

/// Values spread evenly over −4 to 4, from a counter.
fn values(len: usize) -> Vec<f32> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 21) as f32 - 4.0).collect()
}

/// Bytes read from x and written to y; weight and bias stay in the cache.
fn twin_forward(c: &mut Criterion) {
    let mut group = c.benchmark_group("twin");
    for (rows, dim) in SHAPES {
        let (x, weight, bias) = (values(rows * dim), values(dim), values(dim));
        let mut y = vec![0.0; x.len()];
        group.throughput(Throughput::Bytes(8 * x.len() as u64));
        group.bench_function(BenchmarkId::new("copy", format!("{rows}x{dim}")), |b| {
            b.iter(|| black_box(&mut y).copy_from_slice(black_box(&x)));
        });
        for (name, spec) in norms() {
            let request = Request::forward(spec, dim as u64);
            let input = Input { x: &x, weight: Some(&weight), bias: spec.bias.then_some(&bias) };
            group.bench_function(BenchmarkId::new(name, format!("{rows}x{dim}")), |b| {
                b.iter(|| {
                    twin::forward_into(&request, &twin::Order::for_dim(request.dim), &input, black_box(&mut y), None)
                });
            });
        }
    }
    group.finish();
}

fn planning(c: &mut Criterion) {
    let caps = DeviceCaps::baseline(Dialect::Naga);
    let request = Request::forward(NormSpec::layer(1e-5), 768);
    c.bench_function("plan", |b| b.iter(|| plan(black_box(&request), black_box(&caps))));
    let planned = plan(&request, &caps).expect("a plan");
    for rows in [4096_u64, 1 << 20] {
        let tensors = request.tensors().into_iter().enumerate();
        let view = |(buffer, tensor): (usize, Tensor)| {
            let row = tensor.row_len(request.dim);
            let size = 4 * row * if tensor.is_per_row() { rows } else { 1 };
            (tensor, TensorView::contiguous(buffer, size, row))
        };
        let call = Call { rows, eps: 1e-5, views: tensors.map(view).collect() };
        c.bench_function(&format!("dispatches/{rows}x{}", request.dim), |b| {
            b.iter(|| planned.dispatches(black_box(&call)))
        });
    }
}

criterion_group!(benches, twin_forward, planning);
criterion_main!(benches);
