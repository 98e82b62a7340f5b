// A quad of x, normalized, times the weight, plus the bias.

// v is a quad of an ordinary row, as it was loaded.
fn affine(v: vec4f, row: RowStatistics, weight: vec4f, bias: vec4f) -> vec4f {
    return apply_bias(apply_weight(normalized(v, row), weight), bias);
}

// v is a quad of any row, in the row's frame.
fn affine_of_frame(v: vec4f, row: RowStatistics, weight: vec4f, bias: vec4f) -> vec4f {
    return apply_bias(apply_weight(out_of_frame(normalized(v, row), row), weight), bias);
}
