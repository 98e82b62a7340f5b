// bias, four elements at a time: offset, row stride and dim are multiples of 4.

@group(0) @binding(3) var<storage, read> bias: array<vec4f>;

fn load_bias(quad: u32) -> vec4f {
    return bias[params.bias_offset / 4u + quad];
}

fn load_bias_part(quad: u32, count: u32) -> vec4f {
    return first_of_quad(load_bias(quad), count);
}
