//! A board is learned from photos, not typed from a tape.
//!
//! In: photos of a table that no board file describes, a template of its kind, and one length by tape. Out: a [`Board`]
//! with the template's structure (names, roles, areas, pieces) and the photo's numbers, with how well each is known.
//!
//! The way: the surface is found by its outline and brought to the template's size (`surface`); seen from straight above
//! (`plane`) its lines and circles are matched with the template's (`lines`, `circles`, `print`); what makers repeat
//! on every side is put together (`alike`, `consensus`); the camera is fitted to what was found, and all is looked at
//! again from there. Then pockets, pieces, colours and print that the template has not.

mod alike;
mod assemble;
mod circles;
mod consensus;
mod discs;
mod drawing;
mod extra;
mod joints;
mod lines;
mod options;
mod plane;
mod pockets;
mod print;
mod roundness;
mod sizes;
mod strokes;
mod surface;
mod words;

use rayon::prelude::*;

use crate::{
    board::{Board, BoardNotes, End},
    camera::{Camera, Pixel},
    capture::Picture,
    geometry::{Paint, Point},
    outline::Lab,
    register::{CameraPrior, Method, Registration, refine, register_by_lines},
};
use alike::Alike;
use consensus::Known;
use discs::{Disc, LearnedPieces};
use lines::{Reach, Sought};
use plane::Plane;
use print::Seen;
use surface::First;

pub use drawing::learned_drawing;
pub use options::LearnOptions;

/// One length that a person measured, in mm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tape {
    /// The playing surface, across.
    Width(f64),
    /// The playing surface, along.
    Length(f64),
    /// A piece's diameter.
    Piece(f64),
}

/// What is learned from, beside the pictures.
#[derive(Debug, Clone, Default)]
pub struct LearnRequest {
    /// The one length by tape; without it the usual size of that kind of board.
    pub tape: Option<Tape>,
    /// The surface's corners in the first picture, as `score --corners` takes them.
    pub corners: Option<[Pixel; 4]>,
    /// The new board's id and name.
    pub id: String,
    pub name: String,
}

/// A learned board.
#[derive(Debug, Clone)]
pub struct Learned {
    pub board: Board,
    /// What the board file says beside its numbers.
    pub notes: BoardNotes,
    /// Where the camera stood, for each picture that was used.
    pub cameras: Vec<Option<Camera>>,
    /// What became of each part of the template, and what was taken up, a line each, for people.
    pub said: Vec<String>,
    /// How plainly the pictures show the template's print, from 0 to 1: the share of it that was found.
    pub found: f64,
}

/// Why a board could not be learned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LearnError {
    #[error("no playing surface was found: {reason}")]
    NoSurface { reason: String },
    #[error("the learned board does not hold: {reason}")]
    Invalid { reason: String },
}

/// Learns a board of the template's kind from pictures of it.
pub fn learn(
    pictures: &[Picture],
    template: &Board,
    request: &LearnRequest,
    options: &LearnOptions,
) -> Result<Learned, LearnError> {
    let mut views: Vec<Result<View, LearnError>> = Vec::new();
    for (index, picture) in pictures.iter().enumerate() {
        let corners = request.corners.filter(|_| index == 0);
        let request = LearnRequest { corners, ..request.clone() };
        views.push(View::of(picture, template, &request, options));
    }
    let used: Vec<&View> = views.iter().flatten().collect();
    let Some(best) = used.iter().max_by(|a, b| a.found().total_cmp(&b.found())) else {
        let first = views.into_iter().find_map(Result::err);
        return Err(
            first.unwrap_or_else(|| LearnError::NoSurface { reason: "there is no picture".to_owned() })
        );
    };
    let known = together(best, &used, options);
    let mut learned = best.learned(&known, template, request, options)?;
    learned.cameras = views.iter().map(|view| view.as_ref().ok().map(|view| view.camera)).collect();
    find_itself(pictures, &mut learned, options);
    Ok(learned)
}

/// A learned board must be found again in the picture that it was learned from. Where lines that are worn or doubtful stand in
/// the way, the file says that they may be missing.
fn find_itself(pictures: &[Picture], learned: &mut Learned, options: &LearnOptions) {
    let used =
        pictures.iter().zip(&learned.cameras).find_map(|(picture, camera)| Some((picture, camera.as_ref()?)));
    let Some((picture, camera)) = used else { return };
    let doubted = |board: &Board| {
        let mut board = board.clone();
        board.lines.iter_mut().for_each(|line| line.optional = true);
        board
    };
    let is_found = |board: &Board| {
        let found =
            register_by_lines(picture, board, &CameraPrior::default(), &options.find, &options.refine);
        found.is_ok_and(|found| is_same_place(board, camera, &found.camera, options))
    };
    let tries = [learned.board.clone(), doubted(&learned.board)];
    match tries.into_iter().find(is_found) {
        Some(board) => learned.board = board,
        None => learned.said.push(
            "in this photo the board is not found by itself again: score with --corners, or learn from a plainer photo"
                .to_owned(),
        ),
    }
}

/// Whether two cameras see the surface in one place, or the same turned about.
fn is_same_place(board: &Board, one: &Camera, other: &Camera, options: &LearnOptions) -> bool {
    let reach_mm = options.reach_share * board.surface.width_mm;
    let middle = Point::new(board.surface.width_mm / 2.0, board.surface.length_mm / 2.0);
    let seen = board
        .corners()
        .into_iter()
        .map(|p| middle + (p - middle) * 0.9)
        .filter(|p| surface::is_seen(one, *p));
    let far_mm = |p: Point| {
        let at = one.image_from_board(p.x, p.y, 0.0)?;
        let back = other.board_from_image(at.x, at.y, 0.0)?;
        board.corners().map(|q| (middle + (q - middle) * 0.9 - back).norm()).into_iter().reduce(f64::min)
    };
    let mut all = seen.peekable();
    all.peek().is_none() || all.all(|p| far_mm(p).is_some_and(|mm| mm < 2.0 * reach_mm))
}

/// What one picture shows.
struct View {
    camera: Camera,
    first: First,
    /// The board as it is known from this picture.
    board: Board,
    sought: Vec<Sought<Seen>>,
    known: Vec<Option<Known>>,
    wood: Lab,
    discs: Vec<Disc>,
    pieces: LearnedPieces,
    prints: Vec<crate::board::Print>,
    /// Root mean square of what the camera leaves unexplained, px.
    rms_px: Option<f64>,
}

impl View {
    fn of(
        picture: &Picture,
        template: &Board,
        request: &LearnRequest,
        options: &LearnOptions,
    ) -> Result<View, LearnError> {
        let mut board = surface::sized(template, request);
        let firsts = surface::first_cameras(picture, &board, request, options)?;
        let alike = Alike::of(&board);
        let first = best_first(picture, &board, &alike, firsts, Reach::Wide, options)?;
        if first.is_one_end {
            board.surface.unseen = Some(End::Near);
        }
        let mut camera = first.camera;
        if request.corners.is_none() {
            let plane = plane_of(picture, &camera, &board, options.rough_cells).ok_or_else(out_of_view)?;
            if let Some(inner) = surface::within_gutter(&plane, &board, &camera, options) {
                let outer = first.clone();
                let both = vec![First { overlap: outer.overlap, camera: inner, ..outer.clone() }, outer];
                camera = best_first(picture, &board, &alike, both, Reach::Wide, options)?.camera;
            }
        }
        if first.is_one_end {
            camera = roundness::rounding_camera(picture, &camera, &board, options).unwrap_or(camera);
        }
        let mut known: Vec<Option<Known>> = Vec::new();
        let mut sought = Vec::new();
        let mut rms_px = None;
        for round in 0..options.rounds {
            let plane = plane_of(picture, &camera, &board, options.most_cells).ok_or_else(out_of_view)?;
            let reach = if round == 0 { Reach::Wide } else { Reach::Near };
            sought = print::look(&plane, &board, reach, options);
            let near_mm = reach.share(options) * board.surface.width_mm * 0.5;
            known = consensus::agreed(&board, &alike, &sought, near_mm);
            board = assemble::moved_board(&board, &known);
            if let Some(better) = fitted(picture, &board, &known, &camera, options) {
                (camera, rms_px) = (better.camera, Some(better.rms_px));
            }
        }
        let plane = plane_of(picture, &camera, &board, options.most_cells).ok_or_else(out_of_view)?;
        let wood = plane.usual_colour().ok_or_else(out_of_view)?;
        board.pockets = pockets::learned(&plane, &board, options);
        let discs = discs::discs_on(&plane, &board, wood, options);
        let wanted = assemble::expected_colours(template, wood);
        let pieces = discs::pieces_of(&discs, &board, &wanted, options);
        let pieces = sizes::with_seen_rims(pieces, picture, &camera, &board, &discs, options);
        let prints = extra::extra_prints(&plane, &board, wood, &discs, options);
        Ok(View { camera, first, board, sought, known, wood, discs, pieces, prints, rms_px })
    }

    /// How many parts of the template would be in view.
    fn in_view(&self) -> usize {
        self.sought.iter().filter(|sought| !matches!(sought, Sought::NotInView)).count()
    }

    /// How many of them were seen.
    fn seen(&self) -> usize {
        self.known.iter().flatten().filter(|known| known.is_seen).count()
    }

    /// Share of the template's print in view that was found.
    fn found(&self) -> f64 {
        self.seen() as f64 / self.in_view().max(1) as f64
    }

    fn learned(
        &self,
        known: &[Option<Known>],
        template: &Board,
        request: &LearnRequest,
        options: &LearnOptions,
    ) -> Result<Learned, LearnError> {
        let mut board = assemble::moved_board(&self.board, known);
        (board.id, board.name) = (request.id.clone(), request.name.clone());
        let accuracy_mm = self.accuracy_mm(known, request, options);
        board.accuracy_mm = accuracy_mm;
        // It is this maker's board from now on.
        board.tolerance_mm = 0.0;
        board.surface.colour = plane::colour_of(self.wood);
        let in_view: Vec<bool> =
            self.sought.iter().map(|sought| !matches!(sought, Sought::NotInView)).collect();
        let said = words::said(template, &board, known, &in_view, self, request);
        assemble::settle_lines(&mut board, known, &in_view, self.wood, options);
        assemble::settle_pieces(&mut board, &self.pieces, options.least_accuracy_mm);
        board.prints.extend(self.prints.iter().cloned());
        if let Some(Tape::Piece(mm)) = request.tape
            && let Some(seen_mm) = self.pieces.diameter_mm
        {
            board = surface::scaled(&board, mm / seen_mm);
            board.pieces.iter_mut().for_each(|kind| kind.diameter_mm *= mm / seen_mm);
        }
        let notes = words::notes(&board, template, request, &said);
        let text = board.to_toml(&notes);
        let board = Board::parse(&text, std::path::Path::new(&request.id))
            .map_err(|error| LearnError::Invalid { reason: error.to_string() })?;
        Ok(Learned { board, notes, cameras: Vec::new(), said, found: self.found() })
    }

    /// How well the board's places are known, on the whole.
    fn accuracy_mm(&self, known: &[Option<Known>], request: &LearnRequest, options: &LearnOptions) -> f64 {
        let spread = plane::median(known.iter().flatten().map(|known| known.spread_mm)).unwrap_or(0.0);
        let cut = if self.first.cut_sides > 0 { options.cut_share } else { 0.0 };
        let usual = if request.tape.is_none() { options.usual_share } else { 0.0 };
        let share =
            cut.max(usual).max(if self.known.iter().flatten().count() < 3 { options.cut_share } else { 0.0 });
        (share * self.board.surface.width_mm).hypot(spread).max(options.least_accuracy_mm)
    }
}

fn out_of_view() -> LearnError {
    LearnError::NoSurface { reason: "too little of it is in the picture".to_owned() }
}

/// What all pictures say together: of what several know, the mean in the first one's frame.
fn together(best: &View, views: &[&View], options: &LearnOptions) -> Vec<Option<Known>> {
    let sought: Vec<Vec<Sought<Seen>>> = views.iter().map(|view| view.sought.clone()).collect();
    if sought.len() < 2 {
        return best.known.clone();
    }
    // A line counts as seen as often as pictures show it.
    let mut known = best.known.clone();
    for (index, known) in known.iter_mut().enumerate() {
        let all: Vec<&Known> = views.iter().filter_map(|view| view.known[index].as_ref()).collect();
        let own = known.clone();
        let merged = consensus::mean_of(&all, options.near_share * best.board.surface.width_mm);
        *known = merged.or(own);
    }
    known
}

/// The surface from straight above, with a margin.
fn plane_of(picture: &Picture, camera: &Camera, board: &Board, cells: usize) -> Option<Plane> {
    let (low, high) = surface::in_view(camera, board)?;
    let margin = crate::geometry::Vector::repeat(0.04 * board.surface.width_mm);
    Some(Plane::rectify(picture, camera, low - margin, high + margin, cells))
}

/// The camera from which the picture shows most of the template.
fn best_first(
    picture: &Picture,
    board: &Board,
    alike: &Alike,
    firsts: Vec<First>,
    reach: Reach,
    options: &LearnOptions,
) -> Result<First, LearnError> {
    let judged: Vec<(f64, First)> = firsts
        .into_par_iter()
        .filter_map(|first| {
            let plane = plane_of(picture, &first.camera, board, options.rough_cells)?;
            let sought = print::look(&plane, board, reach, options);
            let near_mm = reach.share(options) * board.surface.width_mm;
            let known = consensus::agreed(board, alike, &sought, near_mm);
            Some((shown(&sought, &known) + options.outline_weight * first.overlap, first))
        })
        .collect();
    let best = judged.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, first)| first).ok_or_else(out_of_view)
}

/// How plainly a template is shown: its parts that are seen, less those that are not.
fn shown(sought: &[Sought<Seen>], known: &[Option<Known>]) -> f64 {
    let seen: f64 = known
        .iter()
        .flatten()
        .filter(|known| known.is_seen)
        .map(|known| (known.clearness / 10.0).min(1.0))
        .sum();
    let in_view = sought.iter().filter(|sought| !matches!(sought, Sought::NotInView)).count();
    seen / in_view.max(1) as f64
}

/// The camera fitted to what is known of the board, if that holds.
fn fitted(
    picture: &Picture,
    board: &Board,
    known: &[Option<Known>],
    camera: &Camera,
    options: &LearnOptions,
) -> Option<Registration> {
    let mut seen = board.clone();
    let mut keep =
        known.iter().map(|known| known.as_ref().is_some_and(|known| 2 * known.seen >= known.in_view));
    seen.lines.retain(|_| keep.next().unwrap_or(false));
    seen.accuracy_mm = board.accuracy_mm.max(options.fit_share * board.surface.width_mm);
    refine(picture, &seen, camera, &CameraPrior::default(), &options.refine).ok()
}

/// Finds a board that is known roughly, as learned ones are, by its surface's outline and its print: in a picture where
/// the print is worn, or hidden, a part of it is enough.
pub fn register_by_print(
    picture: &Picture,
    board: &Board,
    prior: &CameraPrior,
    options: &LearnOptions,
) -> Option<Registration> {
    let firsts = surface::first_cameras(picture, board, &LearnRequest::default(), options).ok()?;
    let alike = Alike::of(board);
    let first = best_first(picture, board, &alike, firsts, Reach::Known, options).ok()?;
    let mut registration: Option<Registration> = None;
    for reach in [Reach::Known, Reach::Near] {
        let camera = registration.as_ref().map_or(first.camera, |found| found.camera);
        let plane = plane_of(picture, &camera, board, options.most_cells)?;
        let sought = print::look(&plane, board, reach, options);
        let known = seen_lines(board, &sought, reach.share(options) * board.surface.width_mm);
        let in_view = sought.iter().filter(|sought| !matches!(sought, Sought::NotInView)).count();
        let seen = known.iter().filter(|seen| **seen).count();
        if in_view == 0 || (seen as f64) < options.least_found * in_view as f64 {
            return None;
        }
        let mut shown = board.clone();
        let mut keep = known.into_iter();
        shown.lines.retain(|_| keep.next().unwrap_or(false));
        registration = Some(refine(picture, &shown, &camera, prior, &options.refine).ok()?);
    }
    registration.map(|found| Registration { method: Method::Outline, ..found })
}

/// Which of a board's lines are seen within `near_mm` of their place.
fn seen_lines(board: &Board, sought: &[Sought<Seen>], near_mm: f64) -> Vec<bool> {
    let is_seen = |(line, sought): (&crate::board::Line, &Sought<Seen>)| match (line.paint, sought) {
        (Paint::Stroke { from, to, .. }, Sought::Found(seen)) => match seen.paint {
            Paint::Stroke { from: a, to: b, .. } => (a - from).norm().max((b - to).norm()) <= 2.0 * near_mm,
            _ => false,
        },
        (_, Sought::Found(_)) => true,
        _ => false,
    };
    board.lines.iter().zip(sought).map(is_seen).collect()
}

/// The places of the surface's corners, for those who draw them.
pub fn corners_in_picture(board: &Board, camera: &Camera) -> [Option<Pixel>; 4] {
    board.corners().map(|p: Point| camera.image_from_board(p.x, p.y, 0.0))
}
