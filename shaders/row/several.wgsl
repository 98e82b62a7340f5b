// Lanes hold a row at a time in registers, and the weight and bias for all of their rows. Rows of
// extreme magnitude or with a poor guess at the mean are normalized afterwards, each by itself: software
// adapters run all code that a row might need, so the passes that few rows need stand apart.

const ROWS: u32 = 16u;

fn normalize_rows(first_row: u32, lane: Lane) {
    let weight = held_weight(lane);
    let bias = held_bias(lane);
    let rows = min(ROWS, params.rows - first_row);
    var apart = 0u;
    for (var i = 0u; i < rows; i += 1u) {
        let row = held_row(x_row(first_row + i), lane);
        let frame = frame_from(guess_from(row.eight0, lane));
        let total = reduce_sum(partial_of(sums_of_held(frame, lane, row)), lane);
        if (suffices(total)) {
            let statistics = statistics_of(frame, total, scale_of(statistic_of(total), params.eps));
            write_held(y_row(first_row + i), lane, row, statistics, weight, bias);
            if (lane.index == 0u) {
                save_stats(first_row + i, statistics);
            }
        } else {
            apart |= 1u << i;
        }
    }
    for (; apart != 0u; apart &= apart - 1u) {
        normalize_row(first_row + firstTrailingBit(apart), lane);
    }
}

fn held_weight(lane: Lane) -> Held {
    var weight = Held();
    weight.eight0 = held_weight_eight(lane, 0u);
    if (HELD > 8u) { weight.eight1 = held_weight_eight(lane, 8u); }
    if (HELD > 16u) { weight.eight2 = held_weight_eight(lane, 16u); }
    if (HELD > 24u) { weight.eight3 = held_weight_eight(lane, 24u); }
    if (HELD > 32u) { weight.eight4 = held_weight_eight(lane, 32u); }
    if (HELD > 40u) { weight.eight5 = held_weight_eight(lane, 40u); }
    return weight;
}

fn held_bias(lane: Lane) -> Held {
    var bias = Held();
    bias.eight0 = held_bias_eight(lane, 0u);
    if (HELD > 8u) { bias.eight1 = held_bias_eight(lane, 8u); }
    if (HELD > 16u) { bias.eight2 = held_bias_eight(lane, 16u); }
    if (HELD > 24u) { bias.eight3 = held_bias_eight(lane, 24u); }
    if (HELD > 32u) { bias.eight4 = held_bias_eight(lane, 32u); }
    if (HELD > 40u) { bias.eight5 = held_bias_eight(lane, 40u); }
    return bias;
}

fn write_held(y_start: u32, lane: Lane, v: Held, row: RowStatistics, weight: Held, bias: Held) {
    write_eight(y_start, lane, 0u, v.eight0, row, weight.eight0, bias.eight0);
    if (HELD > 8u) { write_eight(y_start, lane, 8u, v.eight1, row, weight.eight1, bias.eight1); }
    if (HELD > 16u) { write_eight(y_start, lane, 16u, v.eight2, row, weight.eight2, bias.eight2); }
    if (HELD > 24u) { write_eight(y_start, lane, 24u, v.eight3, row, weight.eight3, bias.eight3); }
    if (HELD > 32u) { write_eight(y_start, lane, 32u, v.eight4, row, weight.eight4, bias.eight4); }
    if (HELD > 40u) { write_eight(y_start, lane, 40u, v.eight5, row, weight.eight5, bias.eight5); }
}

fn write_eight(y_start: u32, lane: Lane, j: u32, v: Eight, row: RowStatistics, weight: Eight, bias: Eight) {
    store_eight(y_start, lane, j, affine_of_eight(v, row, weight, bias));
}
