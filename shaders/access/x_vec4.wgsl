// x, four elements at a time: offset, row stride and dim are multiples of 4.

@group(0) @binding(1) var<storage, read> x: array<vec4f>;

// Where a row of x begins, in quads.
fn x_row(row: u32) -> u32 {
    return (params.x_offset + row * params.x_stride) / 4u;
}

// From one row of x to the next, in quads.
fn x_step() -> u32 {
    return params.x_stride / 4u;
}

fn load_x(row_start: u32, quad: u32) -> vec4f {
    return x[row_start + quad];
}

fn load_x_part(row_start: u32, quad: u32, count: u32) -> vec4f {
    return first_of_quad(x[row_start + quad], count);
}
