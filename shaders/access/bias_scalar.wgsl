// bias, one element at a time: any offset, row stride and dim.

@group(0) @binding(3) var<storage, read> bias: array<f32>;

fn load_bias(quad: u32) -> vec4f {
    let i = params.bias_offset + 4u * quad;
    return vec4f(bias[i], bias[i + 1u], bias[i + 2u], bias[i + 3u]);
}

fn load_bias_part(quad: u32, count: u32) -> vec4f {
    let i = params.bias_offset + 4u * quad;
    var v = vec4f();
    if (count > 0u) { v.x = bias[i]; }
    if (count > 1u) { v.y = bias[i + 1u]; }
    if (count > 2u) { v.z = bias[i + 2u]; }
    return v;
}
