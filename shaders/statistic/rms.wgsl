// The statistic of RMSNorm: the mean of x² over the first STATISTIC_DIM elements.

// Σx², one partial sum for each place in a quad.
struct Sums {
    squares: vec4f,
}

// What lanes exchange.
alias Partial = f32;

// What a pass over the row assumes of it: x is scaled by 2^exponent.
struct Frame {
    exponent: i32,
}

fn frame_at(row_start: u32, exponent: i32) -> Frame {
    return Frame(exponent);
}

// There is no mean to guess.
fn guess_of(first: f32, sixteen: f32) -> f32 {
    return 0.0;
}

// The frame of an ordinary row.
fn frame_from(guess: f32) -> Frame {
    return Frame(0);
}

// The power of two that brings a row into range, with its largest element at 2ᵉ and ε beside x at 2^eps: the
// larger of the two to 2⁸, so that the scale is far below 1, and what is flushed to zero before it cannot show
// after it. What the statistic does not read may be larger by all that its normalized value may be: where that is
// within f32, it is in a frame that begins at 2⁻⁸, too.
fn frame_exponent(e: i32, eps: i32) -> i32 {
    let leading = max(e, eps);
    return select(8, -8, STATISTIC_DIM < DIM && leading < 8) - leading;
}

// Nothing is subtracted.
fn keeps_differences(total: Partial) -> bool {
    return true;
}

fn seen_from(frame: Frame, v: vec4f) -> vec4f {
    return v;
}

fn sums_of(d: vec4f) -> Sums {
    return Sums(d * d);
}

fn sums_of_four(a: vec4f, b: vec4f, c: vec4f, d: vec4f) -> Sums {
    return Sums((a * a + b * b) + (c * c + d * d));
}

fn plus(a: Sums, b: Sums) -> Sums {
    return Sums(a.squares + b.squares);
}

fn partial_of(sums: Sums) -> Partial {
    return quad_sum(sums.squares);
}

// mean x², in the frame.
fn statistic_of(total: Partial) -> f32 {
    return total / f32(STATISTIC_DIM);
}

// The largest mean of squares that was summed.
fn largest_square(total: Partial) -> f32 {
    return statistic_of(total);
}

fn needs_recentring(total: Partial) -> bool {
    return false;
}

fn recentred(frame: Frame, total: Partial) -> Frame {
    return frame;
}

fn shift_of(frame: Frame) -> f32 {
    return 0.0;
}

fn mean_of_d(total: Partial) -> f32 {
    return 0.0;
}
