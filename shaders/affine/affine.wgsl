// The normalized quad, times the weight, plus the bias.

fn affine(v: vec4f, row: RowStatistics, weight: vec4f, bias: vec4f) -> vec4f {
    return apply_bias(apply_weight(normalized(v, row), weight), bias);
}
