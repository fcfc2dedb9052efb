//! Where painted lines that run to a side of the board end: the surface ends there too, whatever its rails look like.
//!
//! In: a picture, a camera, the board's lines. Out: how far beside the expected border the paint is seen to end.

use super::{
    border::median,
    outline::{OutlineOptions, foot, hides_its_foot},
};
use crate::{
    board::{Board, Rail},
    camera::Camera,
    capture::Picture,
    geometry::{Paint, Point, Vector},
};

/// Lines that end this close to a side by the board file run to it.
const RUNS_TO_SIDE_MM: f64 = 1.0;
/// Distance between two places along a line, mm.
const STEP_MM: f64 = 0.25;

/// Whether lines that run to a side of the board are seen to end somewhere else: it may be another board of the same lines.
pub(super) fn end_elsewhere(
    board: &Board,
    camera: &Camera,
    picture: &Picture,
    options: &OutlineOptions,
) -> bool {
    let most_mm = options.side_off_mm + board.accuracy_mm;
    let off_mm = |rail| Ends::seen(board, rail, camera, picture, options).usual_off_mm();
    board.rails.iter().filter_map(off_mm).any(|off_mm| off_mm > most_mm)
}

/// For each line that runs to a rail and is seen to end near it: how far outward of the expected border, in mm.
pub(super) struct Ends(Vec<f64>);

impl Ends {
    pub fn seen(
        board: &Board,
        rail: &Rail,
        camera: &Camera,
        picture: &Picture,
        options: &OutlineOptions,
    ) -> Self {
        let off_mm = |line: LineEnd| {
            let border_mm = line.border_mm(board, rail, camera)?;
            Some(line.seen_mm(border_mm, camera, picture, options)? - border_mm)
        };
        Self(lines_to(board, rail).filter_map(off_mm).collect())
    }

    /// How far beside the expected border they usually are; `None` where no end is seen.
    pub fn usual_off_mm(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| median(self.0.iter().map(|off_mm| off_mm.abs())))
    }

    /// How far outward several of them are together; `None` for fewer than two, or where they do not agree.
    pub fn agreed_off_mm(&self, options: &OutlineOptions) -> Option<f64> {
        let usual_mm = median(self.0.iter().copied());
        let agree = self.0.iter().all(|off_mm| (off_mm - usual_mm).abs() <= 2.0 * options.side_off_mm);
        (self.0.len() >= 2 && agree).then_some(usual_mm)
    }
}

/// The ends at a rail of the lines that run to it.
fn lines_to(board: &Board, rail: &Rail) -> impl Iterator<Item = LineEnd> {
    let (from, _, outward) = foot(board, rail.side);
    let outward = outward.xy();
    board.lines.iter().filter_map(move |line| match line.paint {
        Paint::Stroke { from: a, to: b, width_mm } => {
            let beyond_mm = |p: Point| (p - from).dot(&outward);
            let (inner, end) = if beyond_mm(a) < beyond_mm(b) { (a, b) } else { (b, a) };
            let along = (end - inner).try_normalize(f64::MIN_POSITIVE)?;
            let runs_to_side = beyond_mm(end).abs() <= RUNS_TO_SIDE_MM;
            runs_to_side.then_some(LineEnd { end, along, width_mm })
        }
        _ => None,
    })
}

/// A line's end at a side.
struct LineEnd {
    end: Point,
    /// Unit direction, outward.
    along: Vector,
    width_mm: f64,
}

impl LineEnd {
    /// How far along the line its border is seen: from beyond a rail, its upper edge hides the end.
    fn border_mm(&self, board: &Board, rail: &Rail, camera: &Camera) -> Option<f64> {
        if !hides_its_foot(board, rail, camera) {
            return Some(0.0);
        }
        let edge = camera.image_from_board(self.end.x, self.end.y, rail.height_mm)?;
        let hidden = camera.board_from_image(edge.x, edge.y, 0.0)?;
        Some((hidden - self.end).dot(&self.along))
    }

    /// How far along the line its paint ends in the picture, looked for around `border_mm`.
    fn seen_mm(
        &self,
        border_mm: f64,
        camera: &Camera,
        picture: &Picture,
        options: &OutlineOptions,
    ) -> Option<f64> {
        let run = (options.line_end_run_mm / STEP_MM).ceil() as usize;
        let reach = (2.0 * options.line_end_reach_mm / STEP_MM).ceil() as usize;
        let first_mm = border_mm - options.line_end_reach_mm - options.line_end_run_mm;
        let at_mm = |i: usize| first_mm + i as f64 * STEP_MM;
        let darker: Vec<f64> = (0..=reach + 2 * run)
            .map(|i| self.darker(at_mm(i), camera, picture, options))
            .collect::<Option<_>>()?;
        let whole = median(darker[..run].iter().copied());
        if whole.abs() < options.line_end_step {
            return None;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let sides = |i: usize| (mean(&darker[i - run..i]) / whole, mean(&darker[i..i + run]) / whole);
        let is_an_end = |i: &usize| {
            let (before, after) = sides(*i);
            before >= options.line_end_before && after <= options.line_end_after
        };
        // Pieces on a line end it too, before its end.
        let ends: Vec<usize> = (run..=run + reach).filter(is_an_end).collect();
        let last = ends.chunk_by(|a, b| b - a == 1).next_back()?;
        let falls = |i: usize| sides(i).0 - sides(i).1;
        let end = last.iter().copied().max_by(|&a, &b| falls(a).total_cmp(&falls(b)))?;
        Some(at_mm(end) - STEP_MM / 2.0)
    }

    /// By how much the paint is darker than the surface on either side of it, in logarithms of light; less than 0 where it is
    /// lighter. `None` out of view, and where the paint is narrower than [`LEAST_WIDTH_PX`].
    fn darker(
        &self,
        along_mm: f64,
        camera: &Camera,
        picture: &Picture,
        options: &OutlineOptions,
    ) -> Option<f64> {
        let middle = self.end + self.along * along_mm;
        let mm_per_px = camera.mm_per_px(middle)?;
        if self.width_mm < LEAST_WIDTH_PX * mm_per_px {
            return None;
        }
        let aside = Vector::new(-self.along.y, self.along.x);
        let light = |off_mm: f64| {
            let at = middle + aside * off_mm;
            let seen = camera.image_from_board(at.x, at.y, 0.0)?;
            let light = picture.sample(seen.x, seen.y)?;
            Some(light.map(|value| f64::from(value + options.dark_light).ln()).iter().sum::<f64>() / 3.0)
        };
        let beside_mm = self.width_mm / 2.0 + options.blur_px * mm_per_px;
        let paint = (light(-self.width_mm / 4.0)? + light(0.0)? + light(self.width_mm / 4.0)?) / 3.0;
        Some((light(-beside_mm)? + light(beside_mm)?) / 2.0 - paint)
    }
}

/// Narrower paint does not show whether it is there.
const LEAST_WIDTH_PX: f64 = 1.5;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::board::BoardSide;

    #[test]
    fn lines_end_where_the_surface_does() {
        let photo = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("fixtures/photos/longboard-overhead/001.jpg");
        let truth = crate::evaluate::Truth::load(&photo.with_extension("json")).unwrap();
        let picture = crate::capture::load_photo(&photo, &Default::default()).unwrap();
        let options = OutlineOptions::default();
        let off_mm = |board: &Board, side: BoardSide| {
            let rail = board.rails.iter().find(|rail| rail.side == side).unwrap();
            Ends::seen(board, rail, &truth.camera(), &picture, &options).agreed_off_mm(&options).unwrap()
        };
        let mut board = Board::named_or_at(&truth.board).unwrap();
        for side in [BoardSide::Left, BoardSide::Right] {
            assert!(off_mm(&board, side).abs() < 1.0, "{side:?}: {:.2} mm", off_mm(&board, side));
        }
        assert!(!end_elsewhere(&board, &truth.camera(), &picture, &options));

        // The same lines on a board that is 12 mm wider to the right.
        let width_mm = board.surface.width_mm;
        board.surface.width_mm += 12.0;
        for line in &mut board.lines {
            if let Paint::Stroke { from, to, .. } = &mut line.paint {
                [from, to].into_iter().filter(|p| p.x == width_mm).for_each(|p| p.x += 12.0);
            }
        }
        assert!(
            (off_mm(&board, BoardSide::Right) + 12.0).abs() < 1.0,
            "{:.2}",
            off_mm(&board, BoardSide::Right)
        );
        assert!(end_elsewhere(&board, &truth.camera(), &picture, &options));
    }
}
