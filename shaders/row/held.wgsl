// A row that is read once and held in registers. One of extreme magnitude is scaled where it is held.

var<private> held: Held;

fn hold_row(row_start: u32, lane: Lane) {
    held = held_row(row_start, lane);
}

fn sum_row(row_start: u32, frame: Frame, lane: Lane) -> Sums {
    return sums_of_held(frame, lane, held);
}

fn write_row(x_start: u32, y_start: u32, lane: Lane, row: RowStatistics) {
    write_eight(y_start, lane, 0u, held.eight0, row);
    if (HELD > 8u) { write_eight(y_start, lane, 8u, held.eight1, row); }
}

fn write_eight(y_start: u32, lane: Lane, j: u32, v: Eight, row: RowStatistics) {
    store_eight(y_start, lane, j, affine_of_eight(v, row, held_weight_eight(lane, j), held_bias_eight(lane, j)));
}

fn rescale_held(exponent: i32) {
    held.eight0 = rescaled(held.eight0, exponent);
    if (HELD > 8u) { held.eight1 = rescaled(held.eight1, exponent); }
}

fn rescaled(v: Eight, exponent: i32) -> Eight {
    return Eight(
        times_power_of_two(v.a, exponent),
        times_power_of_two(v.b, exponent),
        times_power_of_two(v.c, exponent),
        times_power_of_two(v.d, exponent),
        times_power_of_two(v.e, exponent),
        times_power_of_two(v.f, exponent),
        times_power_of_two(v.g, exponent),
        times_power_of_two(v.h, exponent),
    );
}

// max|x|
fn max_of_row(row_start: u32, lane: Lane) -> f32 {
    var largest = max_of_eight(held.eight0, lane, 0u);
    if (HELD > 8u) { largest = max(largest, max_of_eight(held.eight1, lane, 8u)); }
    return largest;
}

fn max_of_eight(v: Eight, lane: Lane, j: u32) -> f32 {
    let ab = max(max_of_quad(v.a, lane, j), max_of_quad(v.b, lane, j + 1u));
    let cd = max(max_of_quad(v.c, lane, j + 2u), max_of_quad(v.d, lane, j + 3u));
    let ef = max(max_of_quad(v.e, lane, j + 4u), max_of_quad(v.f, lane, j + 5u));
    let gh = max(max_of_quad(v.g, lane, j + 6u), max_of_quad(v.h, lane, j + 7u));
    return max(max(ab, cd), max(ef, gh));
}

fn max_of_quad(v: vec4f, lane: Lane, j: u32) -> f32 {
    return quad_max(first_of_quad(v, elements_in(STATISTIC_DIM, lane.index + j * LANES)));
}
