// Lanes normalize one row at a time.

const ROWS: u32 = 1u;

fn normalize_rows(row: u32, lane: Lane) {
    normalize_row(row, lane);
}
