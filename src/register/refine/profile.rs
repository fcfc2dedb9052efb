//! The picture across a painted line: where the middle of the paint is, to a fraction of a pixel.
//!
//! In: where the middle is expected, the direction across, the expected width. Out: a
//! [`Crossing`], or nothing where the profile does not look like paint of that width (a piece, a
//! hand or a shadow's edge lies there, or the paint is worn away).

use nalgebra::Vector2;

use crate::{
    camera::Pixel,
    capture::{ChannelTables, Picture},
};

crate::options::options! {
    /// What a profile must look like.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ProfileOptions {
        /// Sample distance along the profile, px (0.5). Finer costs time and gains nothing.
        pub step_px: f64 = 0.5,
        /// Parallel profiles that are averaged, one pixel apart (3). More: less noise, but bends blur.
        pub parallel_profiles: usize = 3,
        /// Bare surface beside the paint that is read to learn its level, px (4). More: steadier, but
        /// more stations fall away next to other paint.
        pub side_px: f64 = 4.0,
        /// Blur of an edge to either side that belongs to neither level, px (1.2).
        pub blur_px: f64 = 1.2,
        /// Least contrast between surface and paint, of the surface's level (0.12). Less: worn lines
        /// count, and wood grain begins to.
        pub min_contrast: f64 = 0.12,
        /// The sides' levels may differ by this share of the contrast (0.6): more is a shadow's or a
        /// piece's edge.
        pub max_side_difference: f64 = 0.6,
        /// Widths that still look like this line, as shares of the expected one (0.5 to 1.7).
        pub width_shares: [f64; 2] = [0.5, 1.7],
    }
}

/// The paint's edges along a profile, in pixels from the expected middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Crossing {
    pub left_px: f64,
    pub right_px: f64,
    /// Surface less paint, in linear light of the line's channels.
    pub contrast: f64,
}

impl Crossing {
    pub fn middle_px(&self) -> f64 {
        (self.left_px + self.right_px) / 2.0
    }
}

/// Where a profile is read: through `centre`, along the unit direction `across`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub centre: Pixel,
    pub across: Vector2<f64>,
    pub width_px: f64,
}

/// Reusable memory for profiles.
#[derive(Debug, Default)]
pub(super) struct Profile {
    values: Vec<f64>,
    sums: Vec<f64>,
    start_px: f64,
    step_px: f64,
}

impl Profile {
    /// Finds paint within `search_px` of the expected middle.
    pub fn find_paint(
        &mut self,
        picture: &Picture,
        cut: &Cut,
        light: &ChannelTables,
        search_px: f64,
        options: &ProfileOptions,
    ) -> Option<Crossing> {
        self.read(picture, cut, light, search_px, options)?;
        let middle = self.darkest_band(cut.width_px, search_px, options)?;
        self.edges_around(middle, cut.width_px, options)
    }

    /// Samples the profile; `None` where it leaves the picture.
    fn read(
        &mut self,
        picture: &Picture,
        cut: &Cut,
        light: &ChannelTables,
        search_px: f64,
        options: &ProfileOptions,
    ) -> Option<()> {
        let reach = search_px + cut.width_px / 2.0 + options.blur_px + options.side_px;
        self.step_px = options.step_px;
        self.start_px = -reach;
        let count = (2.0 * reach / options.step_px).ceil() as usize + 1;
        let along = Vector2::new(-cut.across.y, cut.across.x);
        let lanes = options.parallel_profiles.max(1);
        self.values.clear();
        self.sums.clear();
        self.sums.push(0.0);
        let mut sum = 0.0;
        for i in 0..count {
            let t = self.start_px + i as f64 * self.step_px;
            let mut value = 0.0;
            for lane in 0..lanes {
                let sideways = lane as f64 - (lanes - 1) as f64 / 2.0;
                let at = cut.centre + cut.across * t + along * sideways;
                value += f64::from(picture.sample_weighted(at.x, at.y, light)?);
            }
            value /= lanes as f64;
            self.values.push(value);
            sum += value;
            self.sums.push(sum);
        }
        Some(())
    }

    /// Mean level between two places of the profile.
    fn level(&self, from_px: f64, to_px: f64) -> Option<f64> {
        let last = self.values.len().checked_sub(1)?;
        // A conversion rounds down, and what is negative to 0.
        let index = |px: f64| (((px - self.start_px) / self.step_px + 0.5) as usize).min(last);
        let (first, end) = (index(from_px), index(to_px));
        (first <= end).then(|| (self.sums[end + 1] - self.sums[first]) / (end + 1 - first) as f64)
    }

    /// Half the width of the band that is paint whatever the blur.
    fn core_px(width_px: f64, options: &ProfileOptions) -> f64 {
        (width_px / 2.0 - options.blur_px / 2.0).max(options.step_px / 2.0)
    }

    /// The place where a band of the expected width is most clearly darker than both its sides.
    fn darkest_band(&self, width_px: f64, search_px: f64, options: &ProfileOptions) -> Option<f64> {
        let mut best: Option<(f64, f64)> = None;
        let steps = (search_px / self.step_px).round() as i64;
        for i in -steps..=steps {
            let middle = i as f64 * self.step_px;
            let (paint, left, right) = self.levels(middle, width_px, options)?;
            let score = (left - paint).min(right - paint);
            if best.is_none_or(|(top, _)| score > top) {
                best = Some((score, middle));
            }
        }
        best.filter(|&(score, _)| score > 0.0).map(|(_, middle)| middle)
    }

    fn levels(&self, middle: f64, width_px: f64, options: &ProfileOptions) -> Option<(f64, f64, f64)> {
        let core = Self::core_px(width_px, options);
        let beside = width_px / 2.0 + options.blur_px;
        Some((
            self.level(middle - core, middle + core)?,
            self.level(middle - beside - options.side_px, middle - beside)?,
            self.level(middle + beside, middle + beside + options.side_px)?,
        ))
    }

    /// Half-level crossings to both sides of a band, if it looks like the expected paint.
    fn edges_around(&self, middle: f64, width_px: f64, options: &ProfileOptions) -> Option<Crossing> {
        let (mut paint, mut left, mut right) = self.levels(middle, width_px, options)?;
        let mut middle = middle;
        let mut edges = (0.0, 0.0);
        // Twice: the levels beside a better middle are better levels.
        for _ in 0..2 {
            let to_left = self.half_level(middle, -1.0, (paint + left) / 2.0, width_px, options)?;
            let to_right = self.half_level(middle, 1.0, (paint + right) / 2.0, width_px, options)?;
            edges = (to_left, to_right);
            middle = (to_left + to_right) / 2.0;
            (paint, left, right) = self.levels(middle, width_px, options)?;
        }
        let contrast = (left + right) / 2.0 - paint;
        let surface = left.abs().max(right.abs()).max(paint.abs());
        let seen_px = edges.1 - edges.0;
        let [narrowest, widest] = options.width_shares;
        let looks_like_paint = contrast > options.min_contrast * surface
            && (left - right).abs() < options.max_side_difference * contrast
            && seen_px > narrowest * width_px
            && seen_px < widest * width_px + options.blur_px;
        looks_like_paint.then_some(Crossing { left_px: edges.0, right_px: edges.1, contrast })
    }

    /// The first place from `middle` towards `sign` where the profile rises through `half`.
    fn half_level(
        &self,
        middle: f64,
        sign: f64,
        half: f64,
        width_px: f64,
        options: &ProfileOptions,
    ) -> Option<f64> {
        let farthest = options.width_shares[1] * width_px / 2.0 + options.blur_px;
        let start = ((middle - self.start_px) / self.step_px).round();
        let steps = (farthest / self.step_px).ceil() as usize;
        let value_at = |i: f64| self.values.get(i as usize).copied().filter(|_| i >= 0.0);
        let mut before = value_at(start)?;
        for k in 1..=steps {
            let here = value_at(start + sign * k as f64)?;
            if before < half && here >= half {
                let share = (half - before) / (here - before);
                let index = start + sign * ((k - 1) as f64 + share);
                return Some(self.start_px + index * self.step_px);
            }
            before = here;
        }
        None
    }
}
