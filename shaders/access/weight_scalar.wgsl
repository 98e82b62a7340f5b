// weight, one element at a time: any offset, row stride and dim.

@group(0) @binding(2) var<storage, read> weight: array<f32>;

fn load_weight(quad: u32) -> vec4f {
    let i = params.weight_offset + 4u * quad;
    return vec4f(weight[i], weight[i + 1u], weight[i + 2u], weight[i + 3u]);
}

fn load_weight_part(quad: u32, count: u32) -> vec4f {
    let i = params.weight_offset + 4u * quad;
    var v = vec4f();
    if (count > 0u) { v.x = weight[i]; }
    if (count > 1u) { v.y = weight[i + 1u]; }
    if (count > 2u) { v.z = weight[i + 2u]; }
    return v;
}
