// mean and rstd of each row, for a backward pass. RMSNorm has no mean and saves 0; where the row is
// not re-scaled, rstd is 1.

@group(0) @binding(5) var<storage, read_write> stats: array<f32>;

fn save_stats(row: u32, statistics: RowStatistics) {
    let i = params.stats_offset + row * params.stats_stride;
    stats[i] = scalar_times_power_of_two(statistics.shift + statistics.delta, -statistics.exponent);
    stats[i + 1u] = saved_rstd(statistics);
}
