//! A frame of pucks, shared by the three shuffleboard games: raw pieces in, validated pucks out.
//!
//! A puck comes by its position, which is called by the same module that calls photos, or by the
//! area that a person saw it in.

use std::cell::OnceCell;

use super::{
    BySide, Setup, Side,
    event::{FrameEvent, FramePiece},
    pucks::{Counting, Place, Puck, PuckOutcome, Pucks},
    reason::{Reason, Reasons},
};
use crate::{
    board::{Area, Board, End, PieceKind},
    calls::{self, CallOptions, Lying, Meeting, PieceState, Sighting},
    geometry::Point,
};

/// More pieces than any waiver allows; keeps the number of outcomes within bounds.
const MOST_PIECES: usize = 64;

/// A puck can leave the board; a position farther off than this, in mm, is a mistake.
const FARTHEST_OFF_MM: f64 = 300.0;

/// A greater sigma, in mm, says nothing about where on the board a piece lies.
const GREATEST_SIGMA_MM: f64 = 1000.0;

/// Checks a frame and calls its pieces. `colours` are those that the sides play at the moment.
pub(super) fn validate(
    event: &FrameEvent,
    setup: &Setup,
    colours: &BySide<String>,
    counting: Counting,
    reasons: &mut Reasons<'_>,
) -> Pucks {
    let mut pucks = Pucks::new(counting, event.pieces.len().min(MOST_PIECES));
    if event.pieces.len() > MOST_PIECES {
        reasons.add(Reason::CrowdedFrame { found: event.pieces.len(), at_most: MOST_PIECES });
        return pucks;
    }
    let mut found = BySide::<usize>::default();
    let mut meetings = Vec::new();
    let area_lines = OnceCell::new();
    for (index, piece) in event.pieces.iter().enumerate() {
        let Some(side) = side_of(&piece.colour, colours, reasons) else { continue };
        found[side] += 1;
        let kind = setup.kind_of(side, &colours[side]);
        let number = index + 1;
        let checker = PieceCheck {
            number,
            piece,
            side,
            kind,
            setup,
            end: event.end,
            counting,
            area_lines: &area_lines,
        };
        if let Some(puck) = checker.puck(reasons, &mut meetings) {
            pucks.push(puck);
        }
    }
    for (side, found) in found.iter() {
        let at_most = setup.kind_of(side, &colours[side]).count;
        if *found > at_most {
            let colour = colours[side].clone();
            reasons.add(Reason::TooManyPieces { colour, found: *found, at_most });
        }
    }
    if let Some((one, two)) = pucks.open_order().filter(|_| reasons.is_empty()) {
        let name = |index: usize| format!("piece {} ({})", index + 1, event.pieces[index].colour);
        reasons.add(Reason::OrderOpen { first: name(one), second: name(two) });
    }
    pucks
}

/// The side that plays a colour.
pub(super) fn side_of(colour: &str, colours: &BySide<String>, reasons: &mut Reasons<'_>) -> Option<Side> {
    let side = colours.find(|c| c == colour);
    if side.is_none() {
        let expected = format!("{:?} or {:?}", colours.first, colours.second);
        reasons.add(Reason::UnknownColour { found: colour.to_owned(), expected });
    }
    side
}

/// Finds an area of the board by name; the name of hanging pieces counts where the board has one.
pub(super) fn area_value(
    board: &Board,
    end: End,
    name: &str,
    piece: usize,
    reasons: &mut Reasons<'_>,
) -> Option<i32> {
    let hanging = board.hanging.as_ref().filter(|hanging| hanging.area == name).map(|h| h.value);
    let value = board.areas_at(end).find(|area| area.name == name).map(|area| area.value).or(hanging);
    if value.is_none() {
        let names = board.areas_at(end).map(|area| area.name.as_str());
        let hanging = board.hanging.as_ref().map(|hanging| hanging.area.as_str());
        let expected = names.chain(hanging).collect::<Vec<_>>().join(", ");
        reasons.add(Reason::UnknownArea { piece, found: name.to_owned(), expected });
    }
    value
}

/// One piece of a frame while it is checked.
struct PieceCheck<'a> {
    /// Its number in the frame, from 1.
    number: usize,
    piece: &'a FramePiece,
    side: Side,
    kind: &'a PieceKind,
    setup: &'a Setup,
    end: End,
    counting: Counting,
    /// Made when a piece's area is first asked for.
    area_lines: &'a OnceCell<Vec<AreaLine<'a>>>,
}

impl<'a> PieceCheck<'a> {
    fn puck(&self, reasons: &mut Reasons<'_>, meetings: &mut Vec<Meeting>) -> Option<Puck> {
        let (piece, number) = (self.piece, self.number);
        if piece.banked.is_some() && !self.setup.options.bank {
            reasons.add(Reason::GoesWith { piece: number, field: "banked", with: "the option bank" });
        }
        let wrong = |found| Reason::PositionOrArea { piece: number, found };
        let puck = match (piece.x_mm, piece.y_mm, &piece.area) {
            (Some(x_mm), Some(y_mm), None) => self.by_position(x_mm, y_mm, reasons, meetings),
            (None, None, Some(area)) => self.by_area(area.as_deref(), reasons),
            (None, None, None) => {
                reasons.add(wrong("neither"));
                None
            }
            (_, _, Some(_)) => {
                reasons.add(wrong("both"));
                None
            }
            _ => {
                reasons.add(wrong("only one of x_mm and y_mm"));
                None
            }
        }?;
        // N7: a rock that touched no bank is dead, wherever it came to rest.
        if piece.banked == Some(false) {
            return Some(Puck::sure(self.side, PuckOutcome::gone(PieceState::Dead), puck.place));
        }
        Some(puck)
    }

    fn by_position(
        &self,
        x_mm: f64,
        y_mm: f64,
        reasons: &mut Reasons<'_>,
        meetings: &mut Vec<Meeting>,
    ) -> Option<Puck> {
        let (piece, board) = (self.number, &*self.setup.board);
        if self.piece.touching.is_some() {
            reasons.add(Reason::GoesWith { piece, field: "touching", with: "an area" });
        }
        let lying = lying(Point::new(x_mm, y_mm), self.piece.sigma_mm, piece, board, reasons)?;
        let (radius_mm, options) = (self.kind.radius_mm(), CallOptions::default());
        let outlook = calls::outlook(board, self.end, &lying, radius_mm, &options, meetings);
        Some(Puck::told(self.side, &outlook, &lying, board, self.end))
    }

    fn by_area(&self, name: Option<&str>, reasons: &mut Reasons<'_>) -> Option<Puck> {
        let (piece, board) = (self.number, &*self.setup.board);
        if self.piece.sigma_mm.is_some() {
            reasons.add(Reason::GoesWith { piece, field: "sigma_mm", with: "a position" });
        }
        let touching = self.piece.touching == Some(true);
        let Some(name) = name else {
            // In no area: lying beside them, dead or gone. On the long board that is out of play.
            let nowhere = PuckOutcome { touching, ..PuckOutcome::gone(PieceState::Live) };
            let dead = PuckOutcome::gone(PieceState::Dead);
            let outcome = if self.counting == Counting::Leaders { dead } else { nowhere };
            return Some(Puck::sure(self.side, outcome, Place::Nowhere));
        };
        let value = area_value(board, self.end, name, piece, reasons)?;
        let radius_mm = self.kind.radius_mm();
        let area_lines = self.area_lines.get_or_init(|| area_lines(&self.setup.board, self.end));
        let stretches = Stretches { board, radius_mm, area_lines };
        if board.hanging.as_ref().is_some_and(|hanging| hanging.area == name) {
            if touching {
                reasons.add(Reason::GoesWith { piece, field: "touching", with: "an area that has a line" });
            }
            let outcome =
                PuckOutcome { value, state: PieceState::Hanging, touching: false, probability: 1.0 };
            return Some(Puck::sure(self.side, outcome, stretches.hanging()));
        }
        let area = board.areas_at(self.end).find(|area| area.name == name)?;
        let live = PuckOutcome { value, state: PieceState::Live, touching, probability: 1.0 };
        let outcome = match (&area.clears, touching) {
            (_, false) => live,
            (None, true) => PuckOutcome { value: 0, ..live },
            // L4: touching an area's own line, it scores in the area before; touching the foul line
            // there is none before, and it is not live.
            (Some(_), true) => match stretches.before(area) {
                Some(before) => PuckOutcome { value: before.value, ..live },
                None => PuckOutcome { touching, ..PuckOutcome::gone(PieceState::Dead) },
            },
        };
        Some(Puck::sure(self.side, outcome, stretches.of(area, touching)))
    }
}

/// A position that was told, checked. `kind` names the piece in the board file.
pub(super) fn sighting(
    kind: &str,
    centre: Point,
    sigma_mm: Option<f64>,
    piece: usize,
    board: &Board,
    reasons: &mut Reasons<'_>,
) -> Option<Sighting> {
    lying(centre, sigma_mm, piece, board, reasons)?;
    Some(Sighting::with_sigma(kind, centre, sigma_mm.unwrap_or(0.0)))
}

/// The same without its kind.
fn lying(
    centre: Point,
    sigma_mm: Option<f64>,
    piece: usize,
    board: &Board,
    reasons: &mut Reasons<'_>,
) -> Option<Lying> {
    let sigma_mm = sigma_mm.unwrap_or(0.0);
    if !(0.0..=GREATEST_SIGMA_MM).contains(&sigma_mm) {
        let expected = "a length from 0 to 1000";
        reasons.add(Reason::NotALength { piece, field: "sigma_mm", value: sigma_mm, expected });
        return None;
    }
    for (field, value) in [("x_mm", centre.x), ("y_mm", centre.y)] {
        if !value.is_finite() {
            reasons.add(Reason::NotALength { piece, field, value, expected: "a number" });
            return None;
        }
    }
    let beyond = |value: f64, size_mm: f64| (value - value.clamp(0.0, size_mm)).abs();
    let beyond_mm = beyond(centre.x, board.surface.width_mm).hypot(beyond(centre.y, board.surface.length_mm));
    if beyond_mm > FARTHEST_OFF_MM {
        reasons.add(Reason::OffTheBoard { piece, x_mm: centre.x, y_mm: centre.y, beyond_mm });
    }
    Some(Lying::with_sigma(centre, sigma_mm))
}

/// Which stretch of the board's length a piece's centre is in when only its area is known. Areas
/// without a line of their own (the court's) have no order and no stretch.
struct Stretches<'a> {
    board: &'a Board,
    radius_mm: f64,
    area_lines: &'a [AreaLine<'a>],
}

/// An area that is entered over a line of its own.
#[derive(Debug)]
struct AreaLine<'a> {
    area: &'a Area,
    /// Where the middle of the line lies along the board, and half its paint's width.
    along_mm: f64,
    half_mm: f64,
}

/// The areas at an end that have a line of their own.
fn area_lines<'b>(board: &'b Board, end: End) -> Vec<AreaLine<'b>> {
    let across = Point::new(board.surface.width_mm / 2.0, 0.0);
    let own_line = |area: &'b Area| {
        let name = area.clears.as_ref()?;
        let line = board.lines_at(end).find(|line| line.name == *name)?;
        let along_mm = Place::along_mm(line.paint.nearest_on_middle(across), board, end);
        Some(AreaLine { area, along_mm, half_mm: line.paint.width_mm() / 2.0 })
    };
    board.areas_at(end).filter_map(own_line).collect()
}

impl<'a> Stretches<'a> {
    /// The middle of an area's line, and from there to its paint's edge plus the radius: where a centre
    /// touches.
    fn line(&self, area: &Area) -> Option<(f64, f64)> {
        let own = self.area_lines.iter().find(|line| std::ptr::eq(line.area, area))?;
        Some((own.along_mm, own.half_mm + self.radius_mm))
    }

    fn of(&self, area: &Area, touching: bool) -> Place {
        let Some((line_mm, reach_mm)) = self.line(area) else { return Place::Nowhere };
        if touching {
            return Place::Between { from_mm: line_mm - reach_mm, to_mm: line_mm + reach_mm };
        }
        let next = self.lines().filter(|(mm, _)| *mm > line_mm).map(|(mm, reach_mm)| mm - reach_mm);
        let hanging_from_mm = self.board.surface.length_mm - self.radius_mm;
        Place::Between { from_mm: line_mm + reach_mm, to_mm: next.fold(hanging_from_mm, f64::min) }
    }

    fn hanging(&self) -> Place {
        let length_mm = self.board.surface.length_mm;
        Place::Between { from_mm: length_mm - self.radius_mm, to_mm: length_mm }
    }

    fn lines(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.area_lines.iter().map(|line| (line.along_mm, line.half_mm + self.radius_mm))
    }

    /// The area that lies before another one.
    fn before(&self, area: &Area) -> Option<&'a Area> {
        let (line_mm, _) = self.line(area)?;
        let before = self.area_lines.iter().filter(|line| line.along_mm < line_mm);
        before.max_by(|a, b| a.along_mm.total_cmp(&b.along_mm)).map(|line| line.area)
    }
}
