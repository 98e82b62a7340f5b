// weight, four elements at a time: offset, row stride and dim are multiples of 4.

@group(0) @binding(2) var<storage, read> weight: array<vec4f>;

fn load_weight(quad: u32) -> vec4f {
    return weight[params.weight_offset / 4u + quad];
}

fn load_weight_part(quad: u32, count: u32) -> vec4f {
    return first_of_quad(load_weight(quad), count);
}
