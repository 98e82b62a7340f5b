// A row by itself, of any magnitude and mean, in the row's frame. Few rows need it, so it is short rather
// than fast; two quads at a time, for an invocation may run no more than 65,535 loop iterations.

fn hold_row(row_start: u32, lane: Lane) {}

fn rescale_held(exponent: i32) {}

fn quad_in_frame(row_start: u32, lane: Lane, j: u32, exponent: i32) -> vec4f {
    return in_frame(load_x(row_start, lane.index + j * lane.count), exponent);
}

// Sums fold: blocks of 8 quads, 8 blocks to a span, 8 spans to a stretch. Shorter chains than those of
// ordinary rows, because most of what is recentred holds an outlier, beside which all else is rounded.
fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row = Turns();
    for (var stretch_start = 0u; stretch_start < quads; stretch_start += 512u) {
        var stretch = Turns();
        let stretch_end = min(stretch_start + 512u, quads);
        for (var span_start = stretch_start; span_start < stretch_end; span_start += 64u) {
            var span = Turns();
            let span_end = min(span_start + 64u, stretch_end);
            for (var block_start = span_start; block_start < span_end; block_start += 8u) {
                var block = Turns();
                let block_end = min(block_start + 8u, span_end);
                var j = block_start;
                for (; j + 2u <= block_end; j += 2u) {
                    block.next = plus(block.next, sums_at(row_start, frame, lane, j));
                    block.last = plus(block.last, sums_at(row_start, frame, lane, j + 1u));
                }
                if (j < block_end) {
                    block.next = plus(block.next, sums_at(row_start, frame, lane, j));
                }
                span = added(span, sum_of(block));
            }
            stretch = added(stretch, sum_of(span));
        }
        row = added(row, sum_of(stretch));
    }
    let part = part_of_lane(STATISTIC_DIM, lane);
    if (part > 0u) {
        let v = in_frame(load_x_part(row_start, STATISTIC_DIM / 4u, part), frame.exponent);
        return plus(sum_of(row), sums_of(first_of_quad(seen_from(frame, v), part)));
    }
    return sum_of(row);
}

fn sums_at(row_start: u32, frame: Frame, lane: Lane, j: u32) -> Sums {
    return sums_of(seen_from(frame, quad_in_frame(row_start, lane, j, frame.exponent)));
}

// max|x|
fn max_of_row(row_start: u32, lane: Lane) -> f32 {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var largest = 0.0;
    var j = 0u;
    for (; j + 2u <= quads; j += 2u) {
        let pair = max(abs(quad_in_frame(row_start, lane, j, 0)), abs(quad_in_frame(row_start, lane, j + 1u, 0)));
        largest = max(largest, quad_max(pair));
    }
    if (j < quads) {
        largest = max(largest, quad_max(quad_in_frame(row_start, lane, j, 0)));
    }
    let part = part_of_lane(STATISTIC_DIM, lane);
    if (part > 0u) {
        largest = max(largest, quad_max(load_x_part(row_start, STATISTIC_DIM / 4u, part)));
    }
    return largest;
}

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    let quads = quads_of_lane(DIM, lane);
    var j = 0u;
    for (; j + 2u <= quads; j += 2u) {
        write_quad(x_start, y_start, lane, j, row);
        write_quad(x_start, y_start, lane, j + 1u, row);
    }
    if (j < quads) {
        write_quad(x_start, y_start, lane, j, row);
    }
    write_part(x_start, y_start, lane, row);
}

fn write_quad(x_start: u32, y_start: u32, lane: Lane, j: u32, row: RowStatistics) {
    let quad = lane.index + j * lane.count;
    let v = quad_in_frame(x_start, lane, j, row.exponent);
    store_y(y_start, quad, affine_of_frame(v, row, load_weight(quad), load_bias(quad)));
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
