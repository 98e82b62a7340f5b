//! Rows of extreme magnitude, as in `shaders/range.wgsl`. Multiplying by a power of two is exact here
//! and leaves subnormals and infinities to the hardware, so no exponent is added by hand.

const SMALLEST_ORDINARY: u32 = 0x1780_0000; // 2⁻⁸⁰
const LARGEST_ORDINARY: u32 = 0x7d00_0000; // 2¹²³
const INFINITY: u32 = 0x7f80_0000;

/// Whether a sum of squares is so large that its terms stay above the smallest normal numbers. Values
/// compared here are not negative, so that their bits order them.
pub(super) fn is_large_enough(v: f32) -> bool {
    v.to_bits() >= SMALLEST_ORDINARY
}

/// Whether no term of a sum of squares has overflowed; false for infinity and NaN.
pub(super) fn is_small_enough(v: f32) -> bool {
    v.to_bits() <= LARGEST_ORDINARY
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_and_powers_agree_with_arithmetic() {
        for e in -126..=127 {
            assert_eq!(f64::from(power_of_two(e)), f64::from(e).exp2());
            assert_eq!(exponent_of(power_of_two(e)), e);
            assert_eq!(exponent_of(-1.5 * power_of_two(e)), e);
        }
        assert_eq!([0.0, f32::MIN_POSITIVE / 2.0].map(exponent_of), [-127; 2]);
    }

    #[test]
    fn ordinary_means_between_the_bounds() {
        let cases = [(-81, false), (-80, true), (0, true), (123, true), (124, false)];
        for (e, ordinary) in cases {
            let v = power_of_two(e);
            assert_eq!(is_large_enough(v) && is_small_enough(v), ordinary, "2^{e}");
        }
        assert!(!is_large_enough(0.0));
        for v in [f32::INFINITY, f32::NAN, -f32::NAN] {
            assert!(!is_small_enough(v), "{v}");
        }
    }

    #[test]
    fn every_nan_and_infinity_is_found() {
        assert!(all_finite(&[]) && all_finite(&[f32::MAX, f32::MIN, -0.0, f32::from_bits(1)]));
        let bad = [0x7fc0_0000, 0x7fff_ffff, 0x7f80_0001, 0xffc0_0000, 0x7f80_0000, 0xff80_0000].map(f32::from_bits);
        for v in bad {
            assert!(!all_finite(&[1.0, v, 2.0]), "{:x}", v.to_bits());
        }
        assert_eq!(largest_magnitude(&[1.0, -3.0, 2.0]), 3.0);
    }
}
