// Re-centred alone: the row's power of two is taken back.

fn normalized(v: vec4f, row: RowStatistics) -> vec4f {
    return in_range((in_range(v, row.exponent) - row.shift) - row.delta, -row.exponent);
}

fn saved_rstd(row: RowStatistics) -> f32 {
    return 1.0;
}
