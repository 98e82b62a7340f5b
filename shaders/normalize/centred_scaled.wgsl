// LayerNorm: re-centred and re-scaled.

fn normalized(v: vec4f, row: RowStatistics) -> vec4f {
    return ((v - row.shift) - row.delta) * row.scale;
}

// The row's power of two has cancelled.
fn out_of_frame(v: vec4f, row: RowStatistics) -> vec4f {
    return v;
}

fn saved_rstd(row: RowStatistics) -> f32 {
    return row.rstd;
}
