//! Whether a sight is a piece, and of which kind.
//!
//! In: a sight, and what may cover part of it. Out: a [`Verdict`]. A piece has the size, the rim
//! and the face of a piece; what lacks one of them is foreign or nothing.

use super::{
    DetectOptions,
    kinds::{KindColours, KindFit},
    light::{Stops, brightness_and_hue, largest, minus, stops_between},
    look::{Cover, Look, seen_at},
    print::PrintedFill,
    rim::SEEN,
    sight::Sight,
};
use crate::{
    board::{Board, BoardSide, Line},
    geometry::{Point, Vector, nearest_on_segment},
};
use nalgebra::Rotation2;

pub struct Judge<'a> {
    pub board: &'a Board,
    pub look: &'a Look<'a>,
    /// Kinds of each size.
    pub sizes: &'a [Vec<usize>],
    pub colours: &'a KindColours,
    pub fills: &'a [PrintedFill],
    pub options: &'a DetectOptions,
}

/// What a sight turned out to be.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// With its face against the surface, and the kinds it can be, the best first.
    Piece {
        face: Stops,
        fits: Vec<KindFit>,
    },
    /// Round, and of no kind's colour; with its face against the surface.
    Foreign {
        face: Stops,
    },
    Nothing,
}

/// Half of a letter's width, as part of its height.
const HALF_A_LETTER: f64 = 0.35;
/// Fewest face samples for a colour.
const FACE_SAMPLES_MIN: usize = 8;

impl Judge<'_> {
    /// `covers` are pieces that may hide part of it; with `is_under` it would have to lie under one.
    pub fn judge(&self, sight: &Sight, covers: &[Cover], is_under: bool) -> Verdict {
        let visible_min = match is_under {
            true => self.options.stacked_visible_min,
            false if covers.iter().any(Cover::is_no_piece) => self.options.part_visible_min,
            false => self.options.visible_min,
        };
        let seen = sight.rim.seen_beside(covers, visible_min);
        let is_hidden = |offset: Vector| covers.iter().any(|cover| cover.hides(sight.rim.centre + offset));
        let uneven = sight.face.uneven(self.options.uneven_step, is_hidden);
        let is_faint = !sight.contrast.has_hue && sight.contrast.step < self.options.faint_max;
        let is_plain = !sight.contrast.is_pale() && uneven <= self.options.even_max;
        // A bold numeral has much of a rim, but its face is no piece's: neither even, nor a cap's, nor of a kind's colour.
        let is_like_print = uneven > self.options.print_uneven
            && !sight.contrast.is_pale()
            && !is_under
            && !self.is_capped(sight)
            && !self.has_its_colour(sight, covers);
        let rim_min = match is_under {
            true => self.options.stacked_rim_min,
            false if self.look.shows_its_cap(sight) => 0.0,
            false if seen < self.options.rim_min && self.is_capped(sight) => self.options.capped_rim_min,
            false if is_like_print && self.is_on_lettering(sight) => self.options.whole_rim_min,
            false if is_like_print => self.options.sure_rim_min,
            false
                if self.is_within_roughness(sight, self.options.rough_steps)
                    || is_faint && self.is_on_lettering(sight) =>
            {
                self.options.sure_rim_min
            }
            false if is_plain && !is_faint => self.options.rim_min,
            false if seen < self.options.rim_min || is_plain => self.options.doubtful_rim_min,
            false => match self.paint_hidden(sight, covers) {
                // A piece hides what is drawn under it, and print hides nothing.
                Some(hidden) if hidden >= self.options.hidden_paint_min => self.options.rim_min,
                Some(hidden) if hidden <= 1.0 - self.options.hidden_paint_min => return Verdict::Nothing,
                _ => self.options.doubtful_rim_min,
            },
        };
        if seen < rim_min || !is_under && self.is_within_roughness(sight, 1.0) {
            return Verdict::Nothing;
        }
        // A whole rim around a strong colour is a piece's, however much its face glares or is dimpled.
        let is_beyond_doubt = !is_faint && seen >= self.options.sure_rim_min;
        if uneven > self.options.uneven_max && !is_beyond_doubt {
            return Verdict::Nothing;
        }
        let whole_face = self.face(sight, covers).map(|seen| self.veiled_or_not(seen, sight));
        // A piece that lies squarely under another one shows no more than its wall.
        let wall = || self.wall(sight, covers).filter(|_| is_under);
        let Some(face) = whole_face.or_else(wall) else { return Verdict::Nothing };
        let centre = sight.rim.centre;
        if sight.contrast.is_pale()
            && !is_under
            && !(self.stands_out(sight, face, covers) && self.shows_beside_paint(sight, covers))
        {
            return Verdict::Nothing;
        }
        let is_bare = largest(face) < self.options.face_step_min;
        // What is left of a fill beside a piece on it shows too little to tell them apart.
        let is_left_of_print =
            is_under && self.fills.iter().any(|fill| fill.is_at(centre, &self.options.print));
        if is_bare || is_left_of_print {
            return Verdict::Nothing;
        }
        let fits = self.fits(sight.size, face);
        match fits.first() {
            Some(best) if is_under && !self.is_kind_not_shadow(best.distance, face) => Verdict::Nothing,
            Some(best) if is_under && !self.has_its_colour_all_over(sight, covers, best.kind) => {
                Verdict::Nothing
            }
            // A colour that hardly any piece has in this light needs a rim that is beyond doubt.
            Some(best)
                if best.distance > self.options.doubtful_distance
                    && (is_like_print
                        && uneven > self.options.print_uneven_sure
                        && seen < self.options.whole_rim_min
                        || sight.contrast.is_closer(self.options)
                        || seen < self.options.doubtful_rim_min) =>
            {
                Verdict::Nothing
            }
            Some(best) if best.distance <= self.options.kind_distance_max => Verdict::Piece { face, fits },
            // The light may have changed its colour, if that is far nearer to one kind than to any other.
            Some(best)
                if is_beyond_doubt
                    && best.distance <= self.options.strained_distance
                    && self.colours.can_be_of(best.kind, face, self.options)
                    && fits
                        .get(1)
                        .is_none_or(|next| next.distance >= best.distance + self.options.strained_lead) =>
            {
                let probability = best.probability.min(self.options.strained_probability);
                let strained = KindFit { probability, ..*best };
                let fits = std::iter::once(strained).chain(fits.iter().skip(1).copied()).collect();
                Verdict::Piece { face, fits }
            }
            // Only what is plainly round is worth a warning, and no print.
            _ if seen >= self.options.foreign_rim_min
                && !self.fills.iter().any(|fill| fill.touches(centre)) =>
            {
                Verdict::Foreign { face }
            }
            _ => Verdict::Nothing,
        }
    }

    /// Whether a face differs from the surface by less than so many times what parts of the surface do from each other, which
    /// make most of a rim by chance; but not in hue.
    fn is_within_roughness(&self, sight: &Sight, times: f32) -> bool {
        !sight.contrast.has_hue && sight.contrast.step < times * self.look.least_step
    }

    /// Whether printed letters lie under a sight's face or beside it: they make edges all around.
    fn is_on_lettering(&self, sight: &Sight) -> bool {
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
    fn is_capped(&self, sight: &Sight) -> bool {
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
    fn has_its_colour(&self, sight: &Sight, covers: &[Cover]) -> bool {
        let face = self.face(sight, covers).map(|seen| self.veiled_or_not(seen, sight));
        face.is_some_and(|face| self.distance(sight.size, face) <= self.options.print_distance)
    }

    /// How well the kinds of a size fit a face.
    pub fn fits(&self, size: usize, face: Stops) -> Vec<KindFit> {
        self.colours.fits(face, self.sizes[size].iter().copied(), self.options)
    }

    /// The look of a face against the surface around it: as it is without the glare on the board, where a kind has that
    /// look, or as it appears. A piece's gloss is its own, and glare on the board need not lie over it.
    fn veiled_or_not(&self, seen: Stops, sight: &Sight) -> Stops {
        let apparent = self.against_surface(seen, sight);
        let unveiled = self.look.light.unveiled(seen, sight.surface_light, self.options.dark_floor as f32);
        let is_likelier = |look: &Stops| {
            let unveiled = self.distance(sight.size, *look);
            unveiled <= self.options.kind_distance_max || unveiled < self.distance(sight.size, apparent)
        };
        unveiled.filter(is_likelier).unwrap_or(apparent)
    }

    /// The look of a face, where covers leave it visible.
    fn face(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
        let is_hidden = |offset: Vector| covers.iter().any(|cover| cover.hides(sight.rim.centre + offset));
        let radii = &self.options.face_radii;
        let mut look = sight.face.median_of_visible(radii.start, radii.end, is_hidden);
        if look.0 < FACE_SAMPLES_MIN {
            look = sight.face.median_of_visible(0.0, 1.0, is_hidden);
        }
        let (samples, look) = look;
        let look = look.filter(|_| samples >= FACE_SAMPLES_MIN)?;
        Some(self.look.light.stops_from_soft(look))
    }

    /// Whether a pale face differs from what is beside it on most sides: a circle printed on uneven wood, or in
    /// uneven light, has on one side what it lacks on the other.
    fn stands_out(&self, sight: &Sight, face: Stops, covers: &[Cover]) -> bool {
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
        differing as f32 >= self.options.pale_sides_min * seen as f32
    }

    /// Whether a pale face's rim is seen where no paint is drawn: two lines as far apart as a piece is wide make most of a
    /// rim by themselves.
    fn shows_beside_paint(&self, sight: &Sight, covers: &[Cover]) -> bool {
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
        seen as f32 >= self.options.beside_paint_min * asked as f32
    }

    /// Part of the board's paint that is not seen where a sight's face would hide it; `None` where too little
    /// is drawn.
    fn paint_hidden(&self, sight: &Sight, covers: &[Cover]) -> Option<f32> {
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
    fn wall(&self, sight: &Sight, covers: &[Cover]) -> Option<Stops> {
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
    fn shadow_distance(&self, look: Stops) -> f64 {
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

    /// Whether what shows of something under a piece has a kind's colour nearly all over: print of that colour
    /// which the upper piece lies on fills some of it.
    fn has_its_colour_all_over(&self, sight: &Sight, covers: &[Cover], kind: usize) -> bool {
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
        of_kind as f32 >= self.options.stacked_colour_min * seen as f32
    }

    /// Whether a rough place can turn out to be one where a piece rests.
    pub fn rests_near_board(&self, place: Point, radius_mm: f64) -> bool {
        self.is_inside(place, radius_mm, self.options.place_tolerance * radius_mm)
    }

    /// Whether a piece of this radius can rest with its centre there: on the surface, as far from
    /// a rail as it is wide, and not over a pocket.
    pub fn rests_on_board(&self, centre: Point, radius_mm: f64) -> bool {
        can_rest(self.board, centre, radius_mm, self.options)
    }

    fn is_inside(&self, centre: Point, radius_mm: f64, tolerance_mm: f64) -> bool {
        is_inside(self.board, centre, radius_mm, tolerance_mm, self.options)
    }
}

/// Whether a piece of this radius can rest with its centre there, as well as the options let places be off.
pub(crate) fn can_rest(board: &Board, centre: Point, radius_mm: f64, options: &DetectOptions) -> bool {
    is_inside(board, centre, radius_mm, 0.0, options) && !is_over_pocket(board, centre, 1.0, options)
}

/// Whether a piece with its centre there would fall into a pocket, if those lie so many times as far beside their drawing as the
/// board file says that they may.
pub(crate) fn is_over_pocket(board: &Board, centre: Point, times_off: f64, options: &DetectOptions) -> bool {
    let off_mm = times_off * board.accuracy_mm - options.pocket_tolerance_mm;
    board.pockets.iter().any(|pocket| (centre - pocket.centre).norm() < pocket.radius_mm + off_mm)
}

fn is_inside(
    board: &Board,
    centre: Point,
    radius_mm: f64,
    tolerance_mm: f64,
    options: &DetectOptions,
) -> bool {
    let (w, l) = (board.surface.width_mm, board.surface.length_mm);
    let from_sides = [
        (BoardSide::Left, centre.x),
        (BoardSide::Right, w - centre.x),
        (BoardSide::Near, centre.y),
        (BoardSide::Far, l - centre.y),
    ];
    from_sides.iter().all(|(side, distance_mm)| {
        let has_rail = board.rails.iter().any(|rail| rail.side == *side);
        let least = match has_rail {
            true => radius_mm - options.rail_tolerance_mm,
            false => -options.edge_tolerance_mm,
        };
        *distance_mm > least - tolerance_mm
    })
}
