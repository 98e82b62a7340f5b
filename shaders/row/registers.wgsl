// A row in registers, HELD quads a lane, eight by eight. Each has a name of its own, because compilers
// keep an array in memory where they do not unroll the loops over it. Quad j of lane l is quad l + j · LANES
// of the row; conditions on j alone are decided when the program is compiled.

struct Eight {
    a: vec4f,
    b: vec4f,
    c: vec4f,
    d: vec4f,
    e: vec4f,
    f: vec4f,
    g: vec4f,
    h: vec4f,
}

// Whether every lane owns a whole quad j of the first `len` elements.
fn all_own(len: u32, j: u32) -> bool {
    return 4u * LANES * (j + 1u) <= len;
}

// How many of a quad's elements lie in the first `len` of the row.
fn elements_in(len: u32, quad: u32) -> u32 {
    return min(4u, len - min(len, 4u * quad));
}

fn held_quad(row_start: u32, lane: Lane, j: u32) -> vec4f {
    let quad = lane.index + j * LANES;
    var v = vec4f();
    if (all_own(DIM, j)) {
        v = load_x(row_start, quad);
    } else if (j < HELD) {
        if (4u * quad + 4u <= DIM) {
            v = load_x(row_start, quad);
        } else if (4u * quad < DIM) {
            v = load_x_part(row_start, quad, DIM % 4u);
        }
    }
    return v;
}

fn held_eight(row_start: u32, lane: Lane, j: u32) -> Eight {
    return Eight(
        held_quad(row_start, lane, j),
        held_quad(row_start, lane, j + 1u),
        held_quad(row_start, lane, j + 2u),
        held_quad(row_start, lane, j + 3u),
        held_quad(row_start, lane, j + 4u),
        held_quad(row_start, lane, j + 5u),
        held_quad(row_start, lane, j + 6u),
        held_quad(row_start, lane, j + 7u),
    );
}

fn sums_of_quad(frame: Frame, lane: Lane, j: u32, v: vec4f) -> Sums {
    var sums = Sums();
    if (all_own(STATISTIC_DIM, j)) {
        sums = sums_of(seen_from(frame, v));
    } else if (j < HELD) {
        sums = sums_of(first_of_quad(seen_from(frame, v), elements_in(STATISTIC_DIM, lane.index + j * LANES)));
    }
    return sums;
}

// Pairwise.
fn sums_of_eight(frame: Frame, lane: Lane, j: u32, v: Eight) -> Sums {
    let ab = plus(sums_of_quad(frame, lane, j, v.a), sums_of_quad(frame, lane, j + 1u, v.b));
    let cd = plus(sums_of_quad(frame, lane, j + 2u, v.c), sums_of_quad(frame, lane, j + 3u, v.d));
    let ef = plus(sums_of_quad(frame, lane, j + 4u, v.e), sums_of_quad(frame, lane, j + 5u, v.f));
    let gh = plus(sums_of_quad(frame, lane, j + 6u, v.g), sums_of_quad(frame, lane, j + 7u, v.h));
    return plus(plus(ab, cd), plus(ef, gh));
}

fn store_quad(y_start: u32, lane: Lane, j: u32, v: vec4f) {
    let quad = lane.index + j * LANES;
    if (all_own(DIM, j)) {
        store_y(y_start, quad, v);
    } else if (j < HELD) {
        if (4u * quad + 4u <= DIM) {
            store_y(y_start, quad, v);
        } else if (4u * quad < DIM) {
            store_y_part(y_start, quad, DIM % 4u, v);
        }
    }
}

// v is in the row's frame.
fn write_eight(y_start: u32, lane: Lane, j: u32, v: Eight, row: RowStatistics, weight: Eight, bias: Eight) {
    store_quad(y_start, lane, j, affine_of_frame(v.a, row, weight.a, bias.a));
    store_quad(y_start, lane, j + 1u, affine_of_frame(v.b, row, weight.b, bias.b));
    store_quad(y_start, lane, j + 2u, affine_of_frame(v.c, row, weight.c, bias.c));
    store_quad(y_start, lane, j + 3u, affine_of_frame(v.d, row, weight.d, bias.d));
    store_quad(y_start, lane, j + 4u, affine_of_frame(v.e, row, weight.e, bias.e));
    store_quad(y_start, lane, j + 5u, affine_of_frame(v.f, row, weight.f, bias.f));
    store_quad(y_start, lane, j + 6u, affine_of_frame(v.g, row, weight.g, bias.g));
    store_quad(y_start, lane, j + 7u, affine_of_frame(v.h, row, weight.h, bias.h));
}
