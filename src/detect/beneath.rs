//! What lies under a piece that was taken to lie on the board.
//!
//! In: the pieces found so far. Out: the one that shows as a crescent under another, or that something there leaves the upper
//! one's height open: a wall or a base that is neither board nor shadow.

use super::{
    Existence,
    existence::Standing,
    explain::{Explainer, Piece},
    judge::Verdict,
    light::{Stops, brightness_and_hue, median},
    look::{Cover, Solid, directions, seen_at},
    rim::Contrast,
    sight::Sight,
};
use crate::geometry::{Point, Vector};

/// What is seen under a piece that was taken to lie on the board.
pub(super) enum Beneath<'a> {
    Board,
    Piece(Box<Piece<'a>>),
    /// Something, but not where.
    Unclear,
}

/// The side of a piece on which its wall is seen: directions whose part toward the camera is larger.
const NEAR_SIDE: f64 = 0.5;
/// Where what lies before that side is looked at, as part of the radius: where a rim's outside is read.
const BEFORE: f64 = 1.28;
/// Distances at which a piece under another one is looked for, as parts of its radius.
const CRESCENT_OFFSETS: [f64; 5] = [0.35, 0.55, 0.8, 1.1, 1.4];

impl<'a> Explainer<'a> {
    /// A piece that shows as a crescent beside the rim of one that lies on it.
    pub(super) fn look_under(&self, top: usize, pieces: &[Piece]) -> Beneath<'a> {
        let above = &pieces[top].sight;
        let others = self.covers_but(top, pieces, above.solid.top_mm());
        let mut best: Option<(f32, Sight)> = None;
        for (size, solid) in self.solids.iter().enumerate() {
            let Some(direction) = self.crescent(above, size, &others) else { continue };
            let all: Vec<Cover> = pieces.iter().map(|piece| self.cover(piece, solid.top_mm())).collect();
            for part in CRESCENT_OFFSETS {
                let place = above.rim.centre + direction * (part * solid.radius_mm);
                let Some(sight) = self.sight_beside(place, size, Contrast::UNKNOWN, &all) else { continue };
                let seen = sight.rim.seen_beside(&all, self.judge.options.stacked_visible_min);
                if best.as_ref().is_none_or(|(most, _)| seen > *most) {
                    best = Some((seen, sight));
                }
            }
        }
        let Some((_, sight)) = best else { return Beneath::Board };
        let centre = sight.rim.centre;
        let overlapping = self.overlapping(centre, sight.solid.radius_mm, pieces);
        let is_new = self.judge.rests_on_board(centre, sight.solid.radius_mm)
            && pieces.iter().all(|other| {
                (other.sight.rim.centre - centre).norm()
                    > self.judge.options.same_part * sight.solid.radius_mm
            });
        if !overlapping.contains(&top) {
            return Beneath::Board;
        }
        let covers = self.covers_near(centre, sight.solid, pieces);
        match self.judge.judge(&sight, &covers, true) {
            Verdict::Piece { face, fits } if is_new => {
                let standing = Standing { existence: Existence::UNSEEN, height: None };
                let piece = Piece { sight, face, fits, standing, stacked: false, base_unclear: false };
                Beneath::Piece(Box::new(piece))
            }
            // A kind's colour that no shadow has, and no piece to go with it.
            _ => Beneath::Unclear,
        }
    }

    /// Whether what a piece shows its wall to has a piece's colour: from the side, that is where one under it
    /// comes out. Neither the board nor a shadow has.
    pub(super) fn stands_before_another(&self, top: usize, pieces: &[Piece]) -> bool {
        let (judge, above) = (self.judge, &pieces[top].sight);
        let others = self.covers_but(top, pieces, above.solid.base_mm);
        let eye = Point::new(judge.look.eye.x, judge.look.eye.y);
        let Some(toward) = (eye - above.rim.centre).try_normalize(1e-6) else { return false };
        let (mut of_a_kind, mut seen) = (0, 0);
        for (outside, outward) in above.rim.outside.iter().zip(directions(above.rim.outside.len())) {
            let at = above.rim.centre + outward * (above.solid.radius_mm * BEFORE);
            let Some(outside) = outside.filter(|_| outward.dot(&toward) > NEAR_SIDE) else { continue };
            if others.iter().any(|cover| cover.hides(at)) || self.is_on_paint(at, above.solid.base_mm) {
                continue;
            }
            let look = judge.against_surface(outside, above);
            seen += 1;
            let is_like = |size: usize| judge.kind_not_shadow(size, look).is_some();
            of_a_kind += usize::from((0..self.solids.len()).any(is_like));
        }
        seen > 0 && of_a_kind as f32 >= judge.options.beneath_min * seen as f32
    }

    /// Whether what a piece shows its wall to is as bright as the board, all along, and of another hue, the same everywhere: the
    /// wall of one under it, in its shade. The board there is the board, or darker.
    pub(super) fn stands_before_a_wall(&self, top: usize, pieces: &[Piece]) -> bool {
        let (judge, above) = (self.judge, &pieces[top].sight);
        let (options, plane_mm) = (judge.options, above.solid.top_mm());
        let others = self.covers_but(top, pieces, plane_mm);
        let eye = Point::new(judge.look.eye.x, judge.look.eye.y);
        let Some(toward) = (eye - above.rim.centre).try_normalize(1e-6) else { return false };
        let higher = seen_at(above.rim.centre, 0.0, above.solid.height_mm, judge.look.eye);
        if (higher - above.rim.centre).norm() < options.beneath_nearer_min_mm {
            // From above, no wall is seen of one under it.
            return false;
        }
        let rays = above.rim.beside.iter().zip(&above.rim.at).zip(directions(above.rim.beside.len()));
        let mut looks: Vec<Stops> = rays
            .filter(|(_, outward)| outward.dot(&toward) > NEAR_SIDE)
            .filter_map(|((beside, at), outward)| {
                let at = *at + outward * (above.solid.radius_mm * options.crescent_part);
                let is_free = !others.iter().any(|cover| cover.hides(at))
                    && !self.is_on_paint(at, plane_mm)
                    && self.is_on_surface(at, plane_mm);
                Some(judge.against_surface(beside.filter(|_| is_free)?, above))
            })
            .collect();
        if looks.len() < options.wall_rays_min {
            return false;
        }
        let seen = looks.clone();
        let Some(usual) = median(&mut looks) else { return false };
        let (brightness, hue) = brightness_and_hue(usual);
        let square = |a: Stops, b: Stops| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
        let agrees = |look: &&Stops| square(brightness_and_hue(**look).1, hue) >= 0.5 * square(hue, hue);
        brightness > -options.wall_darker_max
            && square(hue, hue).sqrt() >= options.wall_tint_min
            && seen.iter().filter(agrees).count() as f32 >= options.wall_agree_min * seen.len() as f32
    }

    /// Whether right beside a piece, or beyond a wall of its own that mirrors the board, there is what is neither board nor
    /// shadow, and not at both: the edge of one under it, such as a metal ring, which has no kind's colour.
    pub(super) fn shows_more_than_board(&self, top: usize, pieces: &[Piece]) -> bool {
        let (judge, above) = (self.judge, &pieces[top].sight);
        let plane_mm = above.solid.top_mm();
        let others = self.covers_but(top, pieces, plane_mm);
        let is_other = |stops: &Option<Stops>| {
            stops.is_some_and(|stops| judge.is_no_shadow(judge.against_surface(stops, above)))
        };
        let (rim, count) = (&above.rim, above.rim.rays.len());
        let rays = rim.beside.iter().zip(&rim.outside).zip(&rim.at).zip(directions(count));
        let shows = rays.filter(|(((beside, outside), at), outward)| {
            let part = match (is_other(beside), is_other(outside)) {
                (true, false) => judge.options.crescent_part,
                (false, true) => BEFORE - 1.0,
                _ => return false,
            };
            let at = *at + outward * (above.solid.radius_mm * part);
            !others.iter().any(|cover| cover.hides(at))
                && !self.is_on_paint(at, plane_mm)
                && self.is_on_surface(at, plane_mm)
        });
        shows.count() as f32 >= judge.options.beside_min * count as f32
    }

    /// Whether a piece as wide shows squarely under one that was taken to lie on the board: a second base, as far before the
    /// first as one lower down is seen, with what is no deep shadow above it.
    pub(super) fn stands_on_another(&self, top: usize, pieces: &[Piece]) -> bool {
        let (judge, above) = (self.judge, &pieces[top].sight);
        let (options, eye) = (judge.options, judge.look.eye);
        let beneath = |(size, solid): (usize, &Solid)| {
            let raised = Solid { base_mm: solid.height_mm, ..above.solid };
            let place = seen_at(above.rim.centre, above.solid.top_mm(), raised.top_mm(), eye);
            let nearer_mm = (place - above.rim.centre).norm();
            if nearer_mm < options.beneath_nearer_min_mm {
                return false;
            }
            let mut covers = self.covers_but(top, pieces, solid.top_mm());
            covers.push(Cover::new(place, raised, solid.top_mm(), eye, options.cover_margin_mm));
            let Some(below) = self.sight_beside(place, size, Contrast::UNKNOWN, &covers) else {
                return false;
            };
            // Drawn back to the upper one's own rim, it says nothing.
            let is_square = (below.rim.centre - place).norm() <= options.beneath_off_max * nearer_mm;
            is_square
                && below.rim.seen_of_outline(&covers, options.beneath_visible_min) >= options.stacked_rim_min
                && below.rim.look_within(&covers).is_some_and(|within| {
                    let (brightness, _) = brightness_and_hue(judge.against_surface(within, above));
                    brightness > -options.beneath_darker_max
                })
        };
        self.solids.iter().enumerate().any(beneath)
    }

    /// The direction in which something of a kind's colour shows beside a rim, not being one of
    /// `others`.
    fn crescent(&self, above: &Sight, size: usize, others: &[Cover]) -> Option<Vector> {
        let count = above.rim.beside.len();
        let mut sums: Vec<(usize, f32, Vector)> = Vec::new();
        for ((stops, rim), outward) in above.rim.beside.iter().zip(&above.rim.at).zip(directions(count)) {
            let at = rim + outward * (above.solid.radius_mm * self.judge.options.crescent_part);
            let Some(stops) = stops else { continue };
            let look = self.judge.against_surface(*stops, above);
            let Some(nearest) = self.judge.kind_not_shadow(size, look) else { continue };
            if others.iter().any(|cover| cover.hides(at)) || self.is_on_paint(at, above.solid.top_mm()) {
                continue;
            }
            match sums.iter_mut().find(|(kind, ..)| *kind == nearest) {
                Some((_, part, sum)) => {
                    *part += 1.0 / count as f32;
                    *sum += outward;
                }
                None => sums.push((nearest, 1.0 / count as f32, outward)),
            }
        }
        let (_, part, sum) = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        if part < self.judge.options.crescent_min { None } else { sum.try_normalize(1e-6) }
    }

    /// Whether the plane at `plane_mm` sees paint at a point.
    fn is_on_paint(&self, at: Point, plane_mm: f64) -> bool {
        let ground = seen_at(at, plane_mm, 0.0, self.judge.look.eye);
        let board = self.judge.board;
        let margin_mm = self.judge.options.paint_margin_mm + board.accuracy_mm;
        board.lines.iter().any(|line| line.paint.signed_distance_mm(ground) < margin_mm)
    }

    /// Whether the plane at `plane_mm` sees the surface at a point, and not what lies beside it.
    fn is_on_surface(&self, at: Point, plane_mm: f64) -> bool {
        let ground = seen_at(at, plane_mm, 0.0, self.judge.look.eye);
        let (surface, margin_mm) = (&self.judge.board.surface, self.judge.options.paint_margin_mm);
        let is_within = |along_mm: f64, side_mm: f64| (margin_mm..side_mm - margin_mm).contains(&along_mm);
        is_within(ground.x, surface.width_mm) && is_within(ground.y, surface.length_mm)
    }
}
