// A row that is read anew by every pass.

fn hold_row(row_start: u32, lane: Lane) {}

fn rescale_held(exponent: i32) {}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    return sum_streamed(row_start, frame, lane);
}

// A block in the frame of any row.
fn sum_in_frame(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    if (frame.exponent == 0) {
        return sum_block(row_start, frame, lane, start, end);
    }
    return sum_extreme_block(row_start, frame, lane, start, end);
}
