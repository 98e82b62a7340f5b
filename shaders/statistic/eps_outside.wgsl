// ε outside the root: scale = 1/(√statistic + ε).

// The magnitude of x that ε is compared with.
fn eps_magnitude() -> f32 {
    return params.eps;
}

// ε for a row scaled by 2^exponent: it scales as x does.
fn eps_in_frame(exponent: i32) -> f32 {
    return scalar_times_power_of_two(params.eps, exponent);
}

// What decides whether squares of the row are in range.
fn smallest_square(statistic: f32) -> f32 {
    return max(statistic, params.eps * params.eps);
}

fn scale_of(statistic: f32, eps: f32) -> f32 {
    let v = sqrt(statistic) + eps;
    return select(1.0 / v, 0.0, v == 0.0);
}
