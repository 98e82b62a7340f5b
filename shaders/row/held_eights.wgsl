// Rows of which a lane holds 32 quads at most.

struct Held {
    eight0: Eight,
    eight1: Eight,
    eight2: Eight,
    eight3: Eight,
}

fn held_row(row_start: u32, lane: Lane) -> Held {
    var row = Held();
    row.eight0 = held_eight(row_start, lane, 0u);
    row.eight1 = held_eight(row_start, lane, 8u);
    if (HELD > 16u) { row.eight2 = held_eight(row_start, lane, 16u); }
    if (HELD > 24u) { row.eight3 = held_eight(row_start, lane, 24u); }
    return row;
}

fn held_weight(lane: Lane) -> Held {
    var weight = Held();
    weight.eight0 = held_weight_eight(lane, 0u);
    weight.eight1 = held_weight_eight(lane, 8u);
    if (HELD > 16u) { weight.eight2 = held_weight_eight(lane, 16u); }
    if (HELD > 24u) { weight.eight3 = held_weight_eight(lane, 24u); }
    return weight;
}

fn held_bias(lane: Lane) -> Held {
    var bias = Held();
    bias.eight0 = held_bias_eight(lane, 0u);
    bias.eight1 = held_bias_eight(lane, 8u);
    if (HELD > 16u) { bias.eight2 = held_bias_eight(lane, 16u); }
    if (HELD > 24u) { bias.eight3 = held_bias_eight(lane, 24u); }
    return bias;
}

fn first_of_held(row: Held) -> Eight {
    return row.eight0;
}

// A chain of four at most.
fn sums_of_held(frame: Frame, lane: Lane, row: Held) -> Sums {
    var sums = plus(sums_of_eight(frame, lane, 0u, row.eight0), sums_of_eight(frame, lane, 8u, row.eight1));
    if (HELD > 16u) { sums = plus(sums, sums_of_eight(frame, lane, 16u, row.eight2)); }
    if (HELD > 24u) { sums = plus(sums, sums_of_eight(frame, lane, 24u, row.eight3)); }
    return sums;
}

fn max_of_held(lane: Lane, row: Held) -> f32 {
    var largest = max(max_of_eight(row.eight0, lane, 0u), max_of_eight(row.eight1, lane, 8u));
    if (HELD > 16u) { largest = max(largest, max_of_eight(row.eight2, lane, 16u)); }
    if (HELD > 24u) { largest = max(largest, max_of_eight(row.eight3, lane, 24u)); }
    return largest;
}

fn rescaled(row: Held, exponent: i32) -> Held {
    var scaled = Held();
    scaled.eight0 = rescaled_eight(row.eight0, exponent);
    scaled.eight1 = rescaled_eight(row.eight1, exponent);
    if (HELD > 16u) { scaled.eight2 = rescaled_eight(row.eight2, exponent); }
    if (HELD > 24u) { scaled.eight3 = rescaled_eight(row.eight3, exponent); }
    return scaled;
}

fn write_held(y_start: u32, lane: Lane, v: Held, row: RowStatistics, weight: Held, bias: Held) {
    write_eight(y_start, lane, 0u, v.eight0, row, weight.eight0, bias.eight0);
    write_eight(y_start, lane, 8u, v.eight1, row, weight.eight1, bias.eight1);
    if (HELD > 16u) { write_eight(y_start, lane, 16u, v.eight2, row, weight.eight2, bias.eight2); }
    if (HELD > 24u) { write_eight(y_start, lane, 24u, v.eight3, row, weight.eight3, bias.eight3); }
}
