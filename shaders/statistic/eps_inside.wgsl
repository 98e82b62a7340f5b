// ε inside the root: scale = 1/√(statistic + ε).

// The magnitude of x that ε is the square of.
fn eps_magnitude() -> f32 {
    return sqrt(params.eps);
}

// ε for a row scaled by 2^exponent: it scales with the square of x.
fn eps_in_frame(exponent: i32) -> f32 {
    return scalar_times_power_of_two(scalar_times_power_of_two(params.eps, exponent), exponent);
}

// What decides whether squares of the row are in range.
fn smallest_square(statistic: f32) -> f32 {
    return statistic + params.eps;
}

fn scale_of(statistic: f32, eps: f32) -> f32 {
    let v = statistic + eps;
    return select(inverseSqrt(v), 0.0, v == 0.0);
}
