// shift and scale of one row, found by the lanes that share it.

// With v = x · 2^exponent: y = ((v − shift) − delta) · scale · weight + bias. The mean is shift +
// delta, kept as two numbers; both are 0 where the statistic has no mean.
struct RowStatistics {
    exponent: i32,
    shift: f32,
    delta: f32,
    scale: f32,
    // The scale of the row as it is.
    rstd: f32,
}

const LAST_PASS: u32 = 3u;

// An ordinary row takes one pass. It is repeated where squares left the range of f32 (then x is scaled
// by a power of two), and where the guess at the mean was poor.
fn row_statistics(row_start: u32, lane: Lane) -> RowStatistics {
    var frame = frame_at(row_start, 0);
    var total = Partial();
    for (var pass_index = 0u; pass_index <= LAST_PASS; pass_index += 1u) {
        total = sum_of_lanes(row_start, frame, lane);
        if (pass_index == 0u && !in_range(total)) {
            let largest = reduce_max(max_of_row(row_start, lane), lane);
            if (STATISTIC_DIM == DIM && largest == 0.0) {
                break;
            }
            let exponent = clamp(frame_exponent(exponent_of(largest), exponent_of(eps_magnitude())), -126, 126);
            rescale_held(exponent);
            frame = frame_at(row_start, exponent);
        } else if (pass_index < LAST_PASS && needs_recentring(total)) {
            frame = recentred(frame, total);
        } else {
            break;
        }
    }
    return statistics_in_frame(frame, total);
}

// One pass.
fn sum_of_lanes(row_start: u32, frame: Frame, lane: Lane) -> Partial {
    return reduce_sum(partial_of(sum_row(row_start, frame, lane)), lane);
}

// Whether the first pass is the last.
fn suffices(total: Partial) -> bool {
    return in_range(total) && !needs_recentring(total);
}

// Whether no square overflowed, and nothing that counts vanished.
fn in_range(total: Partial) -> bool {
    let smallest = smallest_square(statistic_of(total));
    let none_overflowed = is_small_enough(largest_square(total)) && is_small_enough(smallest);
    return none_overflowed && is_large_enough(smallest) && keeps_differences(total);
}

// An ordinary row's.
fn statistics_of(frame: Frame, total: Partial) -> RowStatistics {
    let scale = scale_of(statistic_of(total), params.eps);
    return RowStatistics(0, shift_of(frame), mean_of_d(total), scale, scale);
}

// Those of a row scaled by 2^exponent, NaN where it holds an infinity or a NaN (WGSL lets a compiler assume
// that neither occurs, so that this is no promise). Where ε has left the frame, it alone counts (the
// statistic is 0, or too small beside it), and the scale is taken outside of the frame. It stays finite, so that
// 0 times it is 0; the largest element of a row whose ε vanished is 2 at least, so that what is beyond f32 still
// becomes infinite.
fn statistics_in_frame(frame: Frame, total: Partial) -> RowStatistics {
    let statistic = statistic_of(total);
    let eps = eps_in_frame(frame.exponent);
    var scale = scale_of(statistic, eps);
    var rstd = scalar_times_power_of_two(scale, frame.exponent);
    if ((statistic == 0.0 && eps == 0.0) || !is_small_enough(eps)) {
        rstd = scale_of(0.0, params.eps);
        scale = finite(scalar_times_power_of_two(rstd, -frame.exponent));
    }
    let largest = largest_square(total);
    if (!is_small_enough(largest)) {
        let nan = not_a_number(largest);
        return RowStatistics(frame.exponent, nan, nan, nan, nan);
    }
    return RowStatistics(frame.exponent, shift_of(frame), mean_of_d(total), scale, rstd);
}
