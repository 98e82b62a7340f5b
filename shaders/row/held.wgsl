// A row that is read once and held in registers, HELD quads a lane. A chain has at most 16 terms.

var<private> held: array<vec4f, HELD>;

// How many of a quad's elements lie in the first `len` of the row.
fn elements_in(len: u32, quad: u32) -> u32 {
    return min(4u, len - min(len, 4u * quad));
}

fn hold_row(row_start: u32, lane: Lane) {
    for (var j = 0u; j < HELD; j += 1u) {
        let quad = lane.index + j * lane.count;
        if (4u * quad + 4u <= DIM) {
            held[j] = load_x(row_start, quad);
        } else if (4u * quad < DIM) {
            held[j] = load_x_part(row_start, quad, DIM % 4u);
        } else {
            held[j] = vec4f();
        }
    }
}

fn quad_of_row(row_start: u32, lane: Lane, j: u32) -> vec4f {
    return held[j];
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    var row: Sums;
    for (var j = 0u; j < HELD; j += 1u) {
        let present = elements_in(STATISTIC_DIM, lane.index + j * lane.count);
        let d = seen_from(frame, in_range(held[j], frame.exponent));
        row = plus(row, sums_of(first_of_quad(d, present)));
    }
    return row;
}

// max|x|
fn max_of_row(row_start: u32, lane: Lane) -> f32 {
    var largest = 0.0;
    for (var j = 0u; j < HELD; j += 1u) {
        let present = elements_in(STATISTIC_DIM, lane.index + j * lane.count);
        largest = max(largest, quad_max(first_of_quad(held[j], present)));
    }
    return largest;
}
