//! The picture explained with the fewest pieces.
//!
//! In: sights. Out: pieces with the look of their faces, and foreign things that look like some. The best seen piece is taken
//! first. A later one that would overlap it must show that it lies under it; else it is the same
//! thing seen twice. What is nothing so far and has a hue of its own is looked at once more, for weaker edges.

use super::{
    Candidate, DetectOptions, Foreign, ForeignReason,
    check::{Check, Evidence, Glance, Looked, Quantity},
    judge::{Judge, Judgement, Verdict},
    kinds::KindFit,
    light::{Stops, brightness_and_hue, median},
    look::{Cover, Solid, directions, seen_at},
    notes::Notes,
    rest::rest_checks,
    rim::Contrast,
    sight::Sight,
};
use crate::geometry::{Point, Vector};

/// A sight that is a piece.
struct Piece<'a> {
    sight: Sight<'a>,
    face: Stops,
    fits: Vec<KindFit>,
    /// What speaks for it.
    evidence: Option<Evidence>,
    stacked: bool,
    /// Whether something that may be a piece shows under it, but none was made out.
    base_unclear: bool,
}

/// What is seen under a piece that was taken to lie on the board.
enum Beneath<'a> {
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

pub struct Explainer<'a> {
    pub judge: &'a Judge<'a>,
    /// The solid of each size.
    pub solids: &'a [Solid],
    /// Stops of the bare surface at a point of the view.
    pub surface_at: &'a dyn Fn(Point) -> Stops,
    pub notes: &'a Notes<'a>,
}

impl<'a> Explainer<'a> {
    pub fn explain(&self, sights: Vec<Sight<'a>>) -> (Vec<(Candidate, Stops)>, Vec<Foreign>) {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut foreign: Vec<Foreign> = Vec::new();
        let unexplained = self.consider_all(sights, Glance::Looked, &mut pieces, &mut foreign);
        // Where a photo is blurred, the rim of a pale piece shows in its hue alone.
        let closer = unexplained.iter().filter_map(|sight| self.closer_look(sight, &pieces)).collect();
        self.consider_all(closer, Glance::Closer, &mut pieces, &mut foreign);
        self.add_hidden_in_part(&unexplained, &mut pieces);
        for top in 0..pieces.len() {
            match self.look_under(top, &pieces) {
                Beneath::Piece(below) => self.stack(*below, &mut pieces),
                Beneath::Unclear => pieces[top].base_unclear = true,
                Beneath::Board => {
                    pieces[top].base_unclear = self.stands_before_another(top, &pieces)
                        || self.stands_before_a_wall(top, &pieces)
                        || self.shows_more_than_board(top, &pieces)
                        || self.stands_on_another(top, &pieces);
                }
            }
        }
        self.doubt_what_lies_on_doubtful(&mut pieces);
        self.keep_counts(&mut pieces, &mut foreign);
        foreign.retain(|thing| {
            pieces.iter().all(|p| (p.sight.rim.centre - thing.centre).norm() > p.sight.solid.radius_mm)
        });
        let found = pieces.iter().filter_map(|piece| Some((self.candidate(piece)?, piece.face)));
        (found.collect(), foreign)
    }

    /// Considers sights, the best seen first; those that are nothing so far are given back.
    fn consider_all(
        &self,
        mut sights: Vec<Sight<'a>>,
        glance: Glance,
        pieces: &mut Vec<Piece<'a>>,
        foreign: &mut Vec<Foreign>,
    ) -> Vec<Sight<'a>> {
        let options = self.judge.options;
        sights.sort_by(|a, b| {
            let (p, q) = (a.rim.centre, b.rim.centre);
            rank(b, options).total_cmp(&rank(a, options)).then(p.y.total_cmp(&q.y)).then(p.x.total_cmp(&q.x))
        });
        sights.into_iter().filter_map(|sight| self.consider(sight, glance, pieces, foreign)).collect()
    }

    /// Adds what a sight turns out to be, or gives it back where it is nothing that was not seen before.
    fn consider(
        &self,
        sight: Sight<'a>,
        glance: Glance,
        pieces: &mut Vec<Piece<'a>>,
        foreign: &mut Vec<Foreign>,
    ) -> Option<Sight<'a>> {
        let centre = sight.rim.centre;
        if !self.judge.rests_on_board(centre, sight.solid.radius_mm) {
            let checks =
                || rest_checks(self.judge.board, centre, sight.solid.radius_mm, self.judge.options).to_vec();
            self.note_nothing(&sight, glance, checks);
            return None;
        }
        let overlapping = self.overlapping(centre, sight.solid.radius_mm, pieces);
        let is_same =
            overlapping.iter().map(|&i| self.apart(&sight, &pieces[i].sight)).find(|check| !check.holds);
        if let Some(same) = is_same {
            self.note_nothing(&sight, glance, || vec![same]);
            return None;
        }
        let is_under = !overlapping.is_empty();
        let covers = self.covers_near(centre, sight.solid, pieces);
        let mut judgement = self.judge.judge(&sight, &covers, is_under);
        self.note(&sight, &covers, if is_under { Glance::Under } else { glance }, &judgement);
        let mut sight = sight;
        if matches!(judgement.verdict, Verdict::Nothing) && !covers.is_empty() && !is_under {
            // Edges of what hides part of it may have drawn it away: look again without them.
            let beside = self.sight_beside(centre, sight.size, sight.contrast, &covers);
            let is_free = |beside: &Sight| {
                let centre = beside.rim.centre;
                self.overlapping(centre, beside.solid.radius_mm, pieces).is_empty()
                    && self.judge.rests_on_board(centre, beside.solid.radius_mm)
            };
            if let Some(beside) = beside.filter(is_free) {
                judgement = self.judge.judge(&beside, &covers, false);
                self.note(&beside, &covers, Glance::BesideOthers, &judgement);
                sight = beside;
            }
        }
        let evidence = judgement.evidence;
        match judgement.verdict {
            Verdict::Piece { face, fits } => {
                self.stack(
                    Piece { sight, face, fits, evidence, stacked: false, base_unclear: false },
                    pieces,
                );
                None
            }
            Verdict::Foreign { face } if !is_under => {
                let radius_mm = sight.solid.radius_mm;
                if foreign.iter().all(|thing| (thing.centre - centre).norm() > radius_mm) {
                    foreign.push(self.foreign(&sight, face, ForeignReason::Colour));
                }
                None
            }
            _ => Some(sight),
        }
    }

    /// How far a sight is from one that is a piece already.
    fn apart(&self, sight: &Sight, other: &Sight) -> Check {
        let radius_mm = other.solid.radius_mm.max(sight.solid.radius_mm);
        let part = (other.rim.centre - sight.rim.centre).norm() / radius_mm;
        Check::at_least(Quantity::FromPiece, part, self.judge.options.same_part, "detect.same_part")
    }

    fn note(&self, sight: &Sight, covers: &[Cover], glance: Glance, judgement: &Judgement) {
        self.notes.note(|trace| {
            let to_the_end = || self.judge.judge_to_the_end(sight, covers, glance == Glance::Under).evidence;
            let evidence = judgement.evidence.or_else(to_the_end);
            trace.looked.push(Looked { evidence, ..self.judge.looked(sight, glance, judgement) });
        });
    }

    fn note_nothing(&self, sight: &Sight, glance: Glance, checks: impl FnOnce() -> Vec<Check>) {
        self.notes.note(|trace| {
            let nothing = Judgement { verdict: Verdict::Nothing, checks: checks(), evidence: None };
            trace.looked.push(self.judge.looked(sight, glance, &nothing));
        });
    }

    /// A sight whose face has a hue of its own, looked at again for weaker edges; `None` for others, and where a piece
    /// has been found meanwhile.
    fn closer_look(&self, sight: &Sight, pieces: &[Piece]) -> Option<Sight<'a>> {
        let contrast = sight.contrast.closer(self.judge.options)?;
        let (centre, solid) = (sight.rim.centre, sight.solid);
        if !self.overlapping(centre, solid.radius_mm, pieces).is_empty() {
            return None;
        }
        self.sight_beside(centre, sight.size, contrast, &self.covers_near(centre, solid, pieces))
    }

    /// Adds pieces that a hand or another thing lies over in part, the best seen first.
    fn add_hidden_in_part(&self, sights: &[Sight], pieces: &mut Vec<Piece<'a>>) {
        let mut parts: Vec<Piece> =
            sights.iter().filter_map(|sight| self.hidden_in_part(sight, pieces)).collect();
        parts.sort_by(|a, b| b.sight.rim.seen().total_cmp(&a.sight.rim.seen()));
        for piece in parts {
            let Sight { rim, solid, .. } = &piece.sight;
            if self.overlapping(rim.centre, solid.radius_mm, pieces).is_empty() {
                pieces.push(piece);
            }
        }
    }

    /// A piece of which a sight shows what such a thing leaves of it.
    fn hidden_in_part(&self, sight: &Sight, pieces: &[Piece]) -> Option<Piece<'a>> {
        let (judge, solid) = (self.judge, sight.solid);
        let is_free = |centre: Point| {
            judge.rests_on_board(centre, solid.radius_mm)
                && self.overlapping(centre, solid.radius_mm, pieces).is_empty()
        };
        // Print is half a disc where it is drawn so.
        let is_print = judge.fills.iter().any(|fill| fill.touches(sight.rim.centre));
        // Beside others, what is left of a piece may be one of theirs.
        let is_among_others = |centre: Point| {
            self.covers_near(centre, solid, pieces).iter().any(|cover| matches!(cover, Cover::Piece { .. }))
        };
        // A pocket's edge is round too, and what shows in it may have any colour.
        let is_at_pocket = judge
            .board
            .pockets
            .iter()
            .any(|pocket| (sight.rim.centre - pocket.centre).norm() < pocket.radius_mm + solid.radius_mm);
        if is_print || is_at_pocket || !is_free(sight.rim.centre) || is_among_others(sight.rim.centre) {
            return None;
        }
        let covers_with = |centre: Point, by: Cover| {
            let mut covers = self.covers_near(centre, solid, pieces);
            covers.push(by);
            covers
        };
        // The thing's own edges may have drawn it away: look again without them.
        let first = judge.hidden_part(sight)?;
        let covers = covers_with(sight.rim.centre, first.by);
        let again = self.sight_beside(sight.rim.centre, sight.size, first.contrast, &covers)?;
        let sight = Sight { surface: sight.surface, surface_light: sight.surface_light, ..again };
        let centre = sight.rim.centre;
        let covers = covers_with(centre, judge.hidden_part(&sight).filter(|_| is_free(centre))?.by);
        let seen = sight.rim.seen_beside(&covers, judge.options.part_visible_min);
        let judgement = judge.judge(&sight, &covers, false);
        self.note(&sight, &covers, Glance::HiddenInPart, &judgement);
        let evidence = judgement.evidence;
        match judgement.verdict {
            Verdict::Piece { face, fits } if seen >= judge.options.part_rim_min => {
                Some(Piece { sight, face, fits, evidence, stacked: false, base_unclear: false })
            }
            _ => None,
        }
    }

    /// What lies on a piece whose own height is in doubt may lie beside it.
    fn doubt_what_lies_on_doubtful(&self, pieces: &mut [Piece]) {
        let doubtful: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].base_unclear).collect();
        for below in doubtful {
            let (centre, radius_mm) = (pieces[below].sight.rim.centre, pieces[below].sight.solid.radius_mm);
            for above in self.overlapping(centre, radius_mm, pieces) {
                pieces[above].base_unclear |= pieces[above].stacked;
            }
        }
    }

    /// What the pieces found so far, and rails, may hide of a solid at `centre`.
    fn covers_near(&self, centre: Point, solid: Solid, pieces: &[Piece]) -> Vec<Cover> {
        let is_near = |other: &Sight| {
            let wall_mm = (other.rim.centre
                - seen_at(other.rim.centre, 0.0, other.solid.top_mm(), self.judge.look.eye))
            .norm();
            let reach = other.solid.radius_mm + solid.radius_mm + wall_mm;
            (other.rim.centre - centre).norm() < reach
        };
        let near = pieces.iter().filter(|piece| is_near(&piece.sight));
        let pieces = near.map(|piece| self.cover(piece, solid.top_mm()));
        pieces.chain(self.judge.look.rails_before(centre, solid)).collect()
    }

    /// What all pieces but one hide in a plane.
    fn covers_but(&self, one: usize, pieces: &[Piece], plane_mm: f64) -> Vec<Cover> {
        let others = pieces.iter().enumerate().filter(|(i, _)| *i != one);
        others.map(|(_, piece)| self.cover(piece, plane_mm)).collect()
    }

    /// What a piece hides in a plane.
    fn cover(&self, piece: &Piece, plane_mm: f64) -> Cover {
        let margin_mm = self.judge.options.cover_margin_mm;
        Cover::new(piece.sight.rim.centre, piece.sight.solid, plane_mm, self.judge.look.eye, margin_mm)
    }

    fn overlapping(&self, centre: Point, radius_mm: f64, pieces: &[Piece]) -> Vec<usize> {
        let is_over = |other: &Sight| {
            let reach = other.solid.radius_mm + radius_mm - self.judge.options.overlap_max_mm;
            (other.rim.centre - centre).norm() < reach
        };
        (0..pieces.len()).filter(|&i| is_over(&pieces[i].sight)).collect()
    }

    /// Adds a piece; those taken before it that overlap it lie on it, if they still do so from as high.
    fn stack(&self, piece: Piece<'a>, pieces: &mut Vec<Piece<'a>>) {
        let (below, eye) = (&piece.sight, self.judge.look.eye);
        for i in self.overlapping(below.rim.centre, below.solid.radius_mm, pieces) {
            let above = &mut pieces[i];
            let base_mm = above.sight.solid.base_mm.max(below.solid.height_mm);
            let solid = Solid { base_mm, ..above.sight.solid };
            // What was taken to lie on the board is seen in the same place when it lies higher and nearer.
            let place = seen_at(above.sight.rim.centre, above.sight.solid.top_mm(), solid.top_mm(), eye);
            let reach_mm = solid.radius_mm + below.solid.radius_mm;
            if (place - below.rim.centre).norm() > reach_mm {
                continue;
            }
            above.stacked = true;
            if let Some(rim) = self.judge.look.rim_near(place, solid, Contrast::UNKNOWN, &[]) {
                above.sight.rim = rim;
                above.sight.solid = solid;
            }
        }
        pieces.push(piece);
    }

    /// A piece that shows as a crescent beside the rim of one that lies on it.
    fn look_under(&self, top: usize, pieces: &[Piece]) -> Beneath<'a> {
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
        let judgement = self.judge.judge(&sight, &covers, true);
        self.note(&sight, &covers, Glance::Under, &judgement);
        let evidence = judgement.evidence;
        match judgement.verdict {
            Verdict::Piece { face, fits } if is_new => Beneath::Piece(Box::new(Piece {
                sight,
                face,
                fits,
                evidence,
                stacked: false,
                base_unclear: false,
            })),
            // A kind's colour that no shadow has, and no piece to go with it.
            _ => Beneath::Unclear,
        }
    }

    /// Whether what a piece shows its wall to has a piece's colour: from the side, that is where one under it
    /// comes out. Neither the board nor a shadow has.
    fn stands_before_another(&self, top: usize, pieces: &[Piece]) -> bool {
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
    fn stands_before_a_wall(&self, top: usize, pieces: &[Piece]) -> bool {
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
    fn shows_more_than_board(&self, top: usize, pieces: &[Piece]) -> bool {
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
    fn stands_on_another(&self, top: usize, pieces: &[Piece]) -> bool {
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

    /// A place looked at without what covers hide.
    fn sight_beside(
        &self,
        place: Point,
        size: usize,
        contrast: Contrast,
        covers: &[Cover],
    ) -> Option<Sight<'a>> {
        let solid = self.solids[size];
        let rim = self.judge.look.rim(place, solid, contrast, covers)?;
        let face = self.judge.look.face(rim.centre, solid)?;
        let surface = (self.surface_at)(rim.centre);
        let surface_light = self.judge.look.light.linear_of_stops(surface);
        Some(Sight { size, solid, rim, face, surface, surface_light, contrast })
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

    /// No kind can have more pieces than the board file allows: what lies on print, then the worst fitting
    /// ones, go to their next best kind, or are foreign.
    fn keep_counts(&self, pieces: &mut Vec<Piece>, foreign: &mut Vec<Foreign>) {
        for (kind, allowed) in self.judge.board.pieces.iter().map(|kind| kind.count).enumerate() {
            loop {
                let of_kind = (0..pieces.len()).filter(|&i| pieces[i].fits[0].kind == kind);
                let distance = |i: &usize| pieces[*i].fits[0].distance;
                let on_print = |i: &usize| {
                    self.judge
                        .fills
                        .iter()
                        .any(|fill| fill.is_at(pieces[*i].sight.rim.centre, &self.judge.options.print))
                };
                let worst = of_kind
                    .clone()
                    .max_by(|a, b| on_print(a).cmp(&on_print(b)).then(distance(a).total_cmp(&distance(b))));
                let Some(worst) = worst.filter(|_| of_kind.count() > allowed) else { break };
                pieces[worst].fits.remove(0);
                let next = pieces[worst].fits.first();
                if next.is_none_or(|fit| fit.distance > self.judge.options.kind_distance_max) {
                    let surplus = pieces.remove(worst);
                    foreign.push(self.foreign(&surplus.sight, surplus.face, ForeignReason::TooMany));
                }
            }
        }
    }

    fn foreign(&self, sight: &Sight, face_stops: Stops, reason: ForeignReason) -> Foreign {
        let sized_like = self.judge.sizes[sight.size][0];
        Foreign { centre: sight.rim.centre, reason, sized_like, face_stops }
    }

    fn candidate(&self, piece: &Piece) -> Option<Candidate> {
        let (centre, solid) = (piece.sight.rim.centre, piece.sight.solid);
        let best = piece.fits.first()?;
        Some(Candidate {
            kind: best.kind,
            centre,
            base_mm: solid.base_mm,
            base_sigma_mm: if piece.base_unclear { solid.height_mm / 2.0 } else { 0.0 },
            stacked: piece.stacked,
            kind_probability: best.probability,
            px: self.judge.look.pixel(centre, solid.top_mm())?,
            evidence: piece.evidence,
        })
    }
}

/// Order in which sights are taken: the wholest rim first.
fn rank(sight: &Sight, options: &DetectOptions) -> f64 {
    f64::from(sight.rim.seen()) + options.rank_per_mm * sight.solid.radius_mm
}
