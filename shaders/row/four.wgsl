// Lanes normalize four rows at a time and write them side by side, so that a quad of the weight is
// loaded once for all of them. Rows that take more than one pass are normalized afterwards, each by
// itself: software adapters run all code that a row might need, so the passes that few rows need stand
// apart from the first. Which way a row goes depends on that row alone.

const ROWS: u32 = 4u;

fn normalize_rows(first_row: u32, lane: Lane) {
    let rows = min(ROWS, params.rows - first_row);
    var statistics = array<RowStatistics, ROWS>();
    var ordinary = 0u;
    for (var i = 0u; i < rows; i += 1u) {
        let x_start = x_row(first_row + i);
        let frame = frame_at(x_start, 0);
        let total = reduce_sum(partial_of(sum_streamed(x_start, frame, lane)), lane);
        ordinary |= select(0u, 1u << i, suffices(total));
        statistics[i] = statistics_of(frame, total, scale_of(statistic_of(total), params.eps));
    }
    write_four_rows(first_row, rows, lane, ordinary, statistics[0], statistics[1], statistics[2], statistics[3]);
    for (var left = ordinary; left != 0u; left &= left - 1u) {
        let i = firstTrailingBit(left);
        write_part(x_row(first_row + i), y_row(first_row + i), lane, statistics[i]);
        if (lane.index == 0u) {
            save_stats(first_row + i, statistics[i]);
        }
    }
    for (var apart = ordinary ^ ((1u << rows) - 1u); apart != 0u; apart &= apart - 1u) {
        normalize_row(first_row + firstTrailingBit(apart), lane);
    }
}

// The first pass takes every row for an ordinary one.
fn sum_in_frame(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    return sum_block(row_start, frame, lane, start, end);
}
