// No bias: nothing is bound, and nothing is read.

fn load_bias(quad: u32) -> vec4f {
    return vec4f();
}

fn load_bias_part(quad: u32, count: u32) -> vec4f {
    return vec4f();
}
