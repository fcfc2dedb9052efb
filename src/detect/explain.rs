//! The picture explained with the fewest pieces.
//!
//! In: places with what was seen there. Out: pieces, and foreign things that look like some. The
//! best seen piece is taken first. A later one that would overlap it must show that it lies under
//! or on it; else it is no piece.

use super::{
    Candidate, DetectOptions, Foreign, ForeignReason,
    kinds::{GLOSSES, KindColours, KindFit},
    light::{Stops, largest, median, minus, with_gloss},
    patch::{Face, Look, Rim, SEEN, Solid},
};
use crate::{
    board::Board,
    geometry::{Paint, Point, Vector},
};

/// A place that was looked at.
#[derive(Debug, Clone)]
pub struct Sight {
    /// Kinds of the size that was looked for.
    pub kinds: Vec<usize>,
    pub solid: Solid,
    pub rim: Rim,
    pub face: Face,
    /// Stops of the bare surface around it.
    pub surface: Stops,
}

/// A printed fill of the board as this picture shows it.
#[derive(Debug, Clone, Copy)]
pub struct PrintedFill {
    pub centre: Point,
    pub radius_mm: f64,
    /// Against the bare surface.
    pub stops: Stops,
}

pub struct Explainer<'a> {
    pub board: &'a Board,
    pub look: &'a Look<'a>,
    pub colours: &'a KindColours,
    pub fills: &'a [PrintedFill],
    pub options: &'a DetectOptions,
}

/// What a sight turned out to be.
enum Verdict {
    Piece(Vec<KindFit>),
    Foreign(ForeignReason),
    Nothing,
}

struct Accepted {
    sight: Sight,
    fits: Vec<KindFit>,
    base_mm: f64,
    stacked: bool,
}

/// Part of the radius within which a face's colour is taken: inside any cap.
const FACE_PART: f64 = 0.6;
/// Part of the radius within which a face is compared with print.
const PRINT_PART: f64 = 0.9;
/// Part of a face that print must explain for it to be print.
const PRINTED_MIN: f32 = 0.6;
/// Fewest face samples for a colour.
const FACE_SAMPLES_MIN: usize = 8;
/// Sights whose centres are closer than this part of the larger radius are of the same thing.
const SAME_PART: f64 = 0.4;

impl Explainer<'_> {
    pub fn explain(&self, mut sights: Vec<Sight>) -> (Vec<Candidate>, Vec<Foreign>) {
        sights.sort_by(|a, b| {
            rank(b)
                .total_cmp(&rank(a))
                .then(a.rim.centre.y.total_cmp(&b.rim.centre.y))
                .then(a.rim.centre.x.total_cmp(&b.rim.centre.x))
        });
        let mut accepted: Vec<Accepted> = Vec::new();
        let mut foreign = Vec::new();
        for sight in sights {
            self.consider(sight, &mut accepted, &mut foreign);
        }
        self.keep_counts(&mut accepted, &mut foreign);
        foreign.retain(|thing: &Foreign| {
            accepted.iter().all(|a| (a.sight.rim.centre - thing.centre).norm() > a.sight.solid.radius_mm)
        });
        let candidates = accepted.iter().filter_map(|a| self.candidate(a)).collect();
        (candidates, foreign)
    }

    fn consider(&self, sight: Sight, accepted: &mut Vec<Accepted>, foreign: &mut Vec<Foreign>) {
        let centre = sight.rim.centre;
        if !self.rests_on_board(centre) {
            return;
        }
        let overlapping: Vec<usize> = (0..accepted.len())
            .filter(|&i| {
                let other = &accepted[i].sight;
                let reach = other.solid.radius_mm + sight.solid.radius_mm - self.options.overlap_max_mm;
                (other.rim.centre - centre).norm() < reach
            })
            .collect();
        if overlapping.is_empty() {
            match self.judge(&sight, &[]) {
                Verdict::Piece(fits) => {
                    accepted.push(Accepted { sight, fits, base_mm: 0.0, stacked: false });
                }
                Verdict::Foreign(reason) => {
                    let known = foreign.iter().any(|f| (f.centre - centre).norm() < sight.solid.radius_mm);
                    if !known {
                        foreign.push(Foreign { centre, reason });
                    }
                }
                Verdict::Nothing => {}
            }
            return;
        }
        let is_same = overlapping.iter().any(|&i| {
            let other = &accepted[i].sight;
            let radius = other.solid.radius_mm.max(sight.solid.radius_mm);
            (other.rim.centre - centre).norm() < SAME_PART * radius
        });
        if is_same {
            return;
        }
        let covers: Vec<(Point, f64)> = overlapping
            .iter()
            .map(|&i| (accepted[i].sight.rim.centre, accepted[i].sight.solid.radius_mm))
            .collect();
        // Under the others: what is not hidden of its rim must be there nearly whole.
        if self.seen_part(&sight, &covers) >= self.options.stacked_rim_min {
            if let Verdict::Piece(fits) = self.judge(&sight, &covers) {
                let height_mm = sight.solid.height_mm;
                for &i in &overlapping {
                    self.lift(&mut accepted[i], height_mm);
                }
                accepted.push(Accepted { sight, fits, base_mm: 0.0, stacked: false });
            }
        }
    }

    /// Puts an accepted piece on top of one that is `height_mm` high.
    fn lift(&self, piece: &mut Accepted, height_mm: f64) {
        piece.stacked = true;
        piece.base_mm = piece.base_mm.max(height_mm);
        let solid = Solid { base_mm: piece.base_mm, ..piece.sight.solid };
        if let Some(rim) = self.look.rim(piece.sight.rim.centre, solid) {
            piece.sight.rim = rim;
            piece.sight.solid = solid;
        }
    }

    /// Part of the rim that is seen of what `covers` leave visible; 0 when that is too little.
    fn seen_part(&self, sight: &Sight, covers: &[(Point, f64)]) -> f32 {
        let count = sight.rim.rays.len();
        let (mut seen, mut visible) = (0.0_f32, 0.0_f32);
        for (ray, strength) in sight.rim.rays.iter().enumerate() {
            let Some(strength) = strength else { continue };
            let angle = std::f64::consts::TAU * ray as f64 / count as f64;
            let at = sight.rim.centre + Vector::new(angle.cos(), angle.sin()) * sight.solid.radius_mm;
            if covers.iter().any(|(centre, radius)| (at - centre).norm() < radius + HIDDEN_MARGIN_MM) {
                continue;
            }
            visible += 1.0;
            seen += f32::from(*strength >= SEEN);
        }
        if visible < self.options.visible_min * count as f32 { 0.0 } else { seen / visible }
    }

    fn judge(&self, sight: &Sight, covers: &[(Point, f64)]) -> Verdict {
        let rim = self.seen_part(sight, covers);
        let is_rim = rim >= self.options.rim_min
            || (rim >= self.options.capped_rim_min
                && sight.face.cap_rim(self.options) >= self.options.cap_min);
        if !is_rim {
            return Verdict::Nothing;
        }
        let hidden = |offset: Vector| {
            covers.iter().any(|(centre, radius)| {
                (sight.rim.centre + offset - centre).norm() < radius + HIDDEN_MARGIN_MM
            })
        };
        let face_of = |part: f64| -> Vec<Stops> {
            sight
                .face
                .within(part)
                .filter(|s| !hidden(s.offset))
                .filter_map(|s| s.stops)
                .map(|stops| self.against(stops, sight))
                .collect()
        };
        let mut samples = face_of(FACE_PART);
        if samples.len() < FACE_SAMPLES_MIN {
            samples = face_of(1.0);
        }
        if samples.len() < FACE_SAMPLES_MIN {
            return Verdict::Nothing;
        }
        let Some(face) = median(&mut samples) else { return Verdict::Nothing };
        if largest(face) < self.options.face_step_min || self.printed_part(sight, &hidden) >= PRINTED_MIN {
            return Verdict::Nothing;
        }
        let fits = self.colours.fits(face, sight.kinds.iter().copied(), self.options);
        match fits.first() {
            Some(best) if best.distance <= self.options.kind_distance_max => Verdict::Piece(fits),
            _ => Verdict::Foreign(ForeignReason::Colour),
        }
    }

    /// Stops of a face against the surface around it.
    fn against(&self, stops: Stops, sight: &Sight) -> Stops {
        self.look.light.between(stops, sight.surface, self.options.dark_floor as f32)
    }

    /// Part of the face that shows nothing but the board's own print.
    fn printed_part(&self, sight: &Sight, hidden: &dyn Fn(Vector) -> bool) -> f32 {
        let eye = self.look.camera.pose.centre_mm();
        let stretch = eye.z / (eye.z - sight.solid.top_mm());
        let near: Vec<&PrintedFill> = self
            .fills
            .iter()
            .filter(|fill| {
                (fill.centre - sight.rim.centre).norm() < fill.radius_mm + 2.0 * sight.solid.radius_mm
            })
            .collect();
        if near.is_empty() {
            return 0.0;
        }
        let (mut printed, mut count) = (0.0_f32, 0.0_f32);
        for sample in sight.face.within(PRINT_PART).filter(|s| !hidden(s.offset)) {
            let Some(stops) = sample.stops else { continue };
            let stops = self.against(stops, sight);
            let top = sight.rim.centre + sample.offset;
            let ground = Point::new(eye.x + (top.x - eye.x) * stretch, eye.y + (top.y - eye.y) * stretch);
            let is_fill = near.iter().any(|fill| {
                (ground - fill.centre).norm() < fill.radius_mm
                    && GLOSSES.iter().any(|&gloss| {
                        largest(minus(stops, with_gloss(fill.stops, gloss))) < self.options.print_tolerance
                    })
            });
            count += 1.0;
            printed += f32::from(is_fill || largest(stops) < self.options.face_step_min);
        }
        printed / count.max(1.0)
    }

    /// Whether a footprint's centre is where a piece can rest.
    fn rests_on_board(&self, centre: Point) -> bool {
        let surface = &self.board.surface;
        let on = |v: f64, side: f64| v > -EDGE_TOLERANCE_MM && v < side + EDGE_TOLERANCE_MM;
        let over_pocket = self
            .board
            .pockets
            .iter()
            .any(|pocket| (centre - pocket.centre).norm() < pocket.radius_mm - POCKET_TOLERANCE_MM);
        on(centre.x, surface.width_mm) && on(centre.y, surface.length_mm) && !over_pocket
    }

    /// No kind can have more pieces than the board file allows: the worst fitting ones go to their
    /// next best kind, or are foreign.
    fn keep_counts(&self, accepted: &mut Vec<Accepted>, foreign: &mut Vec<Foreign>) {
        for kind in 0..self.board.pieces.len() {
            loop {
                let of_kind: Vec<usize> =
                    (0..accepted.len()).filter(|&i| accepted[i].fits[0].kind == kind).collect();
                if of_kind.len() <= self.board.pieces[kind].count {
                    break;
                }
                let Some(&worst) = of_kind
                    .iter()
                    .max_by(|&&a, &&b| accepted[a].fits[0].distance.total_cmp(&accepted[b].fits[0].distance))
                else {
                    break;
                };
                accepted[worst].fits.remove(0);
                let next_fits = accepted[worst]
                    .fits
                    .first()
                    .is_some_and(|fit| fit.distance <= self.options.kind_distance_max);
                if !next_fits {
                    let surplus = accepted.remove(worst);
                    foreign
                        .push(Foreign { centre: surplus.sight.rim.centre, reason: ForeignReason::TooMany });
                }
            }
        }
    }

    fn candidate(&self, piece: &Accepted) -> Option<Candidate> {
        let centre = piece.sight.rim.centre;
        let best = piece.fits.first()?;
        let height_mm = self.board.pieces[best.kind].height_mm;
        let px = self.look.camera.image_from_board(centre.x, centre.y, piece.base_mm + height_mm)?;
        Some(Candidate {
            kind: best.kind,
            centre,
            base_mm: piece.base_mm,
            stacked: piece.stacked,
            kind_probability: best.probability,
            px,
        })
    }
}

/// A rim closer than this to a piece that may cover it counts as covered, in millimetres.
const HIDDEN_MARGIN_MM: f64 = 1.0;
/// How far a centre may seem to be off the surface, in millimetres: the place is only rough.
const EDGE_TOLERANCE_MM: f64 = 1.5;
/// How far a centre may seem to be inside a pocket, in millimetres.
const POCKET_TOLERANCE_MM: f64 = 2.0;

/// Order in which sights are taken: the wholest rim first; of two alike the larger, since a groove
/// can be a rim inside a piece but nothing makes one around it.
fn rank(sight: &Sight) -> f64 {
    let seen = sight.rim.rays.iter().flatten().filter(|&&s| s >= SEEN).count();
    seen as f64 / sight.rim.rays.len().max(1) as f64 + 0.01 * sight.solid.radius_mm
}

/// The board's filled prints as they look in this picture: the median of all of one colour.
pub fn printed_fills(
    board: &Board,
    look: &Look,
    surface_at: &dyn Fn(Point) -> Stops,
    options: &DetectOptions,
) -> Vec<PrintedFill> {
    let mut fills: Vec<(PrintedFill, crate::board::Colour)> = Vec::new();
    for line in &board.lines {
        let (centre, radius_mm, colour) = match (line.paint, line.fill) {
            (Paint::Ring { centre, radius_mm, .. }, Some(fill)) => (centre, radius_mm, fill),
            (Paint::Spot { centre, radius_mm }, _) => (centre, radius_mm, line.colour),
            _ => continue,
        };
        let stops = super::light::stops_between(colour, board.surface.colour, options.dark_floor as f32);
        fills.push((PrintedFill { centre, radius_mm, stops }, colour));
    }
    let seen: Vec<Option<Stops>> = fills
        .iter()
        .map(|(fill, _)| {
            let solid = Solid { radius_mm: fill.radius_mm, height_mm: 0.0, base_mm: 0.0 };
            let face = look.face(fill.centre, solid)?;
            let mut samples: Vec<Stops> = face.within(FACE_PART).filter_map(|s| s.stops).collect();
            Some(look.light.between(
                median(&mut samples)?,
                surface_at(fill.centre),
                options.dark_floor as f32,
            ))
        })
        .collect();
    let usual: Vec<Option<Stops>> = fills
        .iter()
        .map(|(_, colour)| {
            let mut alike: Vec<Stops> =
                seen.iter().zip(&fills).filter(|(_, (_, c))| c == colour).filter_map(|(s, _)| *s).collect();
            if alike.len() < FILLS_MIN { None } else { median(&mut alike) }
        })
        .collect();
    fills
        .into_iter()
        .zip(usual)
        .map(|((fill, _), usual)| PrintedFill { stops: usual.unwrap_or(fill.stops), ..fill })
        .collect()
}

/// Fewest fills of one colour in view for their median to be the print's own look.
const FILLS_MIN: usize = 3;
