//! Light in stops: the logarithm in which a ratio of reflectances is a difference.
//!
//! In: 8-bit sRGB. Out: stops (log2 of linear light plus a floor). Under any light, in or out of a
//! shadow, a face differs from the surface beside it by the same number of stops.

use std::sync::LazyLock;

use crate::{
    board::Colour,
    capture::{Picture, srgb},
};

/// Three channels in stops.
pub type Stops = [f32; 3];

/// A cell of the view: red, green and blue in [`UNITS_A_STOP`]ths of a stop, and 0; or [`UNSEEN`].
/// Whole numbers take half the memory of [`Stops`], and eight of them are worked on at once.
pub type Cell = [i16; 4];

/// Fine enough to be far below any step, and coarse enough for the sum of four differences of light
/// and black (12 stops) to be an `i16`.
pub const UNITS_A_STOP: f32 = 512.0;

/// A cell out of the picture.
pub const UNSEEN: Cell = [0, 0, 0, 1];

/// Whether a cell is in the picture.
pub fn is_seen(cell: Cell) -> bool {
    cell[3] == 0
}

pub fn stops_of_cell(cell: Cell) -> Stops {
    stops_of_units([cell[0], cell[1], cell[2]])
}

pub fn stops_of_units(units: [i16; 3]) -> Stops {
    units.map(|units| f32::from(units) / UNITS_A_STOP)
}

/// Tables from 8-bit values to stops for one picture.
#[derive(Debug, Clone)]
pub struct Light {
    /// Of the sum of four 8-bit values, in units of a [`Cell`], a channel.
    of_four: Box<[[i16; SUMS]; 3]>,
    /// Stops of single values, a channel.
    of_one: Box<[[f32; 256]; 3]>,
    /// Light added to each channel.
    floor: [f32; 3],
    /// Stops of single values with a higher floor, in which gloss on a dark face is no edge.
    soft: Box<[[f32; 256]; 3]>,
    soft_floor: [f32; 3],
    /// The picture's own surface, in linear light.
    surface: [f32; 3],
    glare: Option<Glare>,
}

/// The light of lamps that the board mirrors: it lies over board and pieces alike, and has the lamps' hue and
/// not the board's.
#[derive(Debug, Clone, Copy)]
struct Glare {
    /// The lamps' light by that of the lit surface, a channel; 1 in the mean.
    hue: [f32; 3],
    /// Mean square of what that hue differs from the surface's by.
    hue_square: f32,
    /// Glare below this part of the surface's own light is not told from its grain.
    least: f32,
}

/// Mean square by which the lamps' hue must differ from the surface's to tell glare from light: a grey board has
/// the lamps' own hue.
const GLARE_HUE_MIN: f32 = 0.02;

/// Floor of the soft tables, as part of the surface's own light.
const SOFT_FLOOR: f32 = 0.3;

/// Sums of four 8-bit values, rounded up so that ten bits index all of them.
const SUMS: usize = 1024;

/// Linear light of the mean of four 8-bit values, by their sum.
static LINEAR_OF_FOUR: LazyLock<Vec<f32>> =
    LazyLock::new(|| (0..SUMS).map(|sum| linear(sum as f32 / 4.0 / 255.0)).collect());

impl Light {
    /// `surface` is the picture's own surface in linear light; `floor` is added as a fraction of it.
    pub fn new(surface: [f32; 3], floor: f32) -> Light {
        let floor = surface.map(|level| (level * floor).max(FLOOR_MIN));
        let soft_floor = surface.map(|level| (level * SOFT_FLOOR).max(FLOOR_MIN));
        let sums = &*LINEAR_OF_FOUR;
        let mut of_four = Box::new([[0; SUMS]; 3]);
        let mut of_one = Box::new([[0.0; 256]; 3]);
        let mut soft = Box::new([[0.0; 256]; 3]);
        for channel in 0..3 {
            for (sum, units) in of_four[channel].iter_mut().enumerate() {
                let stops = (sums[sum] + floor[channel]).log2();
                *units = (stops * UNITS_A_STOP) as i16;
                if sum % 4 == 0 {
                    of_one[channel][sum / 4] = stops;
                    soft[channel][sum / 4] = (sums[sum] + soft_floor[channel]).log2();
                }
            }
        }
        Light { of_four, of_one, floor, soft, soft_floor, surface, glare: None }
    }

    /// The same for a board of which the surface's own colour is known: what it shows beyond that, in the lamps'
    /// hue, is glare. Less than `least` of the surface's light is not.
    pub fn with_glare(self, board: Colour, least: f32) -> Light {
        let by_lamp = linear_colour(board).map(|reflected| 1.0 / reflected.max(1e-3));
        let mean = by_lamp.iter().sum::<f32>() / 3.0;
        let hue = by_lamp.map(|v| v / mean);
        let hue_square = hue.iter().map(|v| (v - 1.0).powi(2)).sum::<f32>() / 3.0;
        let glare = (hue_square >= GLARE_HUE_MIN).then_some(Glare { hue, hue_square, least });
        Light { glare, ..self }
    }

    /// The glare on a place whose bare surface shows this linear light.
    fn glare_on(&self, surface: [f32; 3]) -> [f32; 3] {
        let Some(Glare { hue, hue_square, least }) = self.glare else { return [0.0; 3] };
        let seen: [f32; 3] = std::array::from_fn(|c| surface[c] / self.surface[c].max(FLOOR_MIN));
        let mean = seen.iter().sum::<f32>() / 3.0;
        let of_hue = seen.iter().zip(hue).map(|(seen, hue)| (seen - mean) * (hue - 1.0)).sum::<f32>() / 3.0;
        // Bluish shade is no glare: that makes a place brighter than most of the board.
        let glare = (of_hue / hue_square).min(mean - 1.0);
        let glare = if glare > least { glare - least * least / glare } else { 0.0 };
        std::array::from_fn(|c| glare * hue[c] * self.surface[c])
    }

    /// The cell whose four pixels sum up to these.
    #[inline]
    pub fn cell_of_four(&self, red: u32, green: u32, blue: u32) -> Cell {
        let units = |channel: usize, sum: u32| self.of_four[channel][sum as usize % SUMS];
        [units(0, red), units(1, green), units(2, blue), 0]
    }

    /// Stops of the three values of a pixel.
    #[inline]
    pub fn of_pixel(&self, pixel: &[u8; 3]) -> Stops {
        let [red, green, blue] = *pixel;
        let tables = &*self.of_one;
        [tables[0][usize::from(red)], tables[1][usize::from(green)], tables[2][usize::from(blue)]]
    }

    /// The same in soft stops.
    #[inline]
    pub fn soft_of_pixel(&self, pixel: &[u8; 3]) -> Stops {
        let [red, green, blue] = *pixel;
        let tables = &*self.soft;
        [tables[0][usize::from(red)], tables[1][usize::from(green)], tables[2][usize::from(blue)]]
    }

    /// Soft stops of single values, a channel.
    pub fn soft_tables(&self) -> &[[f32; 256]; 3] {
        &self.soft
    }

    /// Stops of a place that was read in soft ones.
    pub fn stops_from_soft(&self, soft: Stops) -> Stops {
        std::array::from_fn(|c| ((soft[c].exp2() - self.soft_floor[c]).max(0.0) + self.floor[c]).log2())
    }

    /// Stops of linear light.
    pub fn stops_of_linear(&self, linear: [f32; 3]) -> Stops {
        std::array::from_fn(|c| (linear[c] + self.floor[c]).log2())
    }

    /// By how many stops `face` differs from `surface`, with a floor relative to that very surface:
    /// the same for a piece in the light and in a deep shadow.
    pub fn between(&self, face: Stops, surface: Stops, floor: f32) -> Stops {
        self.against(face, self.linear_of_stops(surface), floor)
    }

    /// The same for a surface whose linear light is known.
    pub fn against(&self, face: Stops, surface: [f32; 3], floor: f32) -> Stops {
        apart(self.linear_of_stops(face), surface, [0.0; 3], floor)
    }

    /// The same where glare lies over both; `None` where the surface shows none.
    pub fn unveiled(&self, face: Stops, surface: [f32; 3], floor: f32) -> Option<Stops> {
        let glare = self.glare_on(surface);
        (glare != [0.0; 3]).then(|| apart(self.linear_of_stops(face), surface, glare, floor))
    }

    /// Linear light of stops.
    pub fn linear_of_stops(&self, stops: Stops) -> [f32; 3] {
        std::array::from_fn(|c| (stops[c].exp2() - self.floor[c]).max(0.0))
    }

    /// The nearest pixel; `None` outside the picture.
    #[inline]
    pub fn at(&self, picture: &Picture, u: f32, v: f32) -> Option<Stops> {
        pixel_at(picture, u, v).map(|pixel| self.of_pixel(pixel))
    }
}

/// The least floor, for black pictures: one 8-bit step above black in linear light.
const FLOOR_MIN: f32 = 1.0 / 255.0 / 12.92;

/// The nearest pixel; `None` outside the picture.
#[inline]
pub fn pixel_at(picture: &Picture, u: f32, v: f32) -> Option<&[u8; 3]> {
    let [width, height] = picture.size();
    let (x, y) = (u + 0.5, v + 0.5);
    let is_inside = x >= 0.0 && y >= 0.0 && x < width as f32 && y < height as f32;
    let at = is_inside.then(|| 3 * (y as usize * width as usize + x as usize))?;
    picture.rgb().as_raw().get(at..)?.first_chunk()
}

fn linear(encoded: f32) -> f32 {
    srgb::linear(f64::from(encoded)) as f32
}

/// By how many stops a face differs from a surface under the same glare.
fn apart(face: [f32; 3], surface: [f32; 3], glare: [f32; 3], floor: f32) -> Stops {
    std::array::from_fn(|c| {
        let ratio = (face[c] - glare[c]).max(0.0) / (surface[c] - glare[c]).max(FLOOR_MIN);
        ((ratio + floor) / (1.0 + floor)).log2()
    })
}

/// A colour of a board file in linear light.
pub fn linear_colour(colour: Colour) -> [f32; 3] {
    colour.0.map(|value| linear(f32::from(value) / 255.0))
}

/// By how many stops a face of colour `face` differs from a surface of colour `surface`.
pub fn stops_between(face: Colour, surface: Colour, floor: f32) -> Stops {
    let (face, surface) = (linear_colour(face), linear_colour(surface));
    std::array::from_fn(|c| ((face[c] / surface[c].max(1e-3) + floor) / (1.0 + floor)).log2())
}

pub fn minus(a: Stops, b: Stops) -> Stops {
    std::array::from_fn(|c| a[c] - b[c])
}

/// How `face` looks when gloss adds `gloss` times the surface's own light to it and to the surface.
pub fn with_gloss(face: Stops, gloss: f32) -> Stops {
    face.map(|stops| ((stops.exp2() + gloss) / (1.0 + gloss)).log2())
}

/// The largest difference over the channels.
pub fn largest(a: Stops) -> f32 {
    a.iter().fold(0.0_f32, |most, v| most.max(v.abs()))
}

/// Brightness (mean of the channels) and hue (what is left of them).
pub fn brightness_and_hue(a: Stops) -> (f32, Stops) {
    let mean = (a[0] + a[1] + a[2]) / 3.0;
    (mean, a.map(|v| v - mean))
}

/// Median of each channel; `None` without samples, whose order may change.
pub fn median(samples: &mut [Stops]) -> Option<Stops> {
    if samples.is_empty() {
        return None;
    }
    let middle = samples.len() / 2;
    // Whole numbers in the floats' order are selected from much faster.
    let mut keys = Vec::with_capacity(samples.len());
    Some(std::array::from_fn(|c| {
        keys.clear();
        keys.extend(samples.iter().map(|sample| order_key(sample[c].to_bits() as i32)));
        f32::from_bits(order_key(*keys.select_nth_unstable(middle).1) as u32)
    }))
}

/// A float's bits as a number in the order of [`f32::total_cmp`], and back.
#[inline]
fn order_key(bits: i32) -> i32 {
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_face_differs_from_its_surface_alike_in_light_and_shadow() {
        let surface = [0.6, 0.4, 0.2];
        let light = Light::new(surface, 0.06);
        let face = [0.5, 0.02, 0.03];
        let looks = [1.0, 0.5, 0.15].map(|shade: f32| {
            let stops = |colour: [f32; 3]| light.stops_of_linear(colour.map(|v| v * shade));
            light.between(stops(face), stops(surface), 0.06)
        });
        assert!(looks.iter().all(|look| largest(minus(*look, looks[0])) < 0.01), "{looks:?}");
    }

    /// Wood as a board file has it and as a picture shows it under a warm lamp; and a lamp's mirror image there.
    fn warm_wood() -> (Colour, [f32; 3], [f32; 3]) {
        let (board, lamp) = (Colour([200, 170, 125]), [1.3, 1.0, 0.7]);
        let reflected = linear_colour(board);
        (board, std::array::from_fn(|c| reflected[c] * lamp[c] * 0.6), lamp)
    }

    #[test]
    fn a_dark_face_is_as_dark_under_glare() {
        let (board, surface, lamp) = warm_wood();
        let plain = Light::new(surface, 0.06);
        let light = plain.clone().with_glare(board, 0.15);
        let face = surface.map(|v| 0.1 * v);
        let look = |light: &Light, glare: f32| {
            let under = |colour: [f32; 3]| {
                light.stops_of_linear(std::array::from_fn(|c| colour[c] + glare * lamp[c]))
            };
            let (face, surface) = (under(face), light.linear_of_stops(under(surface)));
            light.unveiled(face, surface, 0.06).unwrap_or(light.against(face, surface, 0.06))
        };
        for glare in [0.1, 0.3, 0.5] {
            let off = |light: &Light| largest(minus(look(light, glare), look(light, 0.0)));
            assert!(off(&light) < 1.0, "{glare}: {:?}", look(&light, glare));
            assert!(glare < 0.3 || off(&plain) > 1.5, "{glare}: {:?}", look(&plain, glare));
        }
    }

    #[test]
    fn bluish_shade_and_brighter_light_are_no_glare() {
        let (board, surface, _) = warm_wood();
        let light = Light::new(surface, 0.06).with_glare(board, 0.15);
        for shade in [[0.3, 0.35, 0.5], [2.0, 2.0, 2.0], [1.1, 1.0, 0.9], [1.0, 1.0, 1.0]] {
            let seen = std::array::from_fn(|c| surface[c] * shade[c]);
            assert_eq!(light.glare_on(seen), [0.0; 3], "{shade:?}");
        }
    }

    #[test]
    fn soft_stops_are_the_same_light() {
        let light = Light::new([0.6, 0.4, 0.2], 0.06);
        let picture = Picture::new(image::RgbImage::from_pixel(2, 2, image::Rgb([200, 90, 7])));
        let hard = light.at(&picture, 0.0, 1.0).unwrap();
        let soft = light.stops_from_soft(light.soft_of_pixel(pixel_at(&picture, 0.0, 1.0).unwrap()));
        assert!(largest(minus(hard, soft)) < 1e-3, "{hard:?} {soft:?}");
        assert!(light.at(&picture, 1.6, 0.0).is_none() && pixel_at(&picture, -0.6, 0.0).is_none());
    }

    #[test]
    fn gloss_moves_a_face_towards_the_surface() {
        let face = [-3.0, -1.0, 0.5];
        let glossy = with_gloss(face, 0.4);
        assert!(glossy.iter().zip(&face).all(|(g, f)| g.abs() < f.abs()), "{glossy:?}");
        assert!(largest(minus(with_gloss(face, 0.0), face)) < 1e-6);
    }
}
