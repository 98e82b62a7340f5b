//! Rows of extreme magnitude, as in `shaders/range.wgsl`. Multiplying by a power of two is exact here
//! and leaves subnormals and infinities to the hardware, so no exponent is added by hand.

const SMALLEST_ORDINARY: u32 = 0x1780_0000; // 2⁻⁸⁰
const LARGEST_ORDINARY: u32 = 0x7d00_0000; // 2¹²³
const INFINITY: u32 = 0x7f80_0000;

/// Whether a non-negative value is neither so small that terms of it vanished nor so large that they
/// overflowed; false for infinity and NaN.
pub(super) fn is_ordinary(v: f32) -> bool {
    (SMALLEST_ORDINARY..=LARGEST_ORDINARY).contains(&v.to_bits())
}

/// e with 2ᵉ ≤ |v| < 2ᵉ⁺¹; -127 for zero and subnormal numbers.
pub(super) fn exponent_of(v: f32) -> i32 {
    ((v.to_bits() >> 23) & 0xff) as i32 - 127
}

/// 2ᵉ for −126 ≤ e ≤ 127.
pub(super) fn power_of_two(e: i32) -> f32 {
    f32::from_bits(((e + 127) as u32) << 23)
}

/// max|x| by its bits, so that an infinity and every NaN are larger than all numbers; 0 for none.
pub(super) fn largest_magnitude(x: &[f32]) -> f32 {
    f32::from_bits(x.iter().fold(0, |largest, v| largest.max(v.to_bits() & !(1 << 31))))
}

/// Whether neither infinity nor NaN is among the values.
pub(super) fn all_finite(x: &[f32]) -> bool {
    largest_magnitude(x).to_bits() < INFINITY
}
