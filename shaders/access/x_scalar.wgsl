// x, one element at a time: any offset, row stride and dim.

@group(0) @binding(1) var<storage, read> x: array<f32>;

// Where a row of x begins, in elements.
fn x_row(row: u32) -> u32 {
    return params.x_offset + row * params.x_stride;
}

// From one row of x to the next, in elements.
fn x_step() -> u32 {
    return params.x_stride;
}

fn load_x(row_start: u32, quad: u32) -> vec4f {
    let i = row_start + 4u * quad;
    return vec4f(x[i], x[i + 1u], x[i + 2u], x[i + 3u]);
}

fn load_x_part(row_start: u32, quad: u32, count: u32) -> vec4f {
    let i = row_start + 4u * quad;
    var v = vec4f();
    if (count > 0u) { v.x = x[i]; }
    if (count > 1u) { v.y = x[i + 1u]; }
    if (count > 2u) { v.z = x[i + 2u]; }
    return v;
}
