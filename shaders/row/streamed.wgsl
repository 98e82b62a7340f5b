// A row that is read anew by every pass. Long chains of additions lose digits, so sums fold: 4 quads
// pairwise, 8 of these to a block, 32 blocks to a span, and the spans.

const BLOCK: u32 = 32u;
const SPAN: u32 = 1024u;

fn hold_row(row_start: u32, lane: Lane) {}

fn rescale_held(exponent: i32) {}

// Quad j of the lane.
fn quad_of_row(row_start: u32, lane: Lane, j: u32) -> vec4f {
    return load_x(row_start, lane.index + j * lane.count);
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let quads = quads_of_lane(STATISTIC_DIM, lane);
    var row: Sums;
    for (var span_start = 0u; span_start < quads; span_start += SPAN) {
        var span: Sums;
        let span_end = min(span_start + SPAN, quads);
        for (var block_start = span_start; block_start < span_end; block_start += BLOCK) {
            let block_end = min(block_start + BLOCK, span_end);
            if (frame.exponent == 0) {
                span = plus(span, sum_block(row_start, frame, lane, block_start, block_end));
            } else {
                span = plus(span, sum_extreme_block(row_start, frame, lane, block_start, block_end));
            }
        }
        row = plus(row, span);
    }
    return plus(row, sum_part(row_start, frame, lane));
}

fn sum_block(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    var block: Sums;
    var j = start;
    for (; j + 4u <= end; j += 4u) {
        let a = seen_from(frame, quad_of_row(row_start, lane, j));
        let b = seen_from(frame, quad_of_row(row_start, lane, j + 1u));
        let c = seen_from(frame, quad_of_row(row_start, lane, j + 2u));
        let d = seen_from(frame, quad_of_row(row_start, lane, j + 3u));
        block = plus(block, sums_of_four(a, b, c, d));
    }
    for (; j < end; j += 1u) {
        block = plus(block, sums_of(seen_from(frame, quad_of_row(row_start, lane, j))));
    }
    return block;
}

// The partial quad at the end of the row, where this lane owns it.
fn sum_part(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    let part = part_of_lane(STATISTIC_DIM, lane);
    if (part == 0u) {
        return Sums();
    }
    let v = in_frame(load_x_part(row_start, STATISTIC_DIM / 4u, part), frame.exponent);
    return sums_of(first_of_quad(seen_from(frame, v), part));
}
