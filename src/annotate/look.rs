//! What is drawn on the board: expected lines, rims, gaps, and what they say.

use nalgebra::Point3;

use super::{
    AnnotateOptions,
    label::{Box2, Labels},
    project::{Projection, circle, curves, paint_edges, segment},
};
use crate::{
    board::Board,
    calls::{ContactCall, PieceState},
    draw::{Align, Ink, Style, Svg, TextStyle, text_width},
    geometry::Point,
    score::{PieceReport, Scored, Seen},
};

pub(super) const CLEAR: Ink = Ink::rgb(63, 214, 106);
pub(super) const TOUCHING: Ink = Ink::rgb(255, 84, 78);
pub(super) const TOO_CLOSE: Ink = Ink::rgb(255, 190, 20);
const NOT_CALLED: Ink = Ink::rgb(190, 190, 190);
pub(super) const EXPECTED: Ink = Ink::rgb(0, 214, 255);
pub(super) const PANEL: Ink = Ink::rgb(14, 17, 22).alpha(0.78);

/// Units across the shorter side of a picture at least: keeps labels small on long, narrow boards.
const NARROWEST_UNITS: f64 = 560.0;

/// Widths and sizes for a drawing of a certain size.
pub(super) struct Look<'a> {
    pub(super) options: &'a AnnotateOptions,
    pub(super) unit: f64,
}

/// The colour of a piece's call.
pub(super) fn ink(piece: &PieceReport) -> Ink {
    if piece.is_close() || piece.p_exists < SURE {
        return TOO_CLOSE;
    }
    match (piece.state, piece.contact.as_ref().map(|contact| contact.call)) {
        (PieceState::Dead | PieceState::Off | PieceState::Stacked, _) => NOT_CALLED,
        (_, Some(ContactCall::Touching)) => TOUCHING,
        _ => CLEAR,
    }
}

/// The ends of a piece's gap: on the rim, and on the paint's edge as it was seen.
pub(super) fn gap_ends(
    board: &Board,
    seen: &Seen,
    piece: &PieceReport,
    scored: &Scored,
) -> Option<[Point; 2]> {
    let contact = piece.contact.as_ref()?;
    let line = board.lines_at(scored.report.end).find(|line| line.name == contact.line)?;
    let centre = seen.measurement.centre;
    let outward = line.paint.outward(centre);
    let rim = centre - outward * board.pieces[seen.candidate.kind].radius_mm();
    Some([rim, rim - outward * contact.gap_mm])
}

impl<'a> Look<'a> {
    pub(super) fn new(size: [f64; 2], options: &'a AnnotateOptions) -> Self {
        let (long, short) = (size[0].max(size[1]), size[0].min(size[1]));
        Self { options, unit: (long / 1000.0).min(short / NARROWEST_UNITS) }
    }

    /// The board as its file describes it: paint edges, surface, pockets, names of areas.
    pub(super) fn expected_lines(&self, svg: &mut Svg, projection: &dyn Projection, board: &Board) {
        let width = self.options.line_units * self.unit;
        let thin = Style::stroked(EXPECTED.alpha(0.75), width);
        let mut draw = |points: &[Point], style: &Style| {
            for part in curves(projection, points.iter().copied(), 0.0) {
                svg.polyline(&part, style);
            }
        };
        for line in &board.lines {
            for edge in paint_edges(&line.paint) {
                draw(&edge, &thin);
            }
        }
        let dashed = thin.clone().dashed(&[6.0 * self.unit, 4.0 * self.unit]);
        let corners = board.corners();
        for i in 0..corners.len() {
            let side: Vec<Point> = segment(corners[i], corners[(i + 1) % corners.len()]).collect();
            draw(&side, &dashed);
        }
        for pocket in &board.pockets {
            draw(&circle(pocket.centre, pocket.radius_mm).collect::<Vec<_>>(), &dashed);
        }
        let style = TextStyle::new(self.options.text_units * self.unit)
            .ink(EXPECTED.alpha(0.9))
            .align(Align::Middle)
            .halo(Ink::BLACK.alpha(0.45), 2.0 * self.unit);
        for area in &board.areas {
            let vertices = area.polygon.vertices();
            let sum = vertices.iter().fold(nalgebra::Vector2::zeros(), |sum, p| sum + p.coords);
            let middle = Point::from(sum / vertices.len().max(1) as f64);
            if let Some(at) = projection.on_surface(middle) {
                svg.text(at, &area.name, &style);
            }
        }
    }

    /// Rims and gaps; their places are kept free of labels.
    pub(super) fn pieces(
        &self,
        svg: &mut Svg,
        labels: &mut Labels,
        projection: &dyn Projection,
        board: &Board,
        scored: &Scored,
    ) {
        let rim = self.options.rim_units * self.unit;
        for (piece, seen) in scored.report.pieces.iter().zip(&scored.seen) {
            let kind = &board.pieces[seen.candidate.kind];
            let (centre, base_mm) = (seen.measurement.centre, seen.candidate.base_mm);
            let ink = ink(piece);
            let top = curves(projection, circle(centre, kind.radius_mm()), base_mm + kind.height_mm);
            for part in top {
                svg.polyline(&part, &Style::stroked(Ink::WHITE.alpha(0.8), rim * 0.5));
            }
            for part in curves(projection, circle(centre, kind.radius_mm()), base_mm) {
                svg.polyline(&part, &Style::stroked(Ink::BLACK.alpha(0.35), rim * 1.7));
                svg.polyline(&part, &Style::stroked(ink, rim));
            }
            if let Some((at, radius)) = self.shown_at(projection, seen, kind.height_mm, kind.radius_mm()) {
                labels.reserve(Box2::around(at, [2.0 * radius; 2]));
                self.name(svg, at, radius, piece);
            }
            self.gap(svg, projection, board, scored, piece, seen);
        }
    }

    /// Round things that were not taken for pieces: a dashed circle of a piece's size, and why.
    pub(super) fn foreign(
        &self,
        svg: &mut Svg,
        labels: &mut Labels,
        projection: &dyn Projection,
        board: &Board,
        scored: &Scored,
    ) {
        let Some(kind) = board.pieces.first() else { return };
        let width = self.options.rim_units * self.unit;
        let style = Style::stroked(NOT_CALLED, width).dashed(&[4.0 * self.unit, 3.0 * self.unit]);
        for thing in &scored.report.foreign {
            let centre = Point::new(thing.x_mm, thing.y_mm);
            for part in curves(projection, circle(centre, kind.radius_mm()), kind.height_mm) {
                svg.polyline(&part, &style);
            }
            let place = |x_mm: f64| projection.place(Point3::new(x_mm, centre.y, kind.height_mm));
            if let (Some(at), Some(side)) = (place(centre.x), place(centre.x + kind.radius_mm())) {
                let radius = (side[0] - at[0]).hypot(side[1] - at[1]);
                labels.reserve(Box2::around(at, [2.0 * radius; 2]));
                self.label(svg, labels, at, radius, [0.0, -1.0], foreign_words(&thing.reason), NOT_CALLED);
            }
        }
    }

    /// Middle and radius of the top face in the drawing.
    fn shown_at(
        &self,
        projection: &dyn Projection,
        seen: &Seen,
        height_mm: f64,
        radius_mm: f64,
    ) -> Option<([f64; 2], f64)> {
        let centre = seen.measurement.centre;
        let z_mm = seen.candidate.base_mm + height_mm;
        let at = projection.place(Point3::new(centre.x, centre.y, z_mm))?;
        let side = projection.place(Point3::new(centre.x + radius_mm, centre.y, z_mm))?;
        Some((at, (side[0] - at[0]).hypot(side[1] - at[1])))
    }

    fn name(&self, svg: &mut Svg, at: [f64; 2], radius: f64, piece: &PieceReport) {
        let size = (self.options.text_units * self.unit).min(radius * 1.1);
        let style = TextStyle::new(size)
            .ink(Ink::WHITE)
            .bold()
            .align(Align::Middle)
            .halo(Ink::BLACK.alpha(0.7), size * 0.22);
        svg.text([at[0], at[1] + size * 0.36], &piece.id.to_string(), &style);
    }

    fn is_gap_drawn(&self, piece: &PieceReport) -> bool {
        let widest_mm = self.options.widest_gap_mm;
        piece.contact.as_ref().is_some_and(|contact| contact.gap_mm.abs() <= widest_mm)
    }

    /// The gap from the rim to the paint.
    fn gap(
        &self,
        svg: &mut Svg,
        projection: &dyn Projection,
        board: &Board,
        scored: &Scored,
        piece: &PieceReport,
        seen: &Seen,
    ) {
        let Some(ends) = gap_ends(board, seen, piece, scored).filter(|_| self.is_gap_drawn(piece)) else {
            return;
        };
        let [Some(rim), Some(paint)] = ends.map(|end| projection.on_surface(end)) else { return };
        let width = self.options.rim_units * self.unit;
        svg.line(rim, paint, &Style::stroked(Ink::BLACK.alpha(0.5), width * 1.8));
        svg.line(rim, paint, &Style::stroked(ink(piece), width));
        svg.circle(rim, width * 1.3, &Style::filled(ink(piece)));
        svg.circle(paint, width * 1.3, &Style::filled(EXPECTED));
    }

    /// What each piece's call says, beside it.
    pub(super) fn labels(
        &self,
        svg: &mut Svg,
        labels: &mut Labels,
        projection: &dyn Projection,
        board: &Board,
        scored: &Scored,
    ) {
        for (piece, seen) in scored.report.pieces.iter().zip(&scored.seen) {
            let kind = &board.pieces[seen.candidate.kind];
            let Some((at, radius)) = self.shown_at(projection, seen, kind.height_mm, kind.radius_mm()) else {
                continue;
            };
            let ends = gap_ends(board, seen, piece, scored).filter(|_| self.is_gap_drawn(piece));
            let words = label_words(piece, ends.is_some());
            if words.is_empty() {
                continue;
            }
            let toward = ends
                .and_then(|[rim, _]| projection.on_surface(rim))
                .map_or([0.0, -1.0], |rim| unit([rim[0] - at[0], rim[1] - at[1]]));
            self.label(svg, labels, at, radius, toward, &words, ink(piece));
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn label(
        &self,
        svg: &mut Svg,
        labels: &mut Labels,
        at: [f64; 2],
        radius: f64,
        toward: [f64; 2],
        words: &str,
        ink: Ink,
    ) {
        let text = self.options.text_units * self.unit;
        let size = [text_width(words, text, true) + text, text * 1.5];
        let middle = labels.place(at, radius * 1.15, size, toward);
        let corner = [middle[0] - size[0] / 2.0, middle[1] - size[1] / 2.0];
        let direction = unit([middle[0] - at[0], middle[1] - at[1]]);
        let leader = Style::stroked(ink.alpha(0.8), 0.8 * self.unit);
        svg.line([at[0] + direction[0] * radius, at[1] + direction[1] * radius], middle, &leader);
        svg.rounded_rectangle(
            corner,
            size,
            text * 0.3,
            &Style::filled(PANEL).with_stroke(ink, 0.8 * self.unit),
        );
        let style = TextStyle::new(text).ink(Ink::WHITE).bold().align(Align::Middle);
        svg.text([middle[0], middle[1] + text * 0.36], words, &style);
    }
}

/// From this probability on nobody needs to ask whether a piece is there.
const SURE: f64 = 0.99;

/// Why a round thing is not scored.
fn foreign_words(reason: &str) -> &'static str {
    match reason {
        "too-many" => "one too many: not scored",
        "print" => "print? not scored",
        "unclear" => "a piece? not scored",
        _ => "unknown colour: not scored",
    }
}

/// Area and gap of a piece in a few signs.
fn label_words(piece: &PieceReport, with_gap: bool) -> String {
    let what = match (piece.state, &piece.area, piece.placement) {
        (PieceState::Dead, ..) => Some("dead".to_owned()),
        (PieceState::Off, ..) => Some("off".to_owned()),
        (PieceState::Stacked, ..) => Some("stacked".to_owned()),
        (_, _, Some(placement)) => {
            serde_json::to_value(placement).ok().and_then(|v| Some(v.as_str()?.to_owned()))
        }
        (_, area, None) => area.clone(),
    };
    let gap = piece.contact.as_ref().filter(|_| with_gap).map(|contact| {
        let sign = if contact.gap_mm < 0.0 { "−" } else { "+" };
        format!("{sign}{:.2} ± {:.2}", contact.gap_mm.abs(), contact.sigma_mm)
    });
    let doubt = (piece.p_exists < SURE).then(|| format!("there with {:.0} %", piece.p_exists * 100.0));
    [what, gap, doubt].into_iter().flatten().collect::<Vec<_>>().join("  ")
}

fn unit(v: [f64; 2]) -> [f64; 2] {
    let length = v[0].hypot(v[1]);
    if length > 0.0 { [v[0] / length, v[1] / length] } else { [0.0, -1.0] }
}
