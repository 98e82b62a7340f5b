// Times the weight w.

fn apply_weight(v: vec4f, weight: vec4f) -> vec4f {
    return v * weight;
}
