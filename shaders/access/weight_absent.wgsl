// No weight: nothing is bound, and nothing is read.

fn load_weight(quad: u32) -> vec4f {
    return vec4f();
}

fn load_weight_part(quad: u32, count: u32) -> vec4f {
    return vec4f();
}
