// shift and scale of one row, found by the lanes that share it.

// With v = x · 2^exponent: y = ((v − shift) − delta) · scale · weight + bias. The mean is shift +
// delta, kept as two numbers; both are 0 where the statistic has no mean.
struct RowStatistics {
    exponent: i32,
    shift: f32,
    delta: f32,
    scale: f32,
}

// An ordinary row takes one pass. The pass is repeated where squares left the range of f32 (then x
// is scaled by a power of two), and where the guess at the mean was poor.
fn row_statistics(row_start: u32, lane: Lane) -> RowStatistics {
    var frame = first_frame(row_start);
    var eps = params.eps;
    var total: Partial;
    for (var attempt = 0u; attempt < 4u; attempt += 1u) {
        total = reduce_sum(partial_of(sum_row(row_start, frame, lane)), lane);
        let squares_in_range = is_ordinary(largest_square(total))
            && is_ordinary(smallest_square(statistic_of(total), params.eps));
        if (attempt == 0u && !squares_in_range) {
            let largest = reduce_max(max_of_row(row_start, lane), lane);
            let exponent = clamp(-max(exponent_of(largest), exponent_of(eps_magnitude())), -126, 126);
            frame = rescaled(row_start, exponent);
            eps = eps_in_frame(exponent);
        } else if (needs_recentring(total)) {
            frame = recentred(frame, total);
        } else {
            break;
        }
    }
    return statistics_of(frame, total, scale_of(statistic_of(total), eps));
}
