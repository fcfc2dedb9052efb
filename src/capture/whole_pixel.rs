//! The pixel that a place lies in.

/// Beyond it a float has no digits after the point.
const WHOLE: f32 = 8_388_608.0;

/// The whole part of a number from 0 to a few millions: pixels, not to be asked for anything else. A sum with
/// [`WHOLE`] has the nearest whole number in its lowest bits, and four of them are made at once; a checked
/// conversion is made one at a time.
#[inline]
pub(crate) fn whole_pixel(value: f32) -> i32 {
    let sum = value + WHOLE;
    let nearest = sum.to_bits().wrapping_sub(WHOLE.to_bits()) as i32;
    nearest.wrapping_sub(i32::from(sum - WHOLE > value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_part_is_what_a_conversion_gives() {
        let just_below = |value: f32| f32::from_bits(value.to_bits() - 1);
        let numbers = (0..40_000_u32).map(|i| i as f32 * 0.25);
        for value in numbers.flat_map(|value| [value, just_below(value + 1.0), value + 0.1]) {
            assert_eq!(whole_pixel(value), value as i32, "{value}");
        }
    }
}
