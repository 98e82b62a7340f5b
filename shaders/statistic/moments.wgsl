// The statistics of LayerNorm: mean and population variance of the row, from the first two moments
// of d = x − shift, with shift a guess at the mean. Rounding the mean to one f32 would cost 0.03 σ
// at mean/σ = 10⁶, so it stays two numbers, shift and delta = mean d. Where the guess was poor
// (var < ½·mean d²), the pass is repeated with a better one.

// Σd and Σd², one partial sum for each place in a quad.
struct Sums {
    first: vec4f,
    second: vec4f,
}

// What lanes exchange: Σd and Σd².
alias Partial = vec2f;

// What a pass over the row assumes of it: x is scaled by 2^exponent, and seen from shift.
struct Frame {
    exponent: i32,
    shift: f32,
}

// The pairwise mean of the first 16 elements, exact where they are equal; the first element where
// there are fewer.
fn guess_mean(row_start: u32, exponent: i32) -> f32 {
    if (DIM < 16u) {
        return in_frame(load_x_part(row_start, 0u, 1u), exponent).x;
    }
    let a = in_frame(load_x(row_start, 0u), exponent);
    let b = in_frame(load_x(row_start, 1u), exponent);
    let c = in_frame(load_x(row_start, 2u), exponent);
    let d = in_frame(load_x(row_start, 3u), exponent);
    return quad_sum((a + b) + (c + d)) * 0.0625;
}

fn frame_at(row_start: u32, exponent: i32) -> Frame {
    return Frame(exponent, guess_mean(row_start, exponent));
}

// The guess from the row's first element and the sum of its first 16.
fn guess_of(first: f32, sixteen: f32) -> f32 {
    return select(sixteen * 0.0625, first, DIM < 16u);
}

// The frame of an ordinary row.
fn frame_from(guess: f32) -> Frame {
    return Frame(0, guess);
}

// The power of two that brings a row into range, with its largest element at 2ᵉ and ε beside x at 2^eps: the
// larger of the two to 2⁸, so that the scale is far below 1, and what is flushed to zero before it cannot show
// after it; but the row no lower than 2⁻⁵², for the sake of its mean.
fn frame_exponent(e: i32, eps: i32) -> i32 {
    return 8 - clamp(eps, e, e + 60);
}

// Whether x − shift is above what a device may flush to zero, whatever ε is: where all x are tiny, the
// differences between them need not be. Rows of equal elements cannot be told from those: shift would tell, but
// lanes may branch around barriers on what they have reduced alone.
fn keeps_differences(total: Partial) -> bool {
    return is_large_enough(largest_square(total));
}

fn seen_from(frame: Frame, v: vec4f) -> vec4f {
    return v - frame.shift;
}

fn sums_of(d: vec4f) -> Sums {
    return Sums(d, d * d);
}

fn sums_of_four(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> Sums {
    return Sums((a + b) + (c + d), (a * a + b * b) + (c * c + d * d));
}

fn plus(a: Sums, b: Sums) -> Sums {
    return Sums(a.first + b.first, a.second + b.second);
}

fn partial_of(sums: Sums) -> Partial {
    return vec2f(quad_sum(sums.first), quad_sum(sums.second));
}

fn mean_of_d(total: Partial) -> f32 {
    return total.x / f32(STATISTIC_DIM);
}

// The population variance, in the frame: mean d² − (mean d)².
fn statistic_of(total: Partial) -> f32 {
    let c = mean_of_d(total);
    return max(total.y / f32(STATISTIC_DIM) - c * c, 0.0);
}

// The largest mean of squares that was summed.
fn largest_square(total: Partial) -> f32 {
    return total.y / f32(STATISTIC_DIM);
}

// Whether the guess at the mean costs more than one bit of the variance.
fn needs_recentring(total: Partial) -> bool {
    let c = mean_of_d(total);
    return c * c > 0.5 * (total.y / f32(STATISTIC_DIM));
}

fn recentred(frame: Frame, total: Partial) -> Frame {
    return Frame(frame.exponent, frame.shift + mean_of_d(total));
}

fn shift_of(frame: Frame) -> f32 {
    return frame.shift;
}
