"""What the scripts in this folder share: exact decimal numbers, and JSON with one case a line."""
import json
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def f32(a):
    """The float32 values of `a`, flat, each as the shortest decimal that reads back as the same float32."""
    return [Number(str(v), np.float32(v)) for v in np.asarray(a, np.float32).ravel()]


def f64(a):
    """The float64 values of `a`, flat, each as the shortest decimal that reads back as the same float64."""
    return [Number(repr(float(v)), np.float64(v)) for v in np.asarray(a, np.float64).ravel()]


def f32_as_f64(v):
    """A float32 written with the digits of a float64, so that it is the same number whether it is read as one or the other."""
    return float(np.float32(v))


class Number(float):
    """A float that json writes with the given digits, checked to read back as `value`."""

    def __new__(cls, text, value):
        number = super().__new__(cls, text)
        assert np.isfinite(value), value
        assert type(value)(float(text)) == value, text  # read as a float64, then rounded: what most JSON readers do
        number.text = text
        return number

    def __repr__(self):
        return self.text


def line(case):
    """`case` as one line of compact JSON. json calls float.__repr__ whatever the class, hence by hand."""
    def value(v):
        if isinstance(v, Number):
            return v.text
        if isinstance(v, list):
            return "[" + ",".join(map(value, v)) + "]"
        return json.dumps(v, allow_nan=False, ensure_ascii=False)

    return "{" + ",".join(f"{json.dumps(k)}:{value(v)}" for k, v in case.items()) + "}"


def write(file, cases):
    assert len({c["name"] for c in cases}) == len(cases), "every case needs a name of its own"
    with open(os.path.join(HERE, file), "w", newline="\n") as f:
        f.write("[\n" + ",\n".join(map(line, cases)) + "\n]\n")
    print(f"{file}: {len(cases)} cases, {os.path.getsize(os.path.join(HERE, file))} bytes")
