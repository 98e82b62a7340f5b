// A row that is read anew by every pass. Long chains of additions lose digits, so sums fold: 4 quads
// pairwise, 8 of these into a block, 32 blocks into a span, and the spans.

const BLOCK: u32 = 32u;
const SPAN: u32 = 1024u;

fn hold_row(row_start: u32, lane: Lane) {}

// Quad j of the lane.
fn quad_of_row(row_start: u32, lane: Lane, j: u32) -> vec4f {
    return load_x(row_start, lane.index + j * lane.count);
}

fn seen_quad(row_start: u32, frame: Frame, lane: Lane, j: u32) -> vec4f {
    return seen_from(frame, in_range(quad_of_row(row_start, lane, j), frame.exponent));
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row: Sums;
    for (var span_start = 0u; span_start < quads; span_start += SPAN) {
        var span: Sums;
        for (var block_start = span_start; block_start < min(span_start + SPAN, quads); block_start += BLOCK) {
            var block: Sums;
            let block_end = min(block_start + BLOCK, quads);
            var j = block_start;
            for (; j + 4u <= block_end; j += 4u) {
                let a = seen_quad(row_start, frame, lane, j);
                let b = seen_quad(row_start, frame, lane, j + 1u);
                let c = seen_quad(row_start, frame, lane, j + 2u);
                let d = seen_quad(row_start, frame, lane, j + 3u);
                block = plus(block, sums_of_four(a, b, c, d));
            }
            for (; j < block_end; j += 1u) {
                block = plus(block, sums_of(seen_quad(row_start, frame, lane, j)));
            }
            span = plus(span, block);
        }
        row = plus(row, span);
    }
    let part = part_of_lane(STATISTIC_DIM, lane);
    if (part > 0u) {
        let v = in_range(load_x_part(row_start, STATISTIC_DIM / 4u, part), frame.exponent);
        row = plus(row, sums_of(first_of_quad(seen_from(frame, v), part)));
    }
    return row;
}

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
    return max(largest, quad_max(load_x_part(row_start, STATISTIC_DIM / 4u, part)));
}
