// Lanes normalize one row at a time.

const ROWS: u32 = 1u;

fn normalize_rows(row: u32, lane: Lane) {
    let x_start = x_row(row);
    hold_row(x_start, lane);
    let statistics = row_statistics(x_start, lane);
    write_row(x_start, y_row(row), lane, statistics);
    if (lane.index == 0u) {
        save_stats(row, statistics);
    }
}
