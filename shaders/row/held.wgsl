// A row that is read once and held in registers, HELD quads a lane: a chain has at most 16 terms. A
// row of extreme magnitude is scaled where it is held.

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

fn rescale_held(exponent: i32) {
    for (var j = 0u; j < HELD; j += 1u) {
        held[j] = times_power_of_two(held[j], exponent);
    }
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    var row = Sums();
    for (var j = 0u; j < HELD; j += 1u) {
        let present = elements_in(STATISTIC_DIM, lane.index + j * lane.count);
        row = plus(row, sums_of(first_of_quad(seen_from(frame, held[j]), present)));
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

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    for (var j = 0u; j < HELD; j += 1u) {
        let quad = lane.index + j * lane.count;
        if (4u * quad + 4u <= DIM) {
            store_y(y_start, quad, affine_of_frame(held[j], row, load_weight(quad), load_bias(quad)));
        } else if (4u * quad < DIM) {
            let part = DIM % 4u;
            let weight = load_weight_part(quad, part);
            store_y_part(y_start, quad, part, affine_of_frame(held[j], row, weight, load_bias_part(quad, part)));
        }
    }
}
