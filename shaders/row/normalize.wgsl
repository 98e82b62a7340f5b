// One row, from x to y.

fn normalize_row(row: u32, lane: Lane) {
    let x_start = x_row(row);
    hold_row(x_start, lane);
    let statistics = row_statistics(x_start, lane);
    write_row(x_start, y_row(row), lane, statistics);
    if (lane.index == 0u) {
        save_stats(row, statistics);
    }
}
