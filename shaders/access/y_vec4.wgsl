// y, four elements at a time: offset, row stride and dim are multiples of 4.

@group(0) @binding(4) var<storage, read_write> y: array<vec4f>;

// Where a row of y begins, in quads.
fn y_row(row: u32) -> u32 {
    return (params.y_offset + row * params.y_stride) / 4u;
}

// From one row of y to the next, in quads.
fn y_step() -> u32 {
    return params.y_stride / 4u;
}

fn store_y(row_start: u32, quad: u32, v: vec4f) {
    y[row_start + quad] = v;
}

// dim is a multiple of 4 here: there is no partial quad to store.
fn store_y_part(row_start: u32, quad: u32, count: u32, v: vec4f) {}
