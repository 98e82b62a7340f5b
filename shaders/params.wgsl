// What changes from call to call. Offsets and strides count elements.

struct Params {
    rows: u32,
    eps: f32,
    x_offset: u32,
    x_stride: u32,
    y_offset: u32,
    y_stride: u32,
    weight_offset: u32,
    bias_offset: u32,
    stats_offset: u32,
    stats_stride: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
