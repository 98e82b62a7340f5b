// Lanes normalize four rows at a time and write them side by side, so that a quad of the weight is
// loaded once for all of them. Streamed rows only. Where one of the four takes more than one pass, or
// fewer are left, each is normalized by itself: software adapters run all code that a row might need,
// so the passes that few rows need stand apart from the first.

const ROWS: u32 = 4u;

fn normalize_rows(first_row: u32, lane: Lane) {
    let rows = min(ROWS, params.rows - first_row);
    var statistics = array<RowStatistics, ROWS>();
    var together = rows == ROWS;
    for (var i = 0u; i < rows; i += 1u) {
        let x_start = x_row(first_row + i);
        let frame = frame_at(x_start, 0);
        let total = sum_of_lanes(x_start, frame, lane);
        together = together && suffices(total);
        statistics[i] = statistics_of(frame, total, scale_of(statistic_of(total), params.eps));
    }
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
        normalize_row(first_row + i, lane);
    }
}
