// What a row of extreme magnitude takes instead: the same passes, each quad scaled by the row's power
// of two as it is loaded. Such rows are rare, so this code is short rather than fast.

// max|x|
fn max_of_row(row_start: u32, lane: Lane) -> f32 {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var largest = 0.0;
    var j = 0u;
    for (; j + 4u <= quads; j += 4u) {
        let a = max(abs(quad_of_row(row_start, lane, j)), abs(quad_of_row(row_start, lane, j + 1u)));
        let b = max(abs(quad_of_row(row_start, lane, j + 2u)), abs(quad_of_row(row_start, lane, j + 3u)));
        largest = max(largest, quad_max(max(a, b)));
    }
    for (; j < quads; j += 1u) {
        largest = max(largest, quad_max(quad_of_row(row_start, lane, j)));
    }
    let part = part_of_lane(STATISTIC_DIM, lane);
    if (part > 0u) {
        largest = max(largest, quad_max(load_x_part(row_start, STATISTIC_DIM / 4u, part)));
    }
    return largest;
}

// Quad j of the lane, in the row's frame.
fn extreme_quad(row_start: u32, lane: Lane, j: u32, exponent: i32) -> vec4f {
    return times_power_of_two(quad_of_row(row_start, lane, j), exponent);
}

fn sum_extreme_block(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    var block = Sums();
    var j = start;
    for (; j + 4u <= end; j += 4u) {
        let a = seen_from(frame, extreme_quad(row_start, lane, j, frame.exponent));
        let b = seen_from(frame, extreme_quad(row_start, lane, j + 1u, frame.exponent));
        let c = seen_from(frame, extreme_quad(row_start, lane, j + 2u, frame.exponent));
        let d = seen_from(frame, extreme_quad(row_start, lane, j + 3u, frame.exponent));
        block = plus(block, sums_of_four(a, b, c, d));
    }
    for (; j < end; j += 1u) {
        block = plus(block, sums_of(seen_from(frame, extreme_quad(row_start, lane, j, frame.exponent))));
    }
    return block;
}

fn write_extreme_quad(x_start: u32, y_start: u32, lane: Lane, j: u32, row: RowStatistics) {
    let quad = lane.index + j * lane.count;
    let v = extreme_quad(x_start, lane, j, row.exponent);
    store_y(y_start, quad, affine_of_frame(v, row, load_weight(quad), load_bias(quad)));
}

// Unrolled as the other passes are: an invocation may run no more than 65,535 loop iterations.
fn write_extreme_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    let quads = quads_of_lane(DIM, lane);
    var j = 0u;
    for (; j + 4u <= quads; j += 4u) {
        write_extreme_quad(x_start, y_start, lane, j, row);
        write_extreme_quad(x_start, y_start, lane, j + 1u, row);
        write_extreme_quad(x_start, y_start, lane, j + 2u, row);
        write_extreme_quad(x_start, y_start, lane, j + 3u, row);
    }
    for (; j < quads; j += 1u) {
        write_extreme_quad(x_start, y_start, lane, j, row);
    }
}
