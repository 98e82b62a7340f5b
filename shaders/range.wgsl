// Rows of extreme magnitude. Squares of f32 overflow beyond 2⁶⁴ and vanish below 2⁻⁶³, so such a row
// is scaled by a power of two before it is squared, and ε with it. Magnitudes are tested by their
// bits, and scaled by adding to the exponent: a compiler may assume that no infinity or NaN occurs,
// and may take a common factor out of a sum, which would overflow again.

const SMALLEST_ORDINARY: u32 = 0x17800000u; // 2⁻⁸⁰
const LARGEST_ORDINARY: u32 = 0x7d000000u; // 2¹²³

// Whether a sum of squares is so large that its terms stay above the smallest normal numbers. Values
// compared here are not negative, so that their bits order them.
fn is_large_enough(v: f32) -> bool {
    return bitcast<u32>(v) >= SMALLEST_ORDINARY;
}

// Whether no term of a sum of squares has overflowed; false for infinity and NaN.
fn is_small_enough(v: f32) -> bool {
    return bitcast<u32>(v) <= LARGEST_ORDINARY;
}

// e with 2ᵉ ≤ |v| < 2ᵉ⁺¹; -127 for zero.
fn exponent_of(v: f32) -> i32 {
    return i32((bitcast<u32>(v) >> 23u) & 0xffu) - 127;
}

// v · 2ᵉ: zero where the result would be below the smallest normal number, infinite where it would be
// above the largest. Infinities and NaN stay what they are.
fn times_power_of_two(v: vec4f, e: i32) -> vec4f {
    let bits = bitcast<vec4i>(v);
    let exponent = (bits >> vec4u(23u)) & vec4i(0xff);
    let moved = exponent + vec4i(e);
    let sign = bits & vec4i(-0x7fffffff - 1);
    let scaled = select(bits + vec4i(e << 23u), sign | vec4i(0x7f800000), moved > vec4i(254));
    let flushed = select(scaled, sign, (exponent == vec4i(0)) | (moved <= vec4i(0)));
    return bitcast<vec4f>(select(flushed, bits, exponent == vec4i(255)));
}

// The same for one number.
fn scalar_times_power_of_two(v: f32, e: i32) -> f32 {
    let bits = bitcast<i32>(v);
    let exponent = (bits >> 23u) & 0xff;
    let moved = exponent + e;
    let sign = bits & (-0x7fffffff - 1);
    let scaled = select(bits + (e << 23u), sign | 0x7f800000, moved > 254);
    let flushed = select(scaled, sign, exponent == 0 || moved <= 0);
    return bitcast<f32>(select(flushed, bits, exponent == 255));
}

// NaN, made of a value that is infinite or NaN: WGSL knows no such constant.
fn not_a_number(v: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(v) | 0x7fc00000u);
}

// A non-negative number, the largest of f32 where it is infinite.
fn finite(v: f32) -> f32 {
    return bitcast<f32>(min(bitcast<u32>(v), 0x7f7fffffu));
}

// x in the frame of its row, where the row may be an ordinary one.
fn in_frame(v: vec4f, exponent: i32) -> vec4f {
    if (exponent == 0) {
        return v;
    }
    return times_power_of_two(v, exponent);
}
