// RMSNorm and the std-scaled variant: re-scaled alone.

fn normalized(v: vec4f, row: RowStatistics) -> vec4f {
    return in_range(v, row.exponent) * row.scale;
}

fn saved_rstd(row: RowStatistics) -> f32 {
    return scalar_times_power_of_two(row.scale, row.exponent);
}
