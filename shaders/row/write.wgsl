// The second half of the work on a streamed row: every element, normalized.

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    if (row.exponent != 0) {
        write_extreme_row(x_start, y_start, lane, row);
    } else {
        write_ordinary_row(x_start, y_start, lane, row);
    }
    write_part(x_start, y_start, lane, row);
}

// Four quads at a time.
fn write_ordinary_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    let quads = quads_of_lane(DIM, lane);
    var j = 0u;
    for (; j + 4u <= quads; j += 4u) {
        let q0 = lane.index + j * lane.count;
        let q1 = q0 + lane.count;
        let q2 = q1 + lane.count;
        let q3 = q2 + lane.count;
        let v0 = affine(load_x(x_start, q0), row, load_weight(q0), load_bias(q0));
        let v1 = affine(load_x(x_start, q1), row, load_weight(q1), load_bias(q1));
        let v2 = affine(load_x(x_start, q2), row, load_weight(q2), load_bias(q2));
        let v3 = affine(load_x(x_start, q3), row, load_weight(q3), load_bias(q3));
        store_y(y_start, q0, v0);
        store_y(y_start, q1, v1);
        store_y(y_start, q2, v2);
        store_y(y_start, q3, v3);
    }
    for (; j < quads; j += 1u) {
        let quad = lane.index + j * lane.count;
        store_y(y_start, quad, affine(load_x(x_start, quad), row, load_weight(quad), load_bias(quad)));
    }
}

// The partial quad at the end of the row, where this lane owns it.
fn write_part(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    let part = part_of_lane(DIM, lane);
    if (part > 0u) {
        let quad = DIM / 4u;
        let v = in_frame(load_x_part(x_start, quad, part), row.exponent);
        let weight = load_weight_part(quad, part);
        store_y_part(y_start, quad, part, affine_of_frame(v, row, weight, load_bias_part(quad, part)));
    }
}
