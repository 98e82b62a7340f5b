// What a row of extreme magnitude takes while it is in registers.

fn rescaled_eight(v: Eight, exponent: i32) -> Eight {
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
