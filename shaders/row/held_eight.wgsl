// Rows of which a lane holds eight quads at most.

alias Held = Eight;

fn held_row(row_start: u32, lane: Lane) -> Held {
    return held_eight(row_start, lane, 0u);
}

fn held_weight(lane: Lane) -> Held {
    return held_weight_eight(lane, 0u);
}

fn held_bias(lane: Lane) -> Held {
    return held_bias_eight(lane, 0u);
}

fn first_of_held(row: Held) -> Eight {
    return row;
}

fn sums_of_held(frame: Frame, lane: Lane, row: Held) -> Sums {
    return sums_of_eight(frame, lane, 0u, row);
}

fn max_of_held(lane: Lane, row: Held) -> f32 {
    return max_of_eight(row, lane, 0u);
}

fn rescaled(row: Held, exponent: i32) -> Held {
    return rescaled_eight(row, exponent);
}

fn write_held(y_start: u32, lane: Lane, v: Held, row: RowStatistics, weight: Held, bias: Held) {
    write_eight(y_start, lane, 0u, v, row, weight, bias);
}
