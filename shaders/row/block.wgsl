// The inner loop of a pass over a row that is read anew.

// Quad j of the lane.
fn quad_of_row(row_start: u32, lane: Lane, j: u32) -> vec4f {
    return load_x(row_start, lane.index + j * lane.count);
}

// The sum of up to 32 quads of the lane: 4 quads pairwise, then a chain of 8.
fn sum_block(row_start: u32, frame: Frame, lane: Lane, start: u32, end: u32) -> Sums {
    var block = Sums();
    var j = start;
    for (; j + 4u <= end; j += 4u) {
        let quad = lane.index + j * lane.count;
        let a = seen_from(frame, load_x(row_start, quad));
        let b = seen_from(frame, load_x(row_start, quad + lane.count));
        let c = seen_from(frame, load_x(row_start, quad + 2u * lane.count));
        let d = seen_from(frame, load_x(row_start, quad + 3u * lane.count));
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
