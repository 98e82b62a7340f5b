// x in the buffer of y (in place, or a range apart), four elements at a time. WebGPU lets one
// dispatch bind a buffer for writing once only, so x is read through the binding of y.

// Where a row of x begins, in quads.
fn x_row(row: u32) -> u32 {
    return (params.x_offset + row * params.x_stride) / 4u;
}

// From one row of x to the next, in quads.
fn x_step() -> u32 {
    return params.x_stride / 4u;
}

fn load_x(row_start: u32, quad: u32) -> vec4f {
    return y[row_start + quad];
}

fn load_x_part(row_start: u32, quad: u32, count: u32) -> vec4f {
    return first_of_quad(y[row_start + quad], count);
}
