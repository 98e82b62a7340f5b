// shift and scale of one row, found by the lanes that share it.

// With v = x · 2^exponent: y = ((v − shift) − delta) · scale · weight + bias. The mean is shift +
// delta, kept as two numbers; both are 0 where the statistic has no mean.
struct RowStatistics {
    exponent: i32,
    shift: f32,
    delta: f32,
    scale: f32,
}

const LAST_PASS: u32 = 3u;

// An ordinary row takes one pass. It is repeated where squares left the range of f32 (then x is scaled
// by a power of two), and where the guess at the mean was poor.
fn row_statistics(row_start: u32, lane: Lane) -> RowStatistics {
    var frame = frame_at(row_start, 0);
    var total = Partial();
    for (var pass_index = 0u; pass_index <= LAST_PASS; pass_index += 1u) {
        total = sum_of_lanes(row_start, frame, lane);
        if (pass_index == 0u && !squares_in_range(total)) {
            let largest = reduce_max(max_of_row(row_start, lane), lane);
            let exponent = clamp(1 - max(exponent_of(largest), exponent_of(eps_magnitude())), -126, 126);
            rescale_held(exponent);
            frame = frame_at(row_start, exponent);
        } else if (pass_index < LAST_PASS && needs_recentring(total)) {
            frame = recentred(frame, total);
        } else {
            break;
        }
    }
    return statistics_of(frame, total, scale_in_frame(statistic_of(total), frame.exponent));
}

// One pass.
fn sum_of_lanes(row_start: u32, frame: Frame, lane: Lane) -> Partial {
    return reduce_sum(partial_of(sum_row(row_start, frame, lane)), lane);
}

// Whether the first pass is the last.
fn suffices(total: Partial) -> bool {
    return squares_in_range(total) && !needs_recentring(total);
}

// Whether no square overflowed, and none that counts vanished.
fn squares_in_range(total: Partial) -> bool {
    let smallest = smallest_square(statistic_of(total));
    return is_small_enough(largest_square(total)) && is_large_enough(smallest) && is_small_enough(smallest);
}

// The scale of a row scaled by 2^exponent. Where the statistic is 0 and ε has vanished from the frame,
// it is that of ε alone, taken outside of the frame. It stays finite, so that 0 times it is 0; the
// largest element of a scaled row is 2 at least, so that what is beyond f32 still becomes infinite.
fn scale_in_frame(statistic: f32, exponent: i32) -> f32 {
    let eps = eps_in_frame(exponent);
    if (statistic == 0.0 && eps == 0.0) {
        return finite(scalar_times_power_of_two(scale_of(0.0, params.eps), -exponent));
    }
    return scale_of(statistic, eps);
}
