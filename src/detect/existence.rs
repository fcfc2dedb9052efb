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
    light::{Stops, brightness_and_hue, minus, with_gloss},
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
/// What is a piece with less than this is not worth a word, and with more than the second is one without doubt.
const TOLD_FROM: f64 = 0.02;
pub(super) const SURE_FROM: f64 = 0.99;

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

    /// Whether it is likely enough to be told, where it is left out.
    pub fn is_worth_a_word(&self) -> bool {
        self.probability() >= TOLD_FROM
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
    pub fn existence(&self, sight: &Sight, covers: &[Cover], face: Stops, best: &KindFit) -> Existence {
        let print = self.fills.iter().find(|fill| fill.is_at(sight.rim.centre, &self.options.print));
        let drawn = print.map(PrintedFill::drawn);
        let outlines = self.look.outlines(sight.rim.centre, sight.solid, drawn.as_ref(), covers);
        let Some(Outlines { solid, circle, drawn }) = outlines else { return Existence::UNSEEN };
        let edges = solid.max(circle).clamp(-EDGES_MOST, EDGES_MOST);
        let against_print = match (print, drawn) {
            (Some(print), Some(drawn)) => {
                self.prior_on(print, best.kind)
                    + (drawn.solid - drawn.print).clamp(-EDGES_MOST, EDGES_MOST)
                    + self.colour_against(print, face, best)
                    + shadow_against_none(sight)
            }
            _ => f64::INFINITY,
        };
        Existence { against_print, against_clutter: EDGELESS + BY_EDGES * edges }
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
fn shadow_against_none(sight: &Sight) -> f64 {
    let rays = sight.rim.beside.iter().zip(&sight.rim.outside);
    let mut darker: Vec<f64> = rays
        .filter_map(|(beside, outside)| Some(brightness_and_hue(minus((*beside)?, (*outside)?)).0.into()))
        .collect();
    if (darker.len() as f64) < RAYS_ALIKE {
        return 0.0;
    }
    let middle = median(&mut darker);
    let mut off: Vec<f64> = darker.iter().map(|v| (v - middle).abs()).collect();
    let sigma = 1.48 * median(&mut off) / (darker.len() as f64 / RAYS_ALIKE).sqrt();
    let ln_density = |(mean, spread): (f64, f64)| {
        let spread = sigma.hypot(spread);
        -((middle - mean) / spread).powi(2) / 2.0 - spread.ln()
    };
    (ln_density(BESIDE_SOLID) - ln_density(BESIDE_PRINT)).clamp(-SHADOW_MOST, SHADOW_MOST)
}

fn median(values: &mut [f64]) -> f64 {
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
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
}
