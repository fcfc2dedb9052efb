//! Whether a sight is a piece, and of which kind.
//!
//! In: a sight, and what may cover part of it. Out: a [`Judgement`]: what it is, and every [`Check`] that was asked on the
//! way there. A piece has the rim, the face and the colour of a piece; what lacks one of them is foreign or nothing.

use super::{
    DetectOptions,
    check::{Case, Check, Evidence, Glance, Looked, Outcome, Quantity},
    kinds::{KindColours, KindFit},
    light::{Stops, largest},
    look::{Cover, Look, seen_at},
    print::PrintedFill,
    sight::Sight,
};
use crate::{
    board::Board,
    geometry::{Point, Vector},
};

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

/// A verdict with what it rests on.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    pub checks: Vec<Check>,
    pub evidence: Option<Evidence>,
}

/// A sight that is asked about.
struct Asked<'a> {
    sight: &'a Sight<'a>,
    /// Pieces and other things that may hide part of it.
    covers: &'a [Cover],
    /// Whether it would have to lie under a piece.
    is_under: bool,
    /// Part of the visible rim that shows an edge.
    seen: f32,
    /// Part of the face that is uneven.
    uneven: f32,
    is_faint: bool,
    is_like_print: bool,
}

/// How much of a rim a sight needs.
struct RimNeeded {
    part: f32,
    option: &'static str,
    because: &'static str,
}

impl Judge<'_> {
    /// `covers` are pieces that may hide part of it; with `is_under` it would have to lie under one.
    pub fn judge(&self, sight: &Sight, covers: &[Cover], is_under: bool) -> Judgement {
        self.judge_case(sight, covers, is_under, Case::strict())
    }

    /// The same with all checks, also those after one that fails: the verdict is what it would be if all held.
    pub fn judge_to_the_end(&self, sight: &Sight, covers: &[Cover], is_under: bool) -> Judgement {
        self.judge_case(sight, covers, is_under, Case::to_the_end())
    }

    fn judge_case(&self, sight: &Sight, covers: &[Cover], is_under: bool, mut case: Case) -> Judgement {
        let asked = self.asked(sight, covers, is_under);
        let verdict = self.verdict(&asked, &mut case).unwrap_or(Verdict::Nothing);
        Judgement { verdict, checks: case.checks, evidence: case.evidence }
    }

    /// A judged sight, for the notes.
    pub fn looked(&self, sight: &Sight, glance: Glance, judgement: &Judgement) -> Looked {
        let (outcome, face) = match &judgement.verdict {
            Verdict::Piece { face, .. } => (Outcome::Piece, Some(*face)),
            Verdict::Foreign { face } => (Outcome::Foreign, Some(*face)),
            Verdict::Nothing => (Outcome::Nothing, self.look_of(sight)),
        };
        let fits = face.map(|face| self.fits(sight.size, face)).unwrap_or_default();
        Looked {
            centre: sight.rim.centre,
            px: self.look.pixel(sight.rim.centre, sight.solid.top_mm()),
            sized_like: self.sizes[sight.size][0],
            glance,
            outcome,
            nearest: fits.first().map(|fit| (fit.kind, fit.probability)),
            face_stops: face,
            checks: judgement.checks.clone(),
            evidence: judgement.evidence,
        }
    }

    fn verdict(&self, asked: &Asked, case: &mut Case) -> Option<Verdict> {
        self.has_a_rim(asked, case)?;
        self.is_even(asked, case)?;
        let face = self.visible_face(asked, case)?;
        self.stands_apart(asked, face, case)?;
        self.is_no_print(asked, face, case)?;
        self.of_a_kind(asked, face, case)
    }

    fn asked<'a>(&self, sight: &'a Sight<'a>, covers: &'a [Cover], is_under: bool) -> Asked<'a> {
        let options = self.options;
        let visible_min = match is_under {
            true => options.stacked_visible_min,
            false if covers.iter().any(Cover::is_no_piece) => options.part_visible_min,
            false => options.visible_min,
        };
        let is_hidden = |offset: Vector| covers.iter().any(|cover| cover.hides(sight.rim.centre + offset));
        let uneven = sight.face.uneven(options.uneven_step, is_hidden);
        // A bold numeral has much of a rim, but its face is no piece's: neither even, nor a cap's, nor of a kind's colour.
        let is_like_print = uneven > options.print_uneven
            && !sight.contrast.is_pale()
            && !is_under
            && !self.is_capped(sight)
            && !self.has_its_colour(sight, covers);
        Asked {
            sight,
            covers,
            is_under,
            seen: sight.rim.seen_beside(covers, visible_min),
            uneven,
            is_faint: !sight.contrast.has_hue && sight.contrast.step < options.faint_max,
            is_like_print,
        }
    }

    fn has_a_rim(&self, asked: &Asked, case: &mut Case) -> Option<()> {
        let needed = self.rim_needed(asked, case)?;
        let rim = Check::at_least(Quantity::Rim, asked.seen, needed.part, needed.option);
        case.ask(rim.because(needed.because))?;
        let contrast = &asked.sight.contrast;
        if !asked.is_under && !contrast.has_hue {
            let least = self.look.least_step;
            case.ask(Check::at_least(
                Quantity::StepOverTexture,
                contrast.step,
                least,
                "detect.texture_factor",
            ))?;
        }
        Some(())
    }

    /// How much of a rim is asked for: less where something else speaks for a piece, more where the face does not.
    fn rim_needed(&self, asked: &Asked, case: &mut Case) -> Option<RimNeeded> {
        let (options, sight) = (self.options, asked.sight);
        let need = |part: f32, option: &'static str, because: &'static str| {
            Some(RimNeeded { part, option, because })
        };
        let sure = |because| need(options.sure_rim_min, "detect.sure_rim_min", because);
        let doubtful = |because| need(options.doubtful_rim_min, "detect.doubtful_rim_min", because);
        if asked.is_under {
            return need(options.stacked_rim_min, "detect.stacked_rim_min", "it lies under a piece");
        }
        if self.look.shows_its_cap(sight) {
            return need(0.0, "detect.cap_min", "its cap is where the board file has it");
        }
        if asked.seen < options.rim_min && self.is_capped(sight) {
            return need(options.capped_rim_min, "detect.capped_rim_min", "a coloured cap on metal");
        }
        let is_on_lettering = || self.is_on_lettering(sight);
        if asked.is_like_print && is_on_lettering() {
            return need(options.whole_rim_min, "detect.whole_rim_min", "uneven, and on printed letters");
        }
        if asked.is_like_print {
            return sure("uneven as print is, and of no kind's colour");
        }
        if self.is_within_roughness(sight, options.rough_steps) {
            return sure("hardly apart from the surface's texture");
        }
        if asked.is_faint && is_on_lettering() {
            return sure("faint, and on printed letters");
        }
        let is_plain = !sight.contrast.is_pale() && asked.uneven <= options.even_max;
        if is_plain && !asked.is_faint {
            return need(options.rim_min, "detect.rim_min", "");
        }
        if asked.seen < options.rim_min || is_plain {
            return doubtful("faint, pale or uneven");
        }
        // A piece hides what is drawn under it, and print hides nothing.
        let Some(hidden) = self.paint_hidden(sight, asked.covers) else {
            return doubtful("pale or uneven");
        };
        let least = 1.0 - options.hidden_paint_min;
        case.ask(Check::more_than(Quantity::PaintHidden, hidden, least, "detect.hidden_paint_min"))?;
        match hidden >= options.hidden_paint_min {
            true => need(options.rim_min, "detect.rim_min", "it hides the paint under it"),
            false => doubtful("pale or uneven"),
        }
    }

    /// Whether a whole rim around a strong colour leaves no doubt: that is a piece's, however much its face glares or is
    /// dimpled.
    fn is_beyond_doubt(&self, asked: &Asked) -> bool {
        !asked.is_faint && asked.seen >= self.options.sure_rim_min
    }

    fn is_even(&self, asked: &Asked, case: &mut Case) -> Option<()> {
        if self.is_beyond_doubt(asked) {
            return Some(());
        }
        let most = self.options.uneven_max;
        case.ask(Check::at_most(Quantity::Unevenness, asked.uneven, most, "detect.uneven_max"))
    }

    /// The face against the surface, or what is seen of the wall of a piece that lies squarely under another one.
    fn visible_face(&self, asked: &Asked, case: &mut Case) -> Option<Stops> {
        let (samples, face) = self.face_samples(asked.sight, asked.covers);
        let whole_face = face.map(|seen| self.veiled_or_not(seen, asked.sight));
        let wall = || self.wall(asked.sight, asked.covers).filter(|_| asked.is_under);
        let face = whole_face.or_else(wall);
        if face.is_none() {
            let least = FACE_SAMPLES_MIN as f64;
            case.ask(Check::at_least(Quantity::FaceSamples, samples as f64, least, "detect.face_radii"))?;
        }
        face
    }

    fn stands_apart(&self, asked: &Asked, face: Stops, case: &mut Case) -> Option<()> {
        let (options, sight) = (self.options, asked.sight);
        if sight.contrast.is_pale() && !asked.is_under {
            let sides = self.sides_apart(sight, face, asked.covers);
            case.ask(sides.check(Quantity::SidesApart, options.pale_sides_min, "detect.pale_sides_min"))?;
            let rim = self.rim_beside_paint(sight, asked.covers);
            case.ask(rim.check(
                Quantity::RimBesidePaint,
                options.beside_paint_min,
                "detect.beside_paint_min",
            ))?;
        }
        let least = options.face_step_min;
        case.ask(Check::at_least(Quantity::FaceStep, largest(face), least, "detect.face_step_min"))
    }

    fn is_no_print(&self, asked: &Asked, face: Stops, case: &mut Case) -> Option<()> {
        let (sight, print) = (asked.sight, &self.options.print);
        let centre = sight.rim.centre;
        let is_board_hidden = |on_board: Point| {
            let at = seen_at(on_board, 0.0, sight.solid.top_mm(), self.look.eye);
            asked.covers.iter().any(|cover| cover.hides(at))
        };
        for fill in self.fills {
            if asked.is_under {
                // What is left of a fill beside a piece on it shows too little to tell them apart.
                if fill.is_at(centre, print) {
                    let (away_mm, reach_mm) = (fill.away_mm(centre), fill.reach_mm(print));
                    let check =
                        Check::at_least(Quantity::FromPrint, away_mm, reach_mm, "detect.print.same_place");
                    case.ask(check.because("it would lie under a piece"))?;
                }
                continue;
            }
            if !fill.is_of_its_colour(centre, face, print) {
                continue;
            }
            if fill.is_sure() {
                let least = self.options.sure_rim_min;
                let rim = Check::at_least(Quantity::Rim, asked.seen, least, "detect.sure_rim_min");
                case.ask(rim.because("a printed disc of this colour is drawn here"))?;
            }
            let outline = fill.outline_seen(is_board_hidden, print);
            case.ask(Check::less_than(
                Quantity::PrintOutline,
                outline,
                print.outline_min,
                "detect.print.outline_min",
            ))?;
        }
        Some(())
    }

    fn of_a_kind(&self, asked: &Asked, face: Stops, case: &mut Case) -> Option<Verdict> {
        let (options, sight) = (self.options, asked.sight);
        let fits = self.fits(sight.size, face);
        let best = *fits.first()?;
        case.evidence = Some(self.evidence(asked, best));
        let of_kind = |limit: f64, option: &'static str| {
            Check::at_most(Quantity::KindDistance, best.distance, limit, option)
        };
        if asked.is_under {
            case.ask(of_kind(options.stacked_distance_max, "detect.stacked_distance_max"))?;
            let shadow = self.shadow_distance(face);
            let check =
                Check::more_than(Quantity::ShadowDistance, shadow, best.distance, "detect.shadow_sigma");
            case.ask(check)?;
            let all_over = self.colour_all_over(sight, asked.covers, best.kind);
            let least = options.stacked_colour_min;
            case.ask(all_over.check(Quantity::KindAllOver, least, "detect.stacked_colour_min"))?;
        }
        if best.distance > options.doubtful_distance {
            self.has_a_rim_for_a_doubtful_colour(asked, best, case)?;
        }
        let usual = of_kind(options.kind_distance_max, "detect.kind_distance_max");
        if !usual.holds
            && let Some(strained) = self.strained(asked, face, &fits)
        {
            case.ask(of_kind(options.strained_distance, "detect.strained_distance"))?;
            return Some(strained);
        }
        if case.ask(usual).is_some() {
            return Some(Verdict::Piece { face, fits });
        }
        // Only what is plainly round is worth a warning, and no print.
        let is_plainly_round = asked.seen >= options.foreign_rim_min
            && !self.fills.iter().any(|fill| fill.touches(sight.rim.centre));
        is_plainly_round.then_some(Verdict::Foreign { face })
    }

    fn evidence(&self, asked: &Asked, best: KindFit) -> Evidence {
        /// Noise of a picture that shows none, in stops.
        const LEAST_TEXTURE: f32 = 0.02;
        let contrast = &asked.sight.contrast;
        Evidence {
            rim: f64::from(asked.seen),
            unevenness: f64::from(asked.uneven),
            over_texture: f64::from((contrast.step / self.look.least_step.max(LEAST_TEXTURE)).log2()),
            kind_distance: best.distance,
            has_hue: contrast.has_hue,
        }
    }

    /// A colour that hardly any piece has in this light needs a rim that is beyond doubt.
    fn has_a_rim_for_a_doubtful_colour(&self, asked: &Asked, best: KindFit, case: &mut Case) -> Option<()> {
        let options = self.options;
        let because = "hardly any piece has this colour in this light";
        if asked.is_like_print && asked.uneven > options.print_uneven_sure {
            let least = options.whole_rim_min;
            let check = Check::at_least(Quantity::Rim, asked.seen, least, "detect.whole_rim_min");
            case.ask(check.because(because))?;
        }
        if asked.sight.contrast.is_closer(options) {
            let most = options.doubtful_distance;
            let check =
                Check::at_most(Quantity::KindDistance, best.distance, most, "detect.doubtful_distance");
            case.ask(check.because("its rim shows in weak edges alone"))?;
        }
        let least = options.doubtful_rim_min;
        let check = Check::at_least(Quantity::Rim, asked.seen, least, "detect.doubtful_rim_min");
        case.ask(check.because(because))
    }

    /// A piece whose colour the light has changed, if that is far nearer to one kind than to any other.
    fn strained(&self, asked: &Asked, face: Stops, fits: &[KindFit]) -> Option<Verdict> {
        let options = self.options;
        let best = fits.first()?;
        let is_one_kinds =
            fits.get(1).is_none_or(|next| next.distance >= best.distance + options.strained_lead);
        let is_strained = self.is_beyond_doubt(asked)
            && best.distance <= options.strained_distance
            && self.colours.can_be_of(best.kind, face, options)
            && is_one_kinds;
        is_strained.then(|| {
            let probability = best.probability.min(options.strained_probability);
            let strained = KindFit { probability, ..*best };
            let fits = std::iter::once(strained).chain(fits.iter().skip(1).copied()).collect();
            Verdict::Piece { face, fits }
        })
    }
}

/// Fewest face samples for a colour.
pub(super) const FACE_SAMPLES_MIN: usize = 8;
