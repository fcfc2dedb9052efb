//! How sure it is that something is a piece, and not print or something else of its size.
//!
//! In: a sight that was taken for a piece. Out: an [`Existence`]: its odds as a solid body against print in the board's plane,
//! and against clutter. What tells them apart is what solid things do: the outline is that of a body as high as a piece, seen
//! from this camera, with a shadow along it; print has its edges where the plane is, where the board file draws them, and the
//! print's own colours, worn or not.

use std::f64::consts::PI;

use super::{
    Existence,
    judge::Judge,
    kinds::{GLOSSES, KindFit, square_apart},
    light::{Stops, brightness_and_hue, largest, minus, with_gloss},
    look::Cover,
    outline::Outlines,
    print::PrintedFill,
    sight::Sight,
};

/// Log odds of a piece against clutter for edges that say nothing, and by how much each nat of them counts: as they came out
/// on true pieces, hands, cups, coins, print and frames.
const EDGELESS: f64 = 4.0;
const BY_EDGES: f64 = 0.35;
/// Edges tell no more than this, in nats: what is beyond, no model of them is good for.
const EDGES_MOST: f64 = 15.0;
/// What a measurement that holds adds, and what one that does not takes away.
const HELD: f64 = 3.0;
const NOT_HELD: f64 = -2.5;
/// How likely a piece lies where a print marks the start, in any photo.
const ON_START: f64 = 0.3;
/// How much of a print's colour wear may leave.
const WORN: [f32; 4] = [1.0, 0.75, 0.5, 0.25];
/// Colours that differ more than this tell no more, in nats.
const COLOUR_MOST: f64 = 8.0;
const COLOUR_LEAST: f64 = -2.0;
/// How dark the board is right beside a piece and beside print, in stops, with what differs from one to the next.
const BESIDE_SOLID: (f64, f64) = (-0.09, 0.07);
const BESIDE_PRINT: (f64, f64) = (0.0, 0.02);
/// Rays beside each other show the same shadow.
const RAYS_ALIKE: f64 = 3.0;
const SHADOW_MOST: f64 = 2.5;
/// How far from the surface's light what is beside a rim may be to show a shadow on it, in stops.
const BARE: f32 = 0.2;
/// Log odds that a round thing where nothing is drawn is a piece and no print that the board file leaves out.
const UNDRAWN: f64 = 6.0;
/// Part of an outline that must be in view for it to be compared.
const COMPARED_FROM: f64 = 0.7;
/// Fewest other pieces that show what the set looks like, and the least that they differ, in nats and in stops.
const OTHERS_MIN: usize = 3;
const RISE_SIGMA: f64 = 4.0;
const SHADE_SIGMA: f64 = 0.03;
/// Outlines that rise no more than this above the board's plane tell nothing of it, in nats.
const RISE_MIN: f64 = 2.0;
/// What the set says counts no more than this, in nats.
const SET_MOST: f64 = 8.0;
/// A spread of values by their median absolute deviation.
const BY_MEDIAN: f64 = 1.48;
/// What is a piece with less than this is not worth a word, and with more than the second is one without doubt.
const TOLD_FROM: f64 = 0.02;
pub(super) const SURE_FROM: f64 = 0.99;

/// What a thing shows of its height: to be compared with what others of its set show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Height {
    /// How much likelier its outline is a body's than a circle's in the board's plane, in nats.
    rise: f64,
    /// By how much the board is brighter right beside it than a little farther off, in stops.
    shade: Option<f64>,
}

/// How sure it is that something is a piece, and what of that its set may say more of.
#[derive(Debug, Clone, Copy)]
pub struct Standing {
    pub existence: Existence,
    pub height: Option<Height>,
}

impl Existence {
    /// Nobody doubts it.
    pub const CERTAIN: Existence = Existence { against_print: f64::INFINITY, against_clutter: f64::INFINITY };
    /// As sure as something can be of which too little is in view to ask its outline.
    pub(super) const UNSEEN: Existence =
        Existence { against_print: f64::INFINITY, against_clutter: EDGELESS };

    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-self.against_print).exp() + (-self.against_clutter).exp())
    }

    /// The same once it was measured as a piece, and whether that held.
    pub fn measured(self, held: bool) -> Existence {
        Existence { against_clutter: self.against_clutter + if held { HELD } else { NOT_HELD }, ..self }
    }

    /// The same where it may be print that the board file leaves out, too, by these log odds.
    fn against_undrawn(self, log_odds: f64) -> Existence {
        let against_print = -((-self.against_print).exp() + (-log_odds).exp()).ln();
        Existence { against_print, ..self }
    }

    /// Whether it is likely enough to be told, where it is left out.
    pub fn is_worth_a_word(&self) -> bool {
        self.probability() >= TOLD_FROM
    }

    /// Whether it would be a piece if it can be measured as one.
    pub(super) fn may_be_measured(&self) -> bool {
        self.measured(true).probability() >= 0.5
    }

    /// Whether nobody needs to ask.
    pub(super) fn is_sure(&self) -> bool {
        self.probability() >= SURE_FROM
    }

    /// Whether it is print rather than clutter, if it is no piece.
    pub fn is_rather_print(&self) -> bool {
        self.against_print < self.against_clutter
    }
}

impl Judge<'_> {
    /// How sure it is that a sight is a piece of the kind that fits it best.
    pub fn existence(&self, sight: &Sight, covers: &[Cover], face: Stops, best: &KindFit) -> Standing {
        let print = self.fills.iter().find(|fill| fill.is_at(sight.rim.centre, &self.options.print));
        let drawn = print.map(PrintedFill::drawn);
        let outlines = self.look.outlines(sight.rim.centre, sight.solid, drawn.as_ref(), covers);
        let Some(Outlines { solid, circle, drawn, in_view }) = outlines else {
            return Standing { existence: Existence::UNSEEN, height: None };
        };
        let shade = self.shade_beside(sight, covers);
        let edges = solid.max(circle).clamp(-EDGES_MOST, EDGES_MOST);
        let against_print = match (print, drawn) {
            (Some(print), Some(drawn)) => {
                self.prior_on(print, best.kind)
                    + (drawn.solid - drawn.print).clamp(-EDGES_MOST, EDGES_MOST)
                    + self.colour_against(print, face, best)
                    + shade.map_or(0.0, shadow_against_none)
            }
            _ => f64::INFINITY,
        };
        let existence = Existence { against_print, against_clutter: EDGELESS + BY_EDGES * edges };
        let height = Height { rise: solid - circle, shade: shade.map(|(middle, _)| middle) };
        // What is hidden in part shows less of its height than others do.
        Standing { existence, height: Some(height).filter(|_| in_view >= COMPARED_FROM) }
    }

    /// By how much the board is brighter right beside a rim than a little farther off, where it is bare, and the standard
    /// deviation of that.
    fn shade_beside(&self, sight: &Sight, covers: &[Cover]) -> Option<(f64, f64)> {
        let rim = &sight.rim;
        let mut lighter = Vec::with_capacity(rim.rays.len());
        for ((beside, outside), at) in rim.beside.iter().zip(&rim.outside).zip(&rim.at) {
            let (Some(beside), Some(outside)) = (beside, outside) else { continue };
            let is_bare = largest(minus(*outside, sight.surface)) < BARE;
            if is_bare && !covers.iter().any(|cover| cover.hides(*at)) {
                lighter.push(f64::from(brightness_and_hue(minus(*beside, *outside)).0));
            }
        }
        if (lighter.len() as f64) < rim.rays.len() as f64 / RAYS_ALIKE {
            return None;
        }
        let count = lighter.len() as f64 / RAYS_ALIKE;
        let (middle, spread) = middle_and_spread(&mut lighter);
        Some((middle, spread / count.sqrt()))
    }

    /// Log odds that a piece of a kind lies on a print, before anything is seen of it.
    fn prior_on(&self, print: &PrintedFill, kind: usize) -> f64 {
        let surface = &self.board.surface;
        let anywhere =
            PI * print.reach_mm(&self.options.print).powi(2) / (surface.width_mm * surface.length_mm);
        let p = match print.marks_the_start {
            true => ON_START,
            false => (self.board.pieces[kind].count as f64 * anywhere).min(ON_START),
        };
        (p / (1.0 - p)).ln()
    }

    /// What a face's colour says for its kind against the print's.
    fn colour_against(&self, print: &PrintedFill, face: Stops, best: &KindFit) -> f64 {
        let worn = WORN.iter().flat_map(|part| GLOSSES.map(|gloss| (print.stops.map(|v| v * part), gloss)));
        let squares = worn.map(|(stops, gloss)| {
            square_apart(face, with_gloss(stops, gloss), self.options)
                + (f64::from(gloss) / self.options.gloss_sigma).powi(2)
        });
        let square = squares.fold(f64::INFINITY, f64::min);
        ((square - best.distance.powi(2)) / 2.0).clamp(COLOUR_LEAST, COLOUR_MOST)
    }
}

/// What the board right beside a rim says: a solid thing keeps light from it on all sides, and print does not.
fn shadow_against_none((shade, sigma): (f64, f64)) -> f64 {
    let likely = |(mean, spread): (f64, f64)| ln_density(shade, mean, sigma.hypot(spread));
    (likely(BESIDE_SOLID) - likely(BESIDE_PRINT)).clamp(-SHADOW_MOST, SHADOW_MOST)
}

/// Each piece of a set with what the others say of it: one that rises less than they do above the board's plane, and keeps less
/// light from it, may be print that the board file leaves out.
pub fn compared_with_set(set: &[Standing]) -> Vec<Existence> {
    let compared = set.iter().enumerate().map(|(i, standing)| {
        let others = || set.iter().enumerate().filter(move |(j, _)| *j != i).filter_map(|(_, o)| o.height);
        let mut rises: Vec<f64> = others().map(|height| height.rise).collect();
        let mut shades: Vec<f64> = others().filter_map(|height| height.shade).collect();
        let Some(Height { rise, shade }) = standing.height.filter(|_| rises.len() >= OTHERS_MIN) else {
            return standing.existence;
        };
        let (usual, spread) = middle_and_spread(&mut rises);
        let flat = match usual >= RISE_MIN {
            // Print loses about as much as a body where it is taken for the other.
            true => {
                let spread = spread.hypot(RISE_SIGMA);
                ln_density(rise, -usual, spread.hypot(usual / 2.0)) - ln_density(rise, usual, spread)
            }
            false => 0.0,
        };
        let unshaded = match shade.filter(|_| shades.len() >= OTHERS_MIN) {
            Some(shade) => {
                let (usual, spread) = middle_and_spread(&mut shades);
                let spread = spread.hypot(SHADE_SIGMA);
                ln_density(shade, 0.0, SHADE_SIGMA) - ln_density(shade, usual.min(0.0), spread)
            }
            None => 0.0,
        };
        let by_set = flat.clamp(-SET_MOST, SET_MOST) + unshaded.clamp(-SHADOW_MOST, SHADOW_MOST);
        standing.existence.against_undrawn(UNDRAWN - by_set)
    });
    compared.collect()
}

/// Of a normal distribution, but for a constant.
fn ln_density(value: f64, mean: f64, sigma: f64) -> f64 {
    -((value - mean) / sigma).powi(2) / 2.0 - sigma.ln()
}

/// Median of some values, and their robust standard deviation.
fn middle_and_spread(values: &mut [f64]) -> (f64, f64) {
    let middle = median(values);
    let mut off: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    (middle, BY_MEDIAN * median(&mut off))
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f64::total_cmp).1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_as_likely_print_as_a_piece_is_there_by_half() {
        let even = Existence { against_print: 0.0, ..Existence::CERTAIN };
        assert!((even.probability() - 0.5).abs() < 1e-12);
        assert_eq!(Existence::CERTAIN.probability(), 1.0);
        assert_eq!(Existence::CERTAIN.measured(false), Existence::CERTAIN);
        let weak = Existence { against_clutter: 0.0, ..Existence::CERTAIN };
        assert!(weak.measured(true).probability() > 0.9 && weak.measured(false).probability() < 0.1);
    }

    fn standing(rise: f64, shade: f64) -> Standing {
        Standing { existence: Existence::CERTAIN, height: Some(Height { rise, shade: Some(shade) }) }
    }

    /// From the side a flat disc among men rises less; from above it has no shadow, and only that speaks.
    #[test]
    fn a_flat_disc_among_men_is_not_sure_to_be_one() {
        let p = |odd: Standing, rise: f64| {
            let men = [-0.07, -0.09, -0.1, -0.08, -0.11].map(|shade| standing(rise, shade));
            let set: Vec<Standing> = men.into_iter().chain([odd]).collect();
            let found: Vec<f64> = compared_with_set(&set).iter().map(Existence::probability).collect();
            assert!(found[..5].iter().all(|p| *p > 0.99), "{found:?}");
            found[5]
        };
        assert!(p(standing(-20.0, 0.0), 14.0) < 0.1, "from the side");
        assert!((0.5..0.99).contains(&p(standing(0.0, 0.0), 0.0)), "from above");
        assert!(p(standing(11.0, -0.05), 14.0) > 0.99, "a man");
    }

    #[test]
    fn too_few_men_say_nothing_of_another() {
        let set = [standing(10.0, -0.1), standing(12.0, -0.1), standing(-20.0, 0.0)];
        assert_eq!(compared_with_set(&set), [Existence::CERTAIN; 3]);
    }
}
