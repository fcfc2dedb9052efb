//! The steps of detection, from a picture to candidates.

use std::{cell::RefCell, ops::Range};

use super::{
    Candidate, DetectOptions, Detection, Foreign, ForeignReason,
    check::{Check, Glance, Looked, Outcome, Quantity},
    explain::Explainer,
    judge::Judge,
    kinds::KindColours,
    light::{Cell, Light, Stops, is_seen, largest, median, stops_of_cell},
    look::{Look, Rays, Solid, seen_at},
    notes::{DetectTrace, Notes},
    print::{PrintedFill, printed_fills},
    rim::SAMPLE_STEP,
    scratch::{Scratch, with_scratch},
    set,
    sight::Sight,
    surface::Surface,
    texture::texture_step,
    view::View,
    vote::{self, Place},
};
use crate::{board::Board, camera::Camera, capture::Picture, geometry::Point};

/// Detection prepared for one board and camera: the map of the rectified view is made once.
#[derive(Debug, Clone)]
pub struct Detector {
    board: Board,
    camera: Camera,
    options: DetectOptions,
    /// `None` when the camera does not see the board.
    view: Option<View>,
    /// Kinds that cannot be told apart by their size, and their solid.
    sizes: Vec<Vec<usize>>,
    solids: Vec<Solid>,
    colours: KindColours,
    rays: Rays,
}

/// Kinds whose diameters differ by less are one size, in millimetres.
const SAME_SIZE_MM: f64 = 0.5;
/// A camera lower than this above the surface sees no board, in millimetres.
const CAMERA_MIN_MM: f64 = 50.0;

impl Detector {
    pub fn new(board: &Board, camera: &Camera, image_size: [u32; 2], options: &DetectOptions) -> Detector {
        let smallest = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        let pitch_mm = smallest / options.cells_per_diameter;
        let is_usable = pitch_mm.is_finite() && pitch_mm > 0.0 && camera.pose.centre_mm().z > CAMERA_MIN_MM;
        let view = if is_usable { View::new(board, camera, image_size, pitch_mm) } else { None };
        let sizes = sizes(board);
        Detector {
            solids: sizes.iter().map(|kinds| Solid::of(&board.pieces[kinds[0]], 0.0)).collect(),
            sizes,
            colours: KindColours::of_board(board, options),
            rays: Rays::new(options),
            board: board.clone(),
            camera: *camera,
            options: options.clone(),
            view,
        }
    }

    /// Finds the pieces in pictures of which it is known that nothing but the set lies on the board: things of a piece's size
    /// in a colour that no kind has are taken for the kinds that are not found otherwise. What they show is what
    /// [`super::TaughtColours::of`] learns from.
    pub fn detect_set(&self, pictures: &[&Picture]) -> Vec<Detection> {
        let mut found: Vec<Detection> = pictures.iter().map(|picture| self.detect(picture)).collect();
        let adopted = set::kinds_of_unknown(&found, &self.sizes, &self.colours, &self.options);
        for (detection, kinds) in found.iter_mut().zip(adopted) {
            for (thing, kind) in std::mem::take(&mut detection.foreign).into_iter().zip(kinds) {
                let as_piece = kind.and_then(|kind| {
                    let top_mm = self.board.pieces[kind].height_mm;
                    let px = self.camera.image_from_board(thing.centre.x, thing.centre.y, top_mm)?;
                    let kind_probability = self.options.strained_probability;
                    Some(Candidate { kind_probability, ..Candidate::on_board(kind, thing.centre, px) })
                });
                match as_piece {
                    Some(piece) => {
                        detection.pieces.push(piece);
                        detection.face_stops.push(thing.face_stops);
                    }
                    None => detection.foreign.push(thing),
                }
            }
        }
        found
    }

    /// Finds the pieces in a picture of the size the detector was made for.
    pub fn detect(&self, picture: &Picture) -> Detection {
        self.detect_noting(picture, &Notes::default())
    }

    /// The same with all that was looked at on the way, and a look at each of the `asked` places of the board's surface,
    /// whatever is seen there.
    pub fn detect_with_trace(&self, picture: &Picture, asked: &[Point]) -> (Detection, DetectTrace) {
        let trace = RefCell::default();
        let detection = self.detect_noting(picture, &Notes::new(&trace, asked));
        (detection, trace.into_inner())
    }

    fn detect_noting(&self, picture: &Picture, notes: &Notes) -> Detection {
        let smoothings = self.options.smoothings_max;
        self.view
            .as_ref()
            .filter(|view| view.is_for(picture))
            .and_then(|view| {
                with_scratch(|scratch| self.detect_in(view, picture, scratch, smoothings, notes))
            })
            .unwrap_or_default()
    }

    fn detect_in(
        &self,
        view: &View,
        picture: &Picture,
        scratch: &mut Scratch,
        smoothings_left: usize,
        notes: &Notes,
    ) -> Option<Detection> {
        // 1. How bright the bare surface is in this picture.
        let exposure = median(&mut view.bare_samples(picture))?;
        let light = Light::new(exposure, self.options.dark_floor as f32)
            .with_glare(self.board.surface.colour, self.options.surface.glare_min);
        let least_step = self.least_step(view, picture, &light);
        if smoothings_left > 0 && least_step > self.options.rim_step_full {
            // Noise as strong as rims; on dark faces, where it is stronger yet, it looks like rims.
            let smooth = picture.smoothed();
            if self.least_step(view, &smooth, &light) < self.options.noise_left_max * least_step {
                return self.detect_in(view, &smooth, scratch, smoothings_left - 1, notes);
            }
        }
        notes.note(|trace| {
            trace.least_step = least_step;
            trace.smoothings = self.options.smoothings_max - smoothings_left;
        });
        let Scratch { cells, ballot } = scratch;
        // 2. The small rectified view, and the bare surface's own light in it.
        view.read(picture, &light, cells);
        let surface = Surface::estimate(view, cells, light.stops_of_linear(exposure), &self.options.surface);
        let surface_at = |p: Point| {
            let (column, row) = view.cell_at(p);
            surface.at(column, row)
        };
        // 3. Places that rims vote for, and whose middle can be a piece's.
        let eye = self.camera.pose.centre_mm();
        let look =
            Look::new(picture, &self.camera, &self.board, &light, least_step, &self.options, &self.rays);
        let surface_on_board = |p: Point| surface_at(seen_at(p, 0.0, view.plane_mm, eye));
        let fills = printed_fills(&self.board, &look, &surface_on_board, &self.options);
        let woods = match self.options.taught {
            Some(_) => vec![self.colours.clone()],
            None => self.colours.by_woods(exposure, self.board.surface.colour, &self.options),
        };
        let judges: Vec<Judge> = woods
            .iter()
            .map(|colours| Judge {
                board: &self.board,
                look: &look,
                sizes: &self.sizes,
                colours,
                fills: &fills,
                options: &self.options,
            })
            .collect();
        let doubts =
            Doubts { detector: self, view, cells, light: &light, judges: &judges, surface_at: &surface_at };
        let can_be_piece = |place: &Place| match doubts.about(place) {
            None => true,
            Some(check) => {
                notes.note(|trace| trace.looked.push(self.not_looked_at(place, check, &look)));
                false
            }
        };
        let places =
            vote::places((view, cells), eye, &self.solids, &self.options, ballot, notes, can_be_piece);
        // 4. Each place in the full picture.
        let sight_at =
            |centre: Point, size: usize| look.sight(centre, size, self.solids[size], surface_at(centre));
        let mut sights: Vec<Sight> = places
            .iter()
            .filter_map(|place| match sight_at(place.centre, place.size) {
                Ok(sight) => Some(sight),
                Err(check) => {
                    notes.note(|trace| trace.looked.push(self.not_looked_at(place, check, &look)));
                    None
                }
            })
            .collect();
        // What seems a pale rim may be a groove in a larger face, whose own rim had fewer votes.
        let larger = |than: &Sight| {
            let (centre, radius_mm) = (than.rim.centre, than.solid.radius_mm);
            let is_larger = move |size: &usize| self.solids[*size].radius_mm > radius_mm;
            (0..self.solids.len()).filter(is_larger).filter_map(move |size| sight_at(centre, size).ok())
        };
        let pale = sights.iter().filter(|sight| sight.contrast.is_pale());
        let around: Vec<Sight> = pale.flat_map(larger).collect();
        sights.extend(around);
        // 5. The fewest pieces that explain what is seen, on the wood that they look most like themselves on.
        let judge = on_likeliest_wood(&judges, &sights, &self.options)?;
        let explainer = Explainer { judge, solids: &self.solids, surface_at: &surface_at, notes };
        let (found, mut foreign) = explainer.explain(sights);
        let looks_like_its_kind =
            |(piece, _): &(Candidate, _)| piece.kind_probability >= self.options.kind_min;
        let (mut found, unlike): (Vec<_>, Vec<_>) = found.into_iter().partition(looks_like_its_kind);
        for (piece, face_stops) in &unlike {
            notes.note(|trace| trace.looked.push(self.unlike_its_kind(piece, *face_stops)));
        }
        for place in notes.asked() {
            let at = |size: usize| seen_at(*place, 0.0, self.solids[size].top_mm(), eye);
            let sizes = 0..self.solids.len();
            let asked = sizes.map(|size| self.asked_about(size, at(size), sight_at(at(size), size), judge));
            asked.for_each(|looked| notes.note(|trace| trace.looked.push(looked)));
        }
        let as_foreign = |(piece, face_stops): (Candidate, Stops)| Foreign {
            centre: piece.centre,
            reason: ForeignReason::Colour,
            sized_like: piece.kind,
            face_stops,
        };
        foreign.extend(unlike.into_iter().map(as_foreign));
        found.sort_by(|(a, _), (b, _)| order(a.centre, b.centre));
        foreign.sort_by(|a, b| order(a.centre, b.centre));
        let (pieces, face_stops) = found.into_iter().unzip();
        Some(Detection { pieces, face_stops, foreign })
    }

    /// A place that was not looked at any closer.
    fn not_looked_at(&self, place: &Place, check: Check, look: &Look) -> Looked {
        Looked {
            centre: place.centre,
            px: look.pixel(place.centre, self.solids[place.size].top_mm()),
            sized_like: self.sizes[place.size][0],
            glance: Glance::Voted,
            outcome: Outcome::Nothing,
            nearest: None,
            face_stops: None,
            checks: vec![check],
            evidence: None,
        }
    }

    /// A piece that another kind is likelier for, as all of its kind lie elsewhere.
    fn unlike_its_kind(&self, piece: &Candidate, face_stops: Stops) -> Looked {
        let least = self.options.kind_min;
        let check =
            Check::at_least(Quantity::KindProbability, piece.kind_probability, least, "detect.kind_min");
        Looked {
            centre: piece.centre,
            px: Some(piece.px),
            sized_like: piece.kind,
            glance: Glance::Looked,
            outcome: Outcome::Foreign,
            nearest: Some((piece.kind, piece.kind_probability)),
            face_stops: Some(face_stops),
            checks: vec![check],
            evidence: piece.evidence,
        }
    }

    /// What a place shows that somebody asked about, with all that speaks for and against a piece of a size.
    fn asked_about(&self, size: usize, place: Point, seen: Result<Sight, Check>, judge: &Judge) -> Looked {
        let sight = match seen {
            Ok(sight) => sight,
            Err(check) => {
                let place = Place { centre: place, size, votes: 0.0 };
                return Looked { glance: Glance::Asked, ..self.not_looked_at(&place, check, judge.look) };
            }
        };
        let covers = judge.look.rails_before(sight.rim.centre, sight.solid);
        let judgement = judge.judge_to_the_end(&sight, &covers, false);
        Looked { glance: Glance::Asked, ..judge.looked(&sight, Glance::Asked, &judgement) }
    }

    /// The step of an edge that this picture's bare surface does not show by itself, in stops.
    fn least_step(&self, view: &View, picture: &Picture, light: &Light) -> f32 {
        let middle = view.point_at(view.width as f64 / 2.0, view.height as f64 / 2.0);
        let radius_mm = self.solids.iter().map(|solid| solid.radius_mm).fold(f64::INFINITY, f64::min);
        let spacing_px = self.camera.mm_per_px(middle).map_or(1.0, |mm| SAMPLE_STEP * radius_mm / mm);
        let roughness = texture_step(picture, view, light, spacing_px as f32, self.options.texture_share);
        self.options.texture_factor * roughness
    }

    /// Median of the view's cells on the face of a place.
    fn face_in_view(&self, view: &View, cells: &[Cell], place: &Place) -> Option<Stops> {
        let radius_cells = self.solids[place.size].radius_mm / view.pitch_mm;
        let Range { start, end } = self.options.face_radii;
        let squares = (start * radius_cells).powi(2)..=(end * radius_cells).powi(2);
        let reach = (end * radius_cells) as isize;
        let (column, row) = view.cell_at(place.centre);
        let (column, row) = (column.round() as isize, row.round() as isize);
        let mut samples = Vec::with_capacity(((2 * reach + 1) * (2 * reach + 1)) as usize);
        for y in row - reach..=row + reach {
            for x in column - reach..=column + reach {
                let is_face = squares.contains(&(((x - column).pow(2) + (y - row).pow(2)) as f64));
                let is_inside = x >= 0 && y >= 0 && (x as usize) < view.width && (y as usize) < view.height;
                if is_face && is_inside {
                    let cell = cells[y as usize * view.width + x as usize];
                    if is_seen(cell) {
                        samples.push(stops_of_cell(cell));
                    }
                }
            }
        }
        median(&mut samples)
    }
}

/// What speaks against a voted place in the small view.
struct Doubts<'a, 'b> {
    detector: &'a Detector,
    view: &'a View,
    cells: &'a [Cell],
    light: &'a Light,
    judges: &'a [Judge<'b>],
    surface_at: &'a dyn Fn(Point) -> Stops,
}

impl Doubts<'_, '_> {
    /// Why a place needs no look in the full picture; `None` where it does.
    fn about(&self, place: &Place) -> Option<Check> {
        let Doubts { detector, view, cells, light, judges, surface_at } = self;
        let (options, first) = (&detector.options, judges.first()?);
        let rests = first.rests_near_board(place.centre, detector.solids[place.size].radius_mm);
        if !rests.holds {
            return Some(rests);
        }
        let Some(stops) = detector.face_in_view(view, cells, place) else {
            return Some(Check::at_least(Quantity::FaceSamples, 0.0, 1.0, "detect.face_radii"));
        };
        let (surface, floor) = (light.linear_of_stops(surface_at(place.centre)), options.dark_floor);
        let face = light.against(stops, surface, floor as f32);
        let step = Check::more_than(
            Quantity::MiddleStep,
            largest(face),
            options.place_step_min,
            "detect.place_step_min",
        );
        if !step.holds {
            return Some(step);
        }
        let nearest = |look: Stops| {
            judges.iter().map(|judge| judge.distance(place.size, look)).fold(f64::INFINITY, f64::min)
        };
        if place.votes < options.unknown_votes_min {
            let most = options.place_distance_max;
            let distance = nearest(face);
            let is_near = distance < most
                || light.unveiled(stops, surface, floor as f32).is_some_and(|look| nearest(look) < most);
            if !is_near {
                let check =
                    Check::less_than(Quantity::MiddleDistance, distance, most, "detect.place_distance_max");
                return Some(check.because("less of a rim than detect.unknown_votes_min votes for it"));
            }
        }
        first.fills.iter().find_map(|fill| outline_of(fill, place, face, options))
    }
}

/// The check that a place is a print's which shows itself; `None` where it is not.
fn outline_of(fill: &PrintedFill, place: &Place, face: Stops, options: &DetectOptions) -> Option<Check> {
    let print = &options.print;
    if !fill.is_of_its_colour(place.centre, face, print) {
        return None;
    }
    let seen = fill.outline_seen(|_| false, print);
    let check = Check::less_than(Quantity::PrintOutline, seen, print.outline_min, "detect.print.outline_min");
    (!check.holds).then_some(check)
}

/// The first judge, whose kinds are as the board file has them, unless the faces of the sights with a whole rim are nearer to
/// another's.
fn on_likeliest_wood<'a, 'b>(
    judges: &'a [Judge<'b>],
    sights: &[Sight],
    options: &DetectOptions,
) -> Option<&'a Judge<'b>> {
    let (first, others) = judges.split_first()?;
    if others.is_empty() {
        return Some(first);
    }
    let faces: Vec<(usize, Stops)> = sights
        .iter()
        .filter(|sight| !sight.contrast.is_pale() && sight.rim.seen() >= options.rim_min)
        .filter_map(|sight| Some((sight.size, first.look_of(sight)?)))
        .collect();
    let miss = |judge: &Judge| {
        let of = |(size, face): &(usize, Stops)| judge.distance(*size, *face).min(options.kind_distance_max);
        faces.iter().map(of).sum::<f64>() / faces.len().max(1) as f64
    };
    let by_file = miss(first);
    let best = others.iter().map(|judge| (miss(judge), judge)).min_by(|a, b| a.0.total_cmp(&b.0));
    Some(best.filter(|(miss, _)| miss + options.other_wood_gain < by_file).map_or(first, |(_, judge)| judge))
}

fn order(a: Point, b: Point) -> std::cmp::Ordering {
    a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
}

fn sizes(board: &Board) -> Vec<Vec<usize>> {
    let mut sizes: Vec<Vec<usize>> = Vec::new();
    for (index, kind) in board.pieces.iter().enumerate() {
        let is_alike =
            |other: &usize| (board.pieces[*other].diameter_mm - kind.diameter_mm).abs() < SAME_SIZE_MM;
        match sizes.iter_mut().find(|kinds| is_alike(&kinds[0])) {
            Some(kinds) => kinds.push(index),
            None => sizes.push(vec![index]),
        }
    }
    sizes
}
