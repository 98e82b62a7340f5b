// Lanes hold a row at a time in registers, and the weight and bias for all of their rows. Rows of
// extreme magnitude or with a poor guess at the mean are normalized afterwards, each by itself: software
// adapters run all code that a row might need, so the passes that few rows need stand apart.

const ROWS: u32 = 16u;

fn normalize_rows(first_row: u32, lane: Lane) {
    let weight = held_weight(lane);
    let bias = held_bias(lane);
    let rows = min(ROWS, params.rows - first_row);
    var apart = 0u;
    for (var i = 0u; i < rows; i += 1u) {
        let row = held_row(x_row(first_row + i), lane);
        var frame = frame_from(guess_from(first_of_held(row), lane));
        if (DIM < 16u) {
            // The guess is one element. A second pass over registers costs less than the rows it would send apart.
            frame = recentred(frame, reduce_sum(partial_of(sums_of_held(frame, lane, row)), lane));
        }
        let total = reduce_sum(partial_of(sums_of_held(frame, lane, row)), lane);
        if (suffices(total)) {
            let statistics = statistics_of(frame, total);
            write_held(y_row(first_row + i), lane, row, statistics, weight, bias);
            if (lane.index == 0u) {
                save_stats(first_row + i, statistics);
            }
        } else {
            apart |= 1u << i;
        }
    }
    for (; apart != 0u; apart &= apart - 1u) {
        normalize_row(first_row + firstTrailingBit(apart), lane);
    }
}
