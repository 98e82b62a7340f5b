"""Writes onnx.json: ONNX's own node tests of LayerNormalization and RMSNormalization, as the onnx package ships them.

The inputs and outputs are read from the package's .pb files and not recomputed. The tests whose names contain `_expanded` are
left out: they have the same data and a graph of primitive operators in place of the one node.

usage: python onnx_cases.py     (needs requirements.txt)"""
import glob
import math
import os

import numpy as np
import onnx
from onnx import numpy_helper

from common import f32, f32_as_f64, write

NODE = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "node")


def tensors(test, kind):
    found = []
    for i in range(len(glob.glob(os.path.join(test, "test_data_set_0", f"{kind}_*.pb")))):
        t = onnx.TensorProto()
        with open(os.path.join(test, "test_data_set_0", f"{kind}_{i}.pb"), "rb") as f:
            t.ParseFromString(f.read())
        a = numpy_helper.to_array(t)
        assert a.dtype == np.float32
        found.append(a)
    return found


def case(test, norm):
    (node,) = onnx.load(os.path.join(test, "model.onnx")).graph.node
    assert node.op_type == {"layer": "LayerNormalization", "rms": "RMSNormalization"}[norm]
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    axis, eps = attributes.pop("axis", -1), attributes.pop("epsilon", np.float32(1e-5))  # the operators' defaults
    assert not attributes
    x, weight, bias = (tensors(test, "input") + [None])[:3]
    y, mean, rstd = (tensors(test, "output") + [None, None])[:3]
    dim = math.prod(x.shape[axis:])
    rows = x.size // dim
    assert weight.size == dim and (bias is None) == (norm == "rms") and y.shape == x.shape
    assert all(s is None if norm == "rms" else s.size == rows for s in (mean, rstd))
    optional = lambda a: None if a is None else f32(a)
    return dict(name=os.path.basename(test).removeprefix("test_"), norm=norm, axis=axis, eps=f32_as_f64(eps), shape=list(x.shape), rows=rows, dim=dim,
                x=f32(x), weight=f32(weight), bias=optional(bias), y=f32(y), mean=optional(mean), rstd=optional(rstd))


assert onnx.__version__ == "1.20.1"
cases = [case(test, norm) for norm in ("layer", "rms")
         for test in sorted(glob.glob(os.path.join(NODE, f"test_{norm}_normalization_*"))) if "_expanded" not in test]
assert len(cases) == 2 * 19
write("onnx.json", cases)
