// Re-centred alone.

fn normalized(v: vec4f, row: RowStatistics) -> vec4f {
    return (v - row.shift) - row.delta;
}

// Nothing has divided by the deviation, so the row's power of two is taken back.
fn out_of_frame(v: vec4f, row: RowStatistics) -> vec4f {
    return in_frame(v, -row.exponent);
}

fn saved_rstd(row: RowStatistics) -> f32 {
    return 1.0;
}
