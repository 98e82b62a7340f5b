// x in the buffer of y (in place, or a range apart), one element at a time.

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
    return vec4f(y[i], y[i + 1u], y[i + 2u], y[i + 3u]);
}

fn load_x_part(row_start: u32, quad: u32, count: u32) -> vec4f {
    let i = row_start + 4u * quad;
    var v = vec4f();
    if (count > 0u) { v.x = y[i]; }
    if (count > 1u) { v.y = y[i + 1u]; }
    if (count > 2u) { v.z = y[i + 2u]; }
    return v;
}
