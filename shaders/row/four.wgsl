// Lanes normalize four rows at a time and write them side by side, so that a quad of the weight is
// loaded once for all of them. Where fewer are left, or one takes more than one pass, each is written by
// itself, in short code: software adapters run all code that a row might need. How a row is summed
// depends on that row alone.

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
        statistics[i] = statistics_of(frame, total);
    }
    let together = ordinary == (1u << ROWS) - 1u;
    if (together) {
        write_four_rows(first_row, lane, statistics[0], statistics[1], statistics[2], statistics[3]);
        for (var i = 0u; i < ROWS; i += 1u) {
            write_part(x_row(first_row + i), y_row(first_row + i), lane, statistics[i]);
            if (lane.index == 0u) {
                save_stats(first_row + i, statistics[i]);
            }
        }
    }
    let rows_apart = select(rows, 0u, together);
    for (var i = 0u; i < rows_apart; i += 1u) {
        let x_start = x_row(first_row + i);
        var row = statistics[i];
        if ((ordinary & (1u << i)) == 0u) {
            row = row_statistics(x_start, lane);
        }
        write_row(x_start, y_row(first_row + i), lane, row);
        if (lane.index == 0u) {
            save_stats(first_row + i, row);
        }
    }
}

// The first pass takes every row for an ordinary one.
fn sum_in_frame(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    return sum_block(row_start, frame, lane, start, end);
}
