//! Medians of whole numbers.
//!
//! In: pixels of a face as they lie in the picture, or cells of the view. Out: the middle value of each channel.
//! Stops grow with either, so their median is the stops of this one; and whole numbers are counted many at a
//! time.

use super::light::Cell;

/// Most cells that are taken together.
pub const CELLS_MAX: usize = 40;

/// Most pixels that are taken together.
pub const VALUES_MAX: usize = 384;

/// Bytes that are compared at once.
const LANES: usize = 32;
/// Bytes that are counted in a byte.
const COUNTED: usize = 6 * LANES;

/// Pixels of which the median is wanted.
pub struct Values {
    /// Filled up with the largest value, which is below no limit.
    channels: [[u8; VALUES_MAX]; 3],
    count: usize,
}

impl Values {
    pub fn new() -> Values {
        Values { channels: [[u8::MAX; VALUES_MAX]; 3], count: 0 }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// Adds some pixels; those beyond [`VALUES_MAX`] are left out.
    pub fn extend<const N: usize>(&mut self, pixels: &[[u8; N]; 3]) {
        if self.count + N <= VALUES_MAX {
            for (channel, values) in self.channels.iter_mut().zip(pixels) {
                channel[self.count..self.count + N].copy_from_slice(values);
            }
            self.count += N;
        }
    }

    /// Median of each channel; `None` without pixels.
    pub fn median(&self) -> Option<[u8; 3]> {
        let filled = self.count.next_multiple_of(LANES);
        let nth_of = |channel: &[u8; VALUES_MAX]| nth(&channel[..filled], self.count / 2);
        (self.count > 0).then(|| self.channels.each_ref().map(nth_of))
    }
}

/// The value that has `n` others before it in their order: the largest one that no more than `n` are below.
fn nth(values: &[u8], n: usize) -> u8 {
    let mut value = 0;
    for bit in (0..u8::BITS).rev() {
        let larger = value | (1 << bit);
        if below(values, larger) <= n {
            value = larger;
        }
    }
    value
}

/// How many values are below a limit.
#[inline]
fn below(values: &[u8], limit: u8) -> usize {
    let below_of = |values: &[u8]| values.iter().fold(0_u8, |below, value| below + u8::from(*value < limit));
    values.chunks(COUNTED).map(|values| usize::from(below_of(values))).sum()
}

/// The bit of the sign.
const SIGN: u16 = 1 << 15;

/// Median of each channel of a few cells: of the first [`CELLS_MAX`]; `None` without any.
pub fn median_of_cells(cells: &[Cell]) -> Option<[i16; 3]> {
    let count = cells.len().min(CELLS_MAX);
    let median = |channel: usize| {
        let mut units = [i16::MAX; CELLS_MAX];
        units.iter_mut().zip(cells).for_each(|(units, cell)| *units = cell[channel]);
        // As for bytes, but only in the bits in which the cells differ.
        let least = units.iter().fold(i16::MAX, |least, units| least.min(*units));
        let most = units[..count].iter().fold(i16::MIN, |most, units| most.max(*units));
        let differing = i16::BITS - (least ^ most).leading_zeros();
        // Without the sign the least number of all has no bits.
        let shared = u32::from(least as u16 ^ SIGN) & (u32::MAX << differing);
        let mut value = (shared as u16 ^ SIGN) as i16;
        for bit in (0..differing).rev() {
            let larger = value.wrapping_add((1_u16 << bit) as i16);
            let below = units.iter().fold(0_u16, |below, units| below + u16::from(*units < larger));
            if usize::from(below) <= count / 2 {
                value = larger;
            }
        }
        value
    };
    (count > 0).then(|| [0, 1, 2].map(median))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_cells_is_the_middle_of_the_sorted_ones() {
        for count in [1, 2, 9, 35, CELLS_MAX] {
            let cell = |i: usize| {
                [(i * i * 977) as i16, -(i as i16), if i.is_multiple_of(3) { i16::MAX } else { i16::MIN }, 0]
            };
            let cells: Vec<Cell> = (0..count).map(cell).collect();
            let sorted_middle = |c: usize| {
                let mut channel: Vec<i16> = cells.iter().map(|cell| cell[c]).collect();
                channel.sort_unstable();
                channel[count / 2]
            };
            assert_eq!(median_of_cells(&cells), Some([0, 1, 2].map(sorted_middle)), "{count}");
        }
        assert_eq!(median_of_cells(&[]), None);
    }

    #[test]
    fn the_median_is_the_middle_of_the_sorted_values() {
        for count in [1, 2, 15, 16, 17, 96, 383, 384] {
            let mut values = Values::new();
            let pixel = |i: usize| {
                [(i * i * 7 + 3) as u8, if i.is_multiple_of(3) { 255 } else { 254 }, (i / 40) as u8]
            };
            (0..count).for_each(|i| values.extend(&pixel(i).map(|value| [value])));
            let sorted_middle = |c: usize| {
                let mut channel: Vec<u8> = (0..count).map(|i| pixel(i)[c]).collect();
                channel.sort_unstable();
                channel[count / 2]
            };
            assert_eq!(values.median(), Some([0, 1, 2].map(sorted_middle)), "{count}");
        }
        assert_eq!(Values::new().median(), None);
    }
}
