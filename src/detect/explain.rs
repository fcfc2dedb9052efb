//! The picture explained with the fewest pieces.
//!
//! In: sights. Out: pieces with the look of their faces, and foreign things that look like some. The best seen piece is taken
//! first. A later one that would overlap it must show that it lies under it; else it is the same
//! thing seen twice. What is nothing so far and has a hue of its own is looked at once more, for weaker edges. What is
//! likelier print or clutter than a piece hides nothing, and is told as foreign where it may be a piece after all.

use super::{
    Candidate, DetectOptions, Existence, Foreign, ForeignReason,
    beneath::Beneath,
    existence::{SURE_FROM, Standing, compared_with_set},
    judge::{Judge, Verdict},
    kinds::KindFit,
    light::Stops,
    look::{Cover, Solid, seen_at},
    rim::Contrast,
    sight::Sight,
};
use crate::geometry::Point;

/// A sight that is a piece.
pub(super) struct Piece<'a> {
    pub sight: Sight<'a>,
    pub face: Stops,
    pub fits: Vec<KindFit>,
    pub standing: Standing,
    pub stacked: bool,
    /// Whether something that may be a piece shows under it, but none was made out.
    pub base_unclear: bool,
}

pub struct Explainer<'a> {
    pub judge: &'a Judge<'a>,
    /// The solid of each size.
    pub solids: &'a [Solid],
    /// Stops of the bare surface at a point of the view.
    pub surface_at: &'a dyn Fn(Point) -> Stops,
}

impl<'a> Explainer<'a> {
    pub fn explain(&self, sights: Vec<Sight<'a>>) -> (Vec<(Candidate, Stops)>, Vec<Foreign>) {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut foreign: Vec<Foreign> = Vec::new();
        let unexplained = self.consider_all(sights, &mut pieces, &mut foreign);
        // Where a photo is blurred, the rim of a pale piece shows in its hue alone.
        let closer = unexplained.iter().filter_map(|sight| self.closer_look(sight, &pieces)).collect();
        self.consider_all(closer, &mut pieces, &mut foreign);
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
        self.compare_within_sets(&mut pieces);
        self.keep_counts(&mut pieces, &mut foreign);
        foreign.retain(|thing| {
            let is_free = |p: &Piece| (p.sight.rim.centre - thing.centre).norm() > p.sight.solid.radius_mm;
            pieces.iter().all(is_free) && self.is_worth_a_word(thing, &pieces)
        });
        let found = pieces.iter().filter_map(|piece| Some((self.candidate(piece)?, piece.face)));
        (found.collect(), foreign)
    }

    /// Considers sights, the best seen first; those that are nothing so far are given back.
    fn consider_all(
        &self,
        mut sights: Vec<Sight<'a>>,
        pieces: &mut Vec<Piece<'a>>,
        foreign: &mut Vec<Foreign>,
    ) -> Vec<Sight<'a>> {
        let options = self.judge.options;
        sights.sort_by(|a, b| {
            let (p, q) = (a.rim.centre, b.rim.centre);
            rank(b, options).total_cmp(&rank(a, options)).then(p.y.total_cmp(&q.y)).then(p.x.total_cmp(&q.x))
        });
        sights.into_iter().filter_map(|sight| self.consider(sight, pieces, foreign)).collect()
    }

    /// Adds what a sight turns out to be, or gives it back where it is nothing that was not seen before.
    fn consider(
        &self,
        sight: Sight<'a>,
        pieces: &mut Vec<Piece<'a>>,
        foreign: &mut Vec<Foreign>,
    ) -> Option<Sight<'a>> {
        let centre = sight.rim.centre;
        if !self.judge.rests_on_board(centre, sight.solid.radius_mm) {
            return None;
        }
        let overlapping = self.overlapping(centre, sight.solid.radius_mm, pieces);
        let is_same = overlapping.iter().any(|&i| {
            let other = &pieces[i].sight;
            let radius = other.solid.radius_mm.max(sight.solid.radius_mm);
            (other.rim.centre - centre).norm() < self.judge.options.same_part * radius
        });
        if is_same {
            return None;
        }
        let is_seen_before = |thing: &Foreign| {
            is_doubtful(thing)
                && self.judge.sizes[sight.size].contains(&thing.sized_like)
                && (thing.centre - centre).norm() < self.judge.options.same_part * sight.solid.radius_mm
        };
        if foreign.iter().any(is_seen_before) {
            return None;
        }
        let is_under = !overlapping.is_empty();
        let covers = self.covers_near(centre, sight.solid, pieces);
        let mut verdict = self.judge.judge(&sight, &covers, is_under);
        let mut sight = sight;
        if matches!(verdict, Verdict::Nothing) && !covers.is_empty() && !is_under {
            // Edges of what hides part of it may have drawn it away: look again without them.
            let beside = self.sight_beside(centre, sight.size, sight.contrast, &covers);
            let is_free = |beside: &Sight| {
                let centre = beside.rim.centre;
                self.overlapping(centre, beside.solid.radius_mm, pieces).is_empty()
                    && self.judge.rests_on_board(centre, beside.solid.radius_mm)
            };
            if let Some(beside) = beside.filter(is_free) {
                verdict = self.judge.judge(&beside, &covers, false);
                sight = beside;
            }
        }
        match verdict {
            Verdict::Piece { face, fits } => {
                let standing = self.standing(&sight, &covers, face, &fits, is_under);
                match standing.existence {
                    existence if !existence.may_be_measured() => {
                        let kind = fits.first().map(|fit| fit.kind);
                        foreign.push(self.doubtful(&sight, face, kind, existence));
                    }
                    _ => {
                        let piece =
                            Piece { sight, face, fits, standing, stacked: false, base_unclear: false };
                        self.stack(piece, pieces);
                    }
                }
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

    /// How sure it is that what was judged to be a piece is one.
    fn standing(
        &self,
        sight: &Sight,
        covers: &[Cover],
        face: Stops,
        fits: &[KindFit],
        is_under: bool,
    ) -> Standing {
        match fits.first() {
            // Of what lies under another piece too little of the outline shows.
            Some(best) if !is_under => self.judge.existence(sight, covers, face, best),
            _ => Standing { existence: Existence::UNSEEN, height: None },
        }
    }

    /// Something that is likelier print or clutter than the piece that it looks like.
    fn doubtful(
        &self,
        sight: &Sight,
        face_stops: Stops,
        kind: Option<usize>,
        existence: Existence,
    ) -> Foreign {
        let reason = if existence.is_rather_print() { ForeignReason::Print } else { ForeignReason::Unclear };
        let thing = self.foreign(sight, face_stops, reason);
        Foreign { sized_like: kind.unwrap_or(thing.sized_like), existence, ..thing }
    }

    /// Pieces of one size show alike that they are solid.
    fn compare_within_sets(&self, pieces: &mut [Piece]) {
        for size in 0..self.solids.len() {
            let set: Vec<usize> = (0..pieces.len()).filter(|&i| pieces[i].sight.size == size).collect();
            let standings: Vec<Standing> = set.iter().map(|&i| pieces[i].standing).collect();
            for (i, existence) in set.into_iter().zip(compared_with_set(&standings)) {
                pieces[i].standing.existence = existence;
            }
        }
    }

    /// Whether something doubtful may be a piece: not where all of its kind are found for sure.
    fn is_worth_a_word(&self, thing: &Foreign, pieces: &[Piece]) -> bool {
        let is_sure_one = |p: &&Piece| p.fits[0].kind == thing.sized_like && p.standing.existence.is_sure();
        let sure = || pieces.iter().filter(is_sure_one).count();
        !is_doubtful(thing)
            || thing.existence.is_worth_a_word() && sure() < self.judge.board.pieces[thing.sized_like].count
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
        match judge.judge(&sight, &covers, false) {
            Verdict::Piece { face, fits } if seen >= judge.options.part_rim_min => {
                let standing = self.standing(&sight, &covers, face, &fits, false);
                let piece = Piece { sight, face, fits, standing, stacked: false, base_unclear: false };
                standing.existence.may_be_measured().then_some(piece)
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
    pub(super) fn covers_near(&self, centre: Point, solid: Solid, pieces: &[Piece]) -> Vec<Cover> {
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
    pub(super) fn covers_but(&self, one: usize, pieces: &[Piece], plane_mm: f64) -> Vec<Cover> {
        let others = pieces.iter().enumerate().filter(|(i, _)| *i != one);
        others.map(|(_, piece)| self.cover(piece, plane_mm)).collect()
    }

    /// What a piece hides in a plane.
    pub(super) fn cover(&self, piece: &Piece, plane_mm: f64) -> Cover {
        let margin_mm = self.judge.options.cover_margin_mm;
        Cover::new(piece.sight.rim.centre, piece.sight.solid, plane_mm, self.judge.look.eye, margin_mm)
    }

    pub(super) fn overlapping(&self, centre: Point, radius_mm: f64, pieces: &[Piece]) -> Vec<usize> {
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

    /// A place looked at without what covers hide.
    pub(super) fn sight_beside(
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

    /// No kind can have more pieces than the board file allows: the least certain ones, of equally certain ones the worst
    /// fitting, go to their next best kind, or are foreign.
    fn keep_counts(&self, pieces: &mut Vec<Piece>, foreign: &mut Vec<Foreign>) {
        for (kind, allowed) in self.judge.board.pieces.iter().map(|kind| kind.count).enumerate() {
            loop {
                let of_kind = (0..pieces.len()).filter(|&i| pieces[i].fits[0].kind == kind);
                let distance = |i: &usize| pieces[*i].fits[0].distance;
                // What is sure beyond telling is equally so.
                let certain = |i: &usize| pieces[*i].standing.existence.probability().min(SURE_FROM);
                let worst = of_kind.clone().max_by(|a, b| {
                    certain(b).total_cmp(&certain(a)).then(distance(a).total_cmp(&distance(b)))
                });
                let Some(worst) = worst.filter(|_| of_kind.count() > allowed) else { break };
                pieces[worst].fits.remove(0);
                let next = pieces[worst].fits.first();
                if next.is_none_or(|fit| fit.distance > self.judge.options.kind_distance_max) {
                    let surplus = pieces.remove(worst);
                    let thing = self.foreign(&surplus.sight, surplus.face, ForeignReason::TooMany);
                    foreign.push(Foreign {
                        sized_like: kind,
                        existence: surplus.standing.existence,
                        ..thing
                    });
                }
            }
        }
    }

    fn foreign(&self, sight: &Sight, face_stops: Stops, reason: ForeignReason) -> Foreign {
        let sized_like = self.judge.sizes[sight.size][0];
        let existence = Existence::CERTAIN;
        Foreign { centre: sight.rim.centre, reason, sized_like, face_stops, existence }
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
            existence: piece.standing.existence,
        })
    }
}

/// Whether something was left out for want of certainty.
fn is_doubtful(thing: &Foreign) -> bool {
    matches!(thing.reason, ForeignReason::Print | ForeignReason::Unclear)
}

/// Order in which sights are taken: the wholest rim first.
fn rank(sight: &Sight, options: &DetectOptions) -> f64 {
    f64::from(sight.rim.seen()) + options.rank_per_mm * sight.solid.radius_mm
}
