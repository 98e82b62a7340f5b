// Times 1 + w, for weights stored around zero (Gemma).

fn apply_weight(v: vec4f, weight: vec4f) -> vec4f {
    return v * (1.0 + weight);
}
