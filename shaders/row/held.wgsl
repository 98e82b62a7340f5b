// A row that is read once and held in registers. One of extreme magnitude is scaled where it is held.

var<private> held: Held;

fn hold_row(row_start: u32, lane: Lane) {
    held = held_row(row_start, lane);
}

fn rescale_held(exponent: i32) {
    held = rescaled(held, exponent);
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    return sums_of_held(frame, lane, held);
}

// max|x|
fn max_of_row(row_start: u32, lane: Lane) -> f32 {
    return max_of_held(lane, held);
}

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    write_held(y_start, lane, held, row, held_weight(lane), held_bias(lane));
}
