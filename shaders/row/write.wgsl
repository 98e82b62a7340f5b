// The second half of the work: every element of the row, normalized. Four quads at a time.

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    let quads = quads_of_lane(DIM, lane);
    var j = 0u;
    for (; j + 4u <= quads; j += 4u) {
        let q0 = lane.index + j * lane.count;
        let q1 = q0 + lane.count;
        let q2 = q1 + lane.count;
        let q3 = q2 + lane.count;
        let v0 = affine(quad_of_row(x_start, lane, j), row, load_weight(q0), load_bias(q0));
        let v1 = affine(quad_of_row(x_start, lane, j + 1u), row, load_weight(q1), load_bias(q1));
        let v2 = affine(quad_of_row(x_start, lane, j + 2u), row, load_weight(q2), load_bias(q2));
        let v3 = affine(quad_of_row(x_start, lane, j + 3u), row, load_weight(q3), load_bias(q3));
        store_y(y_start, q0, v0);
        store_y(y_start, q1, v1);
        store_y(y_start, q2, v2);
        store_y(y_start, q3, v3);
    }
    for (; j < quads; j += 1u) {
        let quad = lane.index + j * lane.count;
        store_y(y_start, quad, affine(quad_of_row(x_start, lane, j), row, load_weight(quad), load_bias(quad)));
    }
    let part = part_of_lane(DIM, lane);
    if (part > 0u) {
        let quad = DIM / 4u;
        let v = load_x_part(x_start, quad, part);
        store_y_part(y_start, quad, part, affine(v, row, load_weight_part(quad, part), load_bias_part(quad, part)));
    }
}
