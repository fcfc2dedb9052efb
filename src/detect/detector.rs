//! The steps of detection, from a picture to candidates.

use std::ops::Range;

use super::{
    Candidate, DetectOptions, Detection, Foreign, ForeignReason,
    explain::Explainer,
    judge::Judge,
    kinds::KindColours,
    light::{Cell, Light, Stops, is_seen, largest, median, stops_of_cell},
    look::{Look, Rays, Solid, seen_at},
    print::printed_fills,
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
        self.view
            .as_ref()
            .filter(|view| view.is_for(picture))
            .and_then(|view| {
                with_scratch(|scratch| self.detect_in(view, picture, scratch, self.options.smoothings_max))
            })
            .unwrap_or_default()
    }

    fn detect_in(
        &self,
        view: &View,
        picture: &Picture,
        scratch: &mut Scratch,
        smoothings_left: usize,
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
                return self.detect_in(view, &smooth, scratch, smoothings_left - 1);
            }
        }
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
        let first = judges.first()?;
        let can_be_piece = |place: &Place| {
            if !first.rests_near_board(place.centre, self.solids[place.size].radius_mm) {
                return false;
            }
            let Some(stops) = self.face_in_view(view, cells, place) else { return false };
            let (surface, floor) = (light.linear_of_stops(surface_at(place.centre)), self.options.dark_floor);
            let face = light.against(stops, surface, floor as f32);
            let is_near = |look: Stops| {
                let near = |judge: &Judge| judge.distance(place.size, look) < self.options.place_distance_max;
                judges.iter().any(near)
            };
            largest(face) > self.options.place_step_min
                && (place.votes >= self.options.unknown_votes_min
                    || is_near(face)
                    || light.unveiled(stops, surface, floor as f32).is_some_and(is_near))
        };
        let places = vote::places(view, cells, eye, &self.solids, &self.options, ballot, can_be_piece);
        // 4. Each place in the full picture.
        let sight_at =
            |centre: Point, size: usize| look.sight(centre, size, self.solids[size], surface_at(centre));
        let mut sights: Vec<Sight> =
            places.iter().filter_map(|place| sight_at(place.centre, place.size)).collect();
        // What seems a pale rim may be a groove in a larger face, whose own rim had fewer votes.
        let larger = |than: &Sight| {
            let (centre, radius_mm) = (than.rim.centre, than.solid.radius_mm);
            let is_larger = move |size: &usize| self.solids[*size].radius_mm > radius_mm;
            (0..self.solids.len()).filter(is_larger).filter_map(move |size| sight_at(centre, size))
        };
        let pale = sights.iter().filter(|sight| sight.contrast.is_pale());
        let around: Vec<Sight> = pale.flat_map(larger).collect();
        sights.extend(around);
        // 5. The fewest pieces that explain what is seen, on the wood that they look most like themselves on.
        let judge = on_likeliest_wood(&judges, &sights, &self.options)?;
        let explainer = Explainer { judge, solids: &self.solids, surface_at: &surface_at };
        let (found, mut foreign) = explainer.explain(sights);
        let looks_like_its_kind =
            |(piece, _): &(Candidate, _)| piece.kind_probability >= self.options.kind_min;
        let (mut found, unlike): (Vec<_>, Vec<_>) = found.into_iter().partition(looks_like_its_kind);
        let as_foreign = |(piece, face_stops): (Candidate, Stops)| Foreign {
            centre: piece.centre,
            reason: ForeignReason::Colour,
            sized_like: piece.kind,
            face_stops,
            existence: piece.existence,
        };
        foreign.extend(unlike.into_iter().map(as_foreign));
        found.sort_by(|(a, _), (b, _)| order(a.centre, b.centre));
        foreign.sort_by(|a, b| order(a.centre, b.centre));
        let (pieces, face_stops) = found.into_iter().unzip();
        Some(Detection { pieces, face_stops, foreign })
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
