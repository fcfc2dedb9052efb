//! What a sight's face, sides and surroundings look like: the quantities that [`Judge`] weighs.

use nalgebra::Rotation2;

use super::{
    check::{Check, Quantity},
    judge::{FACE_SAMPLES_MIN, Judge},
    kinds::KindFit,
    light::{Stops, brightness_and_hue, largest, minus, stops_between},
    look::{Cover, seen_at},
    rim::SEEN,
    sight::Sight,
};
use crate::{
    board::Line,
    geometry::{Point, Vector, nearest_on_segment},
};

/// Half of a letter's width, as part of its height.
const HALF_A_LETTER: f64 = 0.35;

/// How many of what was looked at show something.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    showing: usize,
    looked_at: usize,
}

impl Share {
    /// Held to the least part that must show it; of nothing, all does.
    pub fn check(self, quantity: Quantity, least: f32, option: &'static str) -> Check {
        let part = self.showing as f64 / self.looked_at.max(1) as f64;
        let holds = self.showing as f32 >= least * self.looked_at as f32;
        Check { holds, ..Check::at_least(quantity, part, least, option) }
    }
}

impl Judge<'_> {
    /// Whether a face differs from the surface by less than so many times what parts of the surface do from each other, which
    /// make most of a rim by chance; but not in hue.
    pub(super) fn is_within_roughness(&self, sight: &Sight, times: f32) -> bool {
        !sight.contrast.has_hue && sight.contrast.step < times * self.look.least_step
    }

    /// Whether printed letters lie under a sight's face or beside it: they make edges all around.
    pub(super) fn is_on_lettering(&self, sight: &Sight) -> bool {
        self.board.numerals.iter().any(|numeral| {
            let reading = Rotation2::new(numeral.angle_deg.to_radians()) * Vector::x();
            let half = reading * (numeral.height_mm * HALF_A_LETTER * numeral.text.chars().count() as f64);
            let (from, to) = (numeral.centre - half, numeral.centre + half);
            let apart_mm = (sight.rim.centre - nearest_on_segment(sight.rim.centre, from, to)).norm();
            apart_mm < sight.solid.radius_mm + numeral.height_mm / 2.0
        })
    }

    /// Whether a sight is a coloured cap on a metal ring. A smaller disc looks like a cap, but around it
    /// there is the surface, or its own shadow.
    pub(super) fn is_capped(&self, sight: &Sight) -> bool {
        if sight.face.ring_edge(&self.options.field) < self.options.cap_min {
            return false;
        }
        let options = self.options;
        let (mut ring, mut count) = (0.0_f32, 0.0_f32);
        for (_, stops) in sight.face.between(options.ring_radii.start, options.ring_radii.end) {
            let look = self.against_surface(self.look.light.stops_from_soft(stops), sight);
            let (brightness, hue) = brightness_and_hue(look);
            count += 1.0;
            let as_in_shadow = -options.ring_darker_min..=options.ring_brighter_min;
            ring += f32::from(largest(hue) > options.ring_hue_min || !as_in_shadow.contains(&brightness));
        }
        ring >= options.ring_part_min * count.max(1.0)
    }

    /// Whether a face is of a kind's colour and no mixture of that and the board's, as a numeral is.
    pub(super) fn has_its_colour(&self, sight: &Sight, covers: &[Cover]) -> bool {
        let face = self.face(sight, covers).map(|seen| self.veiled_or_not(seen, sight));
        face.is_some_and(|face| self.distance(sight.size, face) <= self.options.print_distance)
    }

    /// How well the kinds of a size fit a face.
    pub fn fits(&self, size: usize, face: Stops) -> Vec<KindFit> {
        self.colours.fits(face, self.sizes[size].iter().copied(), self.options)
    }

    /// The look of a face against the surface around it: as it is without the glare on the board, where a kind has that
    /// look, or as it appears. A piece's gloss is its own, and glare on the board need not lie over it.
    pub(super) fn veiled_or_not(&self, seen: Stops, sight: &Sight) -> Stops {
        let apparent = self.against_surface(seen, sight);
        let unveiled = self.look.light.unveiled(seen, sight.surface_light, self.options.dark_floor as f32);
        let is_likelier = |look: &Stops| {
            let unveiled = self.distance(sight.size, *look);
            unveiled <= self.options.kind_distance_max || unveiled < self.distance(sight.size, apparent)
        };
        unveiled.filter(is_likelier).unwrap_or(apparent)
    }

    /// The look of a face, where covers leave it visible, and of how many samples it is.
    pub(super) fn face_samples(&self, sight: &Sight, covers: &[Cover]) -> (usize, Option<Stops>) {
        let is_hidden = |offset: Vector| covers.iter().any(|cover| cover.hides(sight.rim.centre + offset));
        let radii = &self.options.face_radii;
        let mut look = sight.face.median_of_visible(radii.start, radii.end, is_hidden);
        if look.0 < FACE_SAMPLES_MIN {
            look = sight.face.median_of_visible(0.0, 1.0, is_hidden);
        }
        let (samples, look) = look;
        let look = look.filter(|_| samples >= FACE_SAMPLES_MIN);
        (samples, look.map(|look| self.look.light.stops_from_soft(look)))
    }

    /// The look alone.
    fn face(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
        self.face_samples(sight, covers).1
    }

    /// The sides on which a pale face differs from what is beside it: a circle printed on uneven wood, or in
    /// uneven light, has on one side what it lacks on the other.
    pub(super) fn sides_apart(&self, sight: &Sight, face: Stops, covers: &[Cover]) -> Share {
        let dot = |a: Stops, b: Stops| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let differs =
            |look: Stops, face: Stops| dot(look, face) >= self.options.pale_side_step * dot(face, face);
        // The piece's own shadow may be as dark as its face, but it has the board's hue.
        let (_, hue) = brightness_and_hue(face);
        let has_hue = largest(hue) >= self.options.own_hue_min;
        let (mut differing, mut seen) = (0, 0);
        for (outside, at) in sight.rim.outside.iter().zip(&sight.rim.at) {
            let Some(outside) = outside.filter(|_| !covers.iter().any(|cover| cover.hides(*at))) else {
                continue;
            };
            // The same face against this very side, not against the surface all around.
            let look = minus(face, minus(outside, sight.surface));
            seen += 1;
            differing +=
                usize::from(differs(look, face) || has_hue && differs(brightness_and_hue(look).1, hue));
        }
        Share { showing: differing, looked_at: seen }
    }

    /// A pale face's rim where no paint is drawn: two lines as far apart as a piece is wide make most of a
    /// rim by themselves.
    pub(super) fn rim_beside_paint(&self, sight: &Sight, covers: &[Cover]) -> Share {
        let rim = &sight.rim;
        let beside_mm = self.options.rim_tolerance * sight.solid.radius_mm + self.board.accuracy_mm;
        let (mut seen, mut asked) = (0, 0);
        for (strength, at) in rim.rays.iter().zip(&rim.at) {
            let ground = seen_at(*at, sight.solid.top_mm(), 0.0, self.look.eye);
            let is_on_paint =
                self.board.lines.iter().any(|line| line.paint.signed_distance_mm(ground) < beside_mm);
            let Some(strength) = strength.filter(|_| !is_on_paint) else { continue };
            if covers.iter().any(|cover| cover.hides(*at)) {
                continue;
            }
            asked += 1;
            seen += usize::from(strength >= SEEN);
        }
        Share { showing: seen, looked_at: asked }
    }

    /// Part of the board's paint that is not seen where a sight's face would hide it; `None` where too little
    /// is drawn.
    pub(super) fn paint_hidden(&self, sight: &Sight, covers: &[Cover]) -> Option<f32> {
        let face = self.against_surface(self.face(sight, covers)?, sight);
        let (options, board) = (self.options, self.board);
        let within_mm = options.hidden_paint_margin_mm + board.accuracy_mm;
        let (mut hidden, mut drawn) = (0, 0);
        for (offset, stops) in sight.face.between(0.0, options.sure_face_reach) {
            let at = sight.rim.centre + offset;
            if covers.iter().any(|cover| cover.hides(at)) {
                continue;
            }
            let ground = seen_at(at, sight.solid.top_mm(), 0.0, self.look.eye);
            let is_drawn =
                |line: &&Line| !line.optional && line.paint.signed_distance_mm(ground) < -within_mm;
            let Some(line) = board.lines.iter().find(is_drawn) else { continue };
            let paint = stops_between(line.colour, board.surface.colour, options.dark_floor as f32);
            if largest(minus(paint, face)) < options.hidden_paint_step {
                continue;
            }
            let look = self.against_surface(self.look.light.stops_from_soft(stops), sight);
            drawn += 1;
            hidden += usize::from(largest(minus(look, face)) < largest(minus(look, paint)));
        }
        (drawn >= options.hidden_paint_samples).then_some(hidden as f32 / drawn as f32)
    }

    /// The look of a wall of which no face shows, where its hue tells it from shade and print.
    pub(super) fn wall(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
        let look = self.against_surface(sight.rim.look_within(covers)?, sight);
        let (_, hue) = brightness_and_hue(look);
        let is_print = self.fills.iter().any(|fill| fill.touches(sight.rim.centre));
        (largest(hue) >= self.options.wall_hue_min && !is_print).then_some(look)
    }

    /// The kind of a size that a face is nearest to, and its distance.
    pub fn nearest(&self, size: usize, face: Stops) -> Option<(usize, f64)> {
        self.colours.nearest(face, self.sizes[size].iter().copied(), self.options)
    }

    /// How far a face is from the kind of a size that it is nearest to, in standard deviations.
    pub fn distance(&self, size: usize, face: Stops) -> f64 {
        self.nearest(size, face).map_or(f64::INFINITY, |(_, distance)| distance)
    }

    /// By how much the whole face of a sight differs from the surface around it.
    pub fn look_of(&self, sight: &Sight) -> Option<Stops> {
        self.look_beside(sight, &[])
    }

    /// The same of what covers leave visible.
    pub fn look_beside(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
        Some(self.against_surface(self.face(sight, covers)?, sight))
    }

    /// By how much a look differs from the surface around a sight.
    pub fn against_surface(&self, stops: Stops, sight: &Sight) -> Stops {
        self.look.light.against(stops, sight.surface_light, self.options.dark_floor as f32)
    }

    /// Whether what shows of something under a piece is of a kind that it is this far from, and not
    /// the piece's own shadow, which is as round as it: dark, of the surface's hue, or tinted by light
    /// from the piece.
    pub fn is_kind_not_shadow(&self, distance: f64, look: Stops) -> bool {
        distance <= self.options.stacked_distance_max && distance < self.shadow_distance(look)
    }

    /// Whether a look beside a piece is neither the board nor the piece's shadow on it.
    pub fn is_no_shadow(&self, look: Stops) -> bool {
        self.shadow_distance(look) > self.options.stacked_distance_max
    }

    /// How far a look is from any that a piece's shadow has, in standard deviations.
    pub(super) fn shadow_distance(&self, look: Stops) -> f64 {
        let options = self.options;
        let (brightness, hue) = brightness_and_hue(look);
        let too_dark = (-brightness - options.shadow_max).max(0.0) / options.shadow_sigma;
        let too_bright = brightness.max(0.0) / options.shadow_sigma;
        let tint = hue.map(|v| v * v).iter().sum::<f32>().sqrt() / options.shadow_tint_sigma;
        f64::from((too_dark * too_dark + too_bright * too_bright + tint * tint).sqrt())
    }

    /// The kind of a size that a look is nearest to, where that is no shadow; see [`Judge::is_kind_not_shadow`].
    pub fn kind_not_shadow(&self, size: usize, look: Stops) -> Option<usize> {
        let nearest = self.nearest(size, look);
        nearest.filter(|(_, distance)| self.is_kind_not_shadow(*distance, look)).map(|(kind, _)| kind)
    }

    /// What shows of something under a piece in a kind's colour, which a piece has nearly all over: print of that colour
    /// which the upper piece lies on fills some of it.
    pub(super) fn colour_all_over(&self, sight: &Sight, covers: &[Cover], kind: usize) -> Share {
        let is_free = |at: Point| !covers.iter().any(|cover| cover.hides(at));
        let rim = sight.rim.within.iter().zip(&sight.rim.at);
        let rim = rim.filter_map(|(stops, at)| stops.filter(|_| is_free(*at)));
        let face = sight.face.between(0.0, self.options.sure_face_reach);
        let face = face
            .filter(|(offset, _)| is_free(sight.rim.centre + offset))
            .map(|(_, stops)| self.look.light.stops_from_soft(stops));
        let (mut of_kind, mut seen) = (0, 0);
        for stops in rim.chain(face) {
            let look = self.against_surface(stops, sight);
            seen += 1;
            of_kind += usize::from(self.kind_not_shadow(sight.size, look) == Some(kind));
        }
        Share { showing: of_kind, looked_at: seen }
    }
}
