"""Writes torch.json: torch's own sample and error inputs (OpInfo) of its layer and RMS normalization, and some more shapes.

The inputs are float32. y, mean and rstd come from torch's kernels run in float64 on those same float32 inputs and on the float32
eps, so they are a truth that owes nothing to this project; a sum by math.fsum checks each of them here once more.
Three groups of names: `native_layer_norm_*`, `layer_norm_*`, `rms_norm_*` are torch's samples, `*_error_*` its error inputs,
`more_*` further shapes for the same functions.

usage: python torch_cases.py     (needs requirements.txt, and on x86-64 Linux torch_stubs.py run once)"""
import math
import os

os.environ["ATEN_CPU_CAPABILITY"] = "default"  # the same order of summation on every processor
import torch
from torch.testing._internal.common_methods_invocations import op_db

from common import f32, f32_as_f64, f64, write

SEED = 1607  # the start of arXiv's number of the layer normalization paper, 1607.06450
RMS_EPS = torch.finfo(torch.float32).eps  # what rms_norm takes for eps=None when the input is float32
torch.set_num_threads(1)
OPS = {o.name: o for o in op_db}
cases = []


def layer(x, shape, weight, bias, eps):
    return torch.native_layer_norm(x, shape, weight, bias, eps)


def rms(x, shape, weight, eps):
    y, rstd = torch.ops.aten._fused_rms_norm(x, shape, weight, eps)
    assert torch.equal(y, torch.nn.functional.rms_norm(x, shape, weight, eps))
    return y, None, rstd


def check(norm, x, dim, weight, bias, eps, y, mean, rstd):
    """The same by the textbook formula, with exactly rounded sums."""
    w = weight.double().flatten().tolist() if weight is not None else [1.0] * dim
    b = bias.double().flatten().tolist() if bias is not None else [0.0] * dim
    for r, row in enumerate(x.double().reshape(-1, dim).tolist()):
        m = math.fsum(row) / dim if norm == "layer" else 0.0
        s = 1 / math.sqrt(math.fsum((v - m) ** 2 for v in row) / dim + eps)
        truth = [(v - m) * s * a + c for v, a, c in zip(row, w, b)]
        bound = 1e-13 * (max(abs(t - c) for t, c in zip(truth, b)) + max(map(abs, b)) + max(abs(v) * s for v in row))
        got = y.reshape(-1, dim)[r].tolist()
        assert all(abs(a - t) <= bound for a, t in zip(got, truth)), (norm, r)
        assert abs(rstd.flatten()[r].item() - s) <= 1e-13 * s
        assert mean is None or abs(mean.flatten()[r].item() - m) <= 1e-13 * max(map(abs, row))


def add(name, norm, x, shape, weight=None, bias=None, eps=None):
    x, weight, bias = (None if t is None else t.detach().contiguous() for t in (x, weight, bias))
    assert all(t is None or t.dtype == torch.float32 for t in (x, weight, bias))
    axis = x.dim() - len(shape)
    assert tuple(x.shape[axis:]) == tuple(shape)
    rows, dim = math.prod(x.shape[:axis]), math.prod(shape)
    if eps is None:
        eps = RMS_EPS if norm == "rms" else 1e-5
        single = torch.nn.functional.rms_norm(x, shape, weight) if norm == "rms" else torch.nn.functional.layer_norm(x, shape, weight, bias)
        explicit = torch.nn.functional.rms_norm(x, shape, weight, eps) if norm == "rms" else layer(x, shape, weight, bias, eps)[0]
        assert torch.allclose(single, explicit, rtol=0, atol=0, equal_nan=True), "torch's default eps is another one"
    eps = f32_as_f64(eps)
    refused = eps < 0 or dim == 0
    double = [None if t is None else t.double() for t in (x, weight, bias)]
    y = mean = rstd = None
    if not refused:
        y, mean, rstd = layer(double[0], shape, double[1], double[2], eps) if norm == "layer" else rms(double[0], shape, double[1], eps)
        check(norm, x, dim, weight, bias, eps, y, mean, rstd)
    optional = lambda f, t: None if t is None else f(t.numpy())
    cases.append(dict(name=name, norm=norm, axis=axis, eps=eps, shape=list(x.shape), normalized_shape=list(shape), rows=rows, dim=dim,
                      x=f32(x.numpy()), weight=optional(f32, weight), bias=optional(f32, bias),
                      y=optional(f64, y), mean=optional(f64, mean), rstd=optional(f64, rstd),
                      expect_error=False, rownorm="refused" if refused else "accepted"))


def arguments(op, sample):
    """(shape, weight, bias, eps) of a call of layer_norm, native_layer_norm or rms_norm."""
    a = list(sample.args) + [None] * 4
    shape, weight = a[0], a[1]
    bias, eps = (None, a[2]) if op.endswith("rms_norm") else (a[2], a[3])
    return shape, weight, bias, sample.kwargs.get("eps", eps)


NORM = {"native_layer_norm": "layer", "nn.functional.layer_norm": "layer", "nn.functional.rms_norm": "rms"}
torch.manual_seed(SEED)
for op, norm in NORM.items():
    for i, s in enumerate(OPS[op].sample_inputs("cpu", torch.float32)):
        add(f"{op.split('.')[-1]}_{i:02}", norm, s.input, *arguments(op, s))

# (name, norm, shape of x, number of trailing axes, weight?, bias?, eps, what is done to x)
same = lambda x: x
MORE = [
    ("remainder_7", "layer", (4, 7), 1, True, True, None, same),
    ("remainder_7", "rms", (4, 7), 1, True, False, None, same),
    ("dim_1", "layer", (3, 1), 1, True, True, None, same),
    ("dim_1", "rms", (3, 1), 1, True, False, None, same),
    ("dim_64", "layer", (3, 64), 1, True, True, None, same),
    ("dim_64", "rms", (3, 64), 1, True, False, None, same),
    ("dim_257", "layer", (2, 257), 1, False, False, None, same),
    ("dim_257", "rms", (2, 257), 1, False, False, None, same),
    ("two_axes", "layer", (2, 3, 4, 5), 2, True, True, 1e-6, same),
    ("two_axes", "rms", (2, 3, 4, 5), 2, True, False, 1e-6, same),
    ("no_bias", "layer", (2, 33), 1, True, False, 1e-12, same),
    ("no_weight", "layer", (2, 33), 1, False, True, 1e-12, same),
    ("mean_1000", "layer", (2, 65), 1, True, True, None, lambda x: x / 9 + 1000),
    ("mean_1000", "rms", (2, 65), 1, True, False, None, lambda x: x / 9 + 1000),
    ("constant_rows", "layer", (2, 12), 1, True, True, None, lambda x: x[:, :1].expand(2, 12)),
    ("constant_rows", "rms", (2, 12), 1, True, False, None, lambda x: x[:, :1].expand(2, 12)),
    ("zero_rows", "layer", (2, 12), 1, True, True, None, torch.zeros_like),
    ("zero_rows", "rms", (2, 12), 1, True, False, None, torch.zeros_like),
    ("tiny_1e-20", "layer", (2, 40), 1, True, True, 1e-12, lambda x: x * 1e-20),
    ("tiny_1e-20", "rms", (2, 40), 1, True, False, 1e-12, lambda x: x * 1e-20),
    ("huge_1e+30", "layer", (2, 40), 1, True, True, None, lambda x: x * 1e30),
    ("huge_1e+30", "rms", (2, 40), 1, True, False, None, lambda x: x * 1e30),
    ("no_rows", "layer", (0, 5), 1, True, True, None, same),
    ("no_rows", "rms", (0, 5), 1, True, False, None, same),
    ("no_columns", "layer", (2, 0), 1, True, True, None, same),
    ("no_columns", "rms", (2, 0), 1, True, False, None, same),
]
for name, norm, shape, axes, with_weight, with_bias, eps, change in MORE:
    make = lambda s: torch.rand(s) * 18 - 9  # the range of torch's own samples of layer_norm
    x, tail = change(make(shape)), shape[len(shape) - axes:]
    add(f"more_{norm}_{name}", norm, x, tail, make(tail) if with_weight else None, make(tail) if with_bias else None, eps)

for op, norm in NORM.items():
    if OPS[op].error_inputs_func is None:
        continue
    for i, e in enumerate(OPS[op].error_inputs("cpu")):
        x, (shape, weight, bias, eps) = e.sample_input.input, arguments(op, e.sample_input)
        try:
            OPS[op](x, *e.sample_input.args, **e.sample_input.kwargs)
            raise AssertionError("torch accepts its own error input")
        except e.error_type as error:
            text = str(error)
        fits = len(shape) > 0 and tuple(x.shape[-len(shape):]) == tuple(shape)
        size = lambda t: None if t is None else list(t.shape)
        cases.append(dict(name=f"{op.split('.')[-1]}_error_{i}", norm=norm, axis=x.dim() - len(shape), eps=f32_as_f64(eps), shape=list(x.shape),
                          normalized_shape=list(shape), rows=math.prod(x.shape[: x.dim() - len(shape)]) if fits else None, dim=math.prod(shape) if fits else None,
                          x=None, weight=None, bias=None, y=None, mean=None, rstd=None,
                          expect_error=True, rownorm="refused" if fits else None, weight_shape=size(weight), bias_shape=size(bias), error=text.splitlines()[0]))
write("torch.json", cases)
