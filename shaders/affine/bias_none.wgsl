// Without a bias.

fn apply_bias(v: vec4f, bias: vec4f) -> vec4f {
    return v;
}
