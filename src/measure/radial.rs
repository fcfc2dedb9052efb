//! The light of a top face by the distance from a centre.
//!
//! In: the pixels of a face and a centre. Out: the pixels as that centre sees them ([`Seen`]) and the mean light of
//! its rings ([`Radial`]). Pixels are kept in rows of [`LANES`], which are worked through at once.

use crate::capture::whole_pixel;

/// Pixels that are worked through at once.
pub(super) const LANES: usize = 8;
/// One number of each of them.
pub(super) type Lanes = [f32; LANES];

/// Slow changes of light over a face: x, y, x² - y², xy, x r², y r².
pub(super) const SLOW: usize = 6;

/// A pixel of the face: where it lies in the plane of the face about the start, and its light.
#[derive(Clone, Copy)]
pub(super) struct FacePixel {
    pub x: f32,
    pub y: f32,
    pub light: f32,
}

/// Pixels side by side.
struct Row {
    x: Lanes,
    y: Lanes,
    light: Lanes,
}

/// What is looked at of a face: its pixels, how far out they count, and how wide the profile's rings are.
pub(super) struct Pixels {
    rows: Vec<Row>,
    reach_mm: f32,
    ring_mm: f32,
}

/// What fills up the last row lies this many reaches out, where it is never seen.
const BEYOND: f32 = 100.0;

impl Pixels {
    /// Of every `one_of` pixels one; `None` where the rings are no parts of the reach.
    pub fn of(pixels: &[FacePixel], one_of: usize, reach_mm: f32, ring_mm: f32) -> Option<Pixels> {
        if !(reach_mm > ring_mm && ring_mm > 0.0) {
            return None;
        }
        let beyond = FacePixel { x: BEYOND * reach_mm, y: 0.0, light: 0.0 };
        let mut rows = Vec::with_capacity(pixels.len() / (one_of * LANES) + 1);
        let mut taken = pixels.iter().step_by(one_of).copied().peekable();
        while taken.peek().is_some() {
            let row: [FacePixel; LANES] = std::array::from_fn(|_| taken.next().unwrap_or(beyond));
            rows.push(Row { x: row.map(|p| p.x), y: row.map(|p| p.y), light: row.map(|p| p.light) });
        }
        Some(Pixels { rows, reach_mm, ring_mm })
    }

    /// Rings within the reach, and two for what lies between the last ones.
    fn rings(&self) -> usize {
        (self.reach_mm / self.ring_mm).ceil() as usize + 2
    }

    /// The pixels as a centre sees them that lies at `centre` from the start; `slow` is what is known of slow changes.
    pub fn seen_from(&self, centre: [f32; 2], slow: &[f32; SLOW], seen: &mut Vec<Seen>) {
        let by_reach = 1.0 / self.reach_mm;
        let rings_in_reach = self.reach_mm / self.ring_mm;
        seen.clear();
        seen.extend(self.rows.iter().map(|row| {
            let a = row.x.map(|x| (x - centre[0]) * by_reach);
            let b = row.y.map(|y| (y - centre[1]) * by_reach);
            let q: Lanes = std::array::from_fn(|i| a[i] * a[i] + b[i] * b[i]);
            let within = q.map(|q| if q < 1.0 { 1.0 } else { 0.0 });
            let rings = q.map(|q| (if q < 1.0 { q } else { 1.0 }).sqrt() * rings_in_reach);
            let ring = rings.map(whole_pixel);
            let part = std::array::from_fn(|i| rings[i] - ring[i] as f32);
            let slow_terms = slow_terms(&a, &b);
            let drift = std::array::from_fn(|i| (0..SLOW).map(|term| slow[term] * slow_terms[term][i]).sum());
            Seen { a, b, rings, ring, part, light: row.light, drift, within }
        }));
    }
}

/// Slow changes of light, in units of the face's reach.
#[inline]
pub(super) fn slow_terms(a: &Lanes, b: &Lanes) -> [Lanes; SLOW] {
    let of = |term: fn(f32, f32) -> f32| -> Lanes { std::array::from_fn(|i| term(a[i], b[i])) };
    [
        *a,
        *b,
        of(|a, b| a * a - b * b),
        of(|a, b| a * b),
        of(|a, b| a * (a * a + b * b)),
        of(|a, b| b * (a * a + b * b)),
    ]
}

/// Pixels side by side as one centre sees them.
pub(super) struct Seen {
    /// From the centre, in units of the face's reach.
    pub a: Lanes,
    pub b: Lanes,
    /// Distance from the centre, in rings.
    pub rings: Lanes,
    /// The ring within that, and the part of the way to the next one.
    ring: [i32; LANES],
    part: Lanes,
    pub light: Lanes,
    /// What of the light is a slow change over the face.
    pub drift: Lanes,
    /// 1 within the face's reach, else 0.
    pub within: Lanes,
}

/// How many pixels lie within the reach.
pub(super) fn count_within(seen: &[Seen]) -> usize {
    seen.iter().map(|row| row.within.iter().sum::<f32>() as usize).sum()
}

/// The radial profile: light by ring, with its slope.
#[derive(Default)]
pub(super) struct Radial {
    rings: Vec<Ring>,
    /// Pixels in each ring.
    weight: Vec<f32>,
    /// Millimetres from ring to ring.
    ring_mm: f32,
    /// What it is made of.
    between: Vec<Between>,
}

/// One ring of the profile, and what the next one has more.
#[derive(Clone, Copy)]
struct Ring {
    light: f32,
    slope: f32,
    light_more: f32,
    slope_more: f32,
}

/// What the pixels between two rings add to the inner and to the outer one: light and weight each. One of these for each
/// ring, so that pixels of neighbouring rings do not wait for each other.
type Between = [f32; 4];

/// A ring with less than half a pixel shows nothing.
const RING_WEIGHT_MIN: f32 = 0.5;

impl Radial {
    /// Makes the profile of some pixels without their slow changes; `None` where nothing is seen.
    pub fn measure(&mut self, pixels: &Pixels, seen: &[Seen]) -> Option<()> {
        let count = pixels.rings();
        self.ring_mm = pixels.ring_mm;
        self.between.clear();
        self.between.resize(count, [0.0; 4]);
        for row in seen {
            let outer: Lanes = std::array::from_fn(|i| row.within[i] * row.part[i]);
            let inner: Lanes = std::array::from_fn(|i| row.within[i] - outer[i]);
            let light: Lanes = std::array::from_fn(|i| row.light[i] - row.drift[i]);
            for i in 0..LANES {
                let Some(sums) = self.between.get_mut(row.ring[i] as usize) else { continue };
                let added = [inner[i] * light[i], inner[i], outer[i] * light[i], outer[i]];
                sums.iter_mut().zip(added).for_each(|(sum, added)| *sum += added);
            }
        }
        self.weight.clear();
        self.rings.clear();
        let mut last = None;
        let mut from_within = [0.0; 2];
        for [inner_light, inner, outer_light, outer] in &self.between {
            let [light, weight] = [inner_light + from_within[0], inner + from_within[1]];
            from_within = [*outer_light, *outer];
            self.weight.push(weight);
            last = if weight > RING_WEIGHT_MIN { Some(light / weight) } else { last };
            // What lies within the first ring that shows something is told below.
            let light = last.unwrap_or(f32::NAN);
            self.rings.push(Ring { light, slope: 0.0, light_more: 0.0, slope_more: 0.0 });
        }
        let first = self.rings.iter().position(|ring| !ring.light.is_nan())?;
        let innermost = self.rings[first].light;
        self.rings[..first].iter_mut().for_each(|ring| ring.light = innermost);
        for k in 0..count {
            let (before, after) = (k.saturating_sub(1), (k + 1).min(count - 1));
            let rise = self.rings[after].light - self.rings[before].light;
            self.rings[k].slope = rise / ((after - before) as f32 * self.ring_mm);
            self.rings[k].light_more = self.rings[after].light - self.rings[k].light;
        }
        for k in 0..count - 1 {
            self.rings[k].slope_more = self.rings[k + 1].slope - self.rings[k].slope;
        }
        Some(())
    }

    /// Light and slope where pixels lie.
    #[inline]
    pub fn at(&self, row: &Seen) -> (Lanes, Lanes) {
        let (mut light, mut slope) = ([0.0; LANES], [0.0; LANES]);
        for i in 0..LANES {
            let Some(ring) = self.rings.get(row.ring[i] as usize) else { continue };
            light[i] = ring.light + ring.light_more * row.part[i];
            slope[i] = ring.slope + ring.slope_more * row.part[i];
        }
        (light, slope)
    }

    /// Mean square of what the profile leaves open of the pixels' light.
    pub fn unexplained(&self, seen: &[Seen]) -> f32 {
        let mut squares = [0.0; LANES];
        for row in seen {
            let (light, _) = self.at(row);
            for i in 0..LANES {
                let miss = row.light[i] - row.drift[i] - light[i];
                squares[i] += row.within[i] * miss * miss;
            }
        }
        squares.iter().sum::<f32>() / count_within(seen) as f32
    }

    /// Share of the slopes' power that is not the pixels' noise: near 0 for a plain face, whose
    /// measured profile has slopes all the same.
    pub fn structure(&self, noise: f32) -> f64 {
        let (mut power, mut by_noise) = (0.0f64, 0.0f64);
        for k in 1..self.rings.len() - 1 {
            let (before, weight, after) = (self.weight[k - 1], self.weight[k], self.weight[k + 1]);
            if before < 1.0 || after < 1.0 {
                continue;
            }
            let variance = noise * noise * (1.0 / before + 1.0 / after) / (2.0 * self.ring_mm).powi(2);
            power += f64::from(weight * self.rings[k].slope.powi(2));
            by_noise += f64::from(weight * variance);
        }
        (1.0 - by_noise / power.max(1e-12)).max(1e-3).powi(2)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const REACH_MM: f32 = 10.0;
    const RING_MM: f32 = 0.5;

    /// A face of one pixel a third of a millimetre, whose light is told by the distance from its middle.
    fn face(light: impl Fn(f32) -> f32) -> Vec<FacePixel> {
        let steps = -36..=36;
        let places = steps.clone().flat_map(|row| steps.clone().map(move |column| (row, column)));
        let pixel = |(row, column): (i32, i32)| {
            let (x, y) = (column as f32 / 3.0, row as f32 / 3.0);
            FacePixel { x, y, light: light(x.hypot(y)) }
        };
        places.map(pixel).collect()
    }

    /// What is left open about a centre.
    fn unexplained(face: &[FacePixel], centre: [f32; 2]) -> f32 {
        let pixels = Pixels::of(face, 1, REACH_MM, RING_MM).unwrap();
        let (mut seen, mut radial) = (Vec::new(), Radial::default());
        pixels.seen_from(centre, &[0.0; SLOW], &mut seen);
        radial.measure(&pixels, &seen).unwrap();
        radial.unexplained(&seen)
    }

    #[test]
    fn rings_are_explained_about_their_own_centre() {
        let ringed = face(|distance| (2.0 * distance).sin());
        assert!(unexplained(&ringed, [0.0, 0.0]) < 0.02, "{}", unexplained(&ringed, [0.0, 0.0]));
        assert!(unexplained(&ringed, [0.8, 0.0]) > 0.2, "{}", unexplained(&ringed, [0.8, 0.0]));
    }

    #[test]
    fn only_pixels_within_the_reach_count_and_none_that_fills_up_a_row() {
        let all = face(|_| 1.0);
        for one_of in [1, 3, 7] {
            let pixels = Pixels::of(&all, one_of, REACH_MM, RING_MM).unwrap();
            let mut seen = Vec::new();
            pixels.seen_from([1.0, -2.0], &[0.0; SLOW], &mut seen);
            let taken = all.iter().step_by(one_of);
            let within = taken.filter(|p| (p.x - 1.0).hypot(p.y + 2.0) < REACH_MM).count();
            assert_eq!(count_within(&seen), within, "one of {one_of}");
        }
    }

    #[test]
    fn a_slow_change_of_light_that_is_known_leaves_nothing_open() {
        let mut sloped = face(|_| 0.5);
        sloped.iter_mut().for_each(|pixel| pixel.light += 0.03 * pixel.x);
        let pixels = Pixels::of(&sloped, 1, REACH_MM, RING_MM).unwrap();
        let left_open = |along_x: f32| {
            let mut slow = [0.0; SLOW];
            slow[0] = along_x;
            let (mut seen, mut radial) = (Vec::new(), Radial::default());
            pixels.seen_from([0.0; 2], &slow, &mut seen);
            radial.measure(&pixels, &seen).unwrap();
            radial.unexplained(&seen)
        };
        // In units of the reach.
        assert!(left_open(0.03 * REACH_MM) < 1e-6 && left_open(0.0) > 1e-3);
    }

    #[test]
    fn rings_wider_than_the_reach_are_none() {
        assert!(Pixels::of(&[], 1, 1.0, 2.0).is_none());
    }
}
