// y, one element at a time: any offset, row stride and dim.

@group(0) @binding(4) var<storage, read_write> y: array<f32>;

// Where a row of y begins, in elements.
fn y_row(row: u32) -> u32 {
    return params.y_offset + row * params.y_stride;
}

// From one row of y to the next, in elements.
fn y_step() -> u32 {
    return params.y_stride;
}

fn store_y(row_start: u32, quad: u32, v: vec4f) {
    let i = row_start + 4u * quad;
    y[i] = v.x;
    y[i + 1u] = v.y;
    y[i + 2u] = v.z;
    y[i + 3u] = v.w;
}

fn store_y_part(row_start: u32, quad: u32, count: u32, v: vec4f) {
    let i = row_start + 4u * quad;
    if (count > 0u) { y[i] = v.x; }
    if (count > 1u) { y[i + 1u] = v.y; }
    if (count > 2u) { y[i + 2u] = v.z; }
}
