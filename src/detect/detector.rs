//! The steps of detection, from a picture to candidates.

use nalgebra::Point3;

use super::{
    DetectOptions, Detection,
    explain::{Explainer, Sight, printed_fills},
    kinds::KindColours,
    light::{Light, Stops, brightness_and_hue, largest, median, minus},
    patch::{Look, Rim, SEEN, Solid},
    surface::Surface,
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
    sizes: Vec<Size>,
    colours: KindColours,
}

/// Kinds that cannot be told apart by their size.
#[derive(Debug, Clone)]
struct Size {
    kinds: Vec<usize>,
    solid: Solid,
}

/// Cells of bare surface from which a picture's exposure is taken.
const EXPOSURE_SAMPLES: usize = 600;
/// Kinds whose diameters differ by less are one size, in millimetres.
const SAME_SIZE_MM: f64 = 0.5;
/// Part of a rim that must be seen at all for a place to be considered further.
const SIGHT_MIN: f32 = 0.2;
/// Around a place, surface may differ from its block's estimate by so much, in stops.
const NEAR_HUE_TOLERANCE: f32 = 0.4;
const NEAR_DARKER_MAX: f32 = 2.0;
const NEAR_BRIGHTER_MAX: f32 = 1.0;

impl Detector {
    pub fn new(board: &Board, camera: &Camera, image_size: [u32; 2], options: &DetectOptions) -> Detector {
        let smallest = board.pieces.iter().map(|kind| kind.diameter_mm).fold(f64::INFINITY, f64::min);
        let pitch_mm = smallest / options.cells_per_diameter;
        let is_usable = pitch_mm.is_finite() && pitch_mm > 0.0 && camera.pose.centre_mm().z > CAMERA_MIN_MM;
        let view = if is_usable { View::new(board, camera, image_size, pitch_mm) } else { None };
        Detector {
            board: board.clone(),
            camera: *camera,
            options: options.clone(),
            view,
            sizes: sizes(board),
            colours: KindColours::of_board(board, options),
        }
    }

    /// Finds the pieces in a picture of the size the detector was made for.
    pub fn detect(&self, picture: &Picture) -> Detection {
        let Some(view) = self.view.as_ref().filter(|view| view.is_for(picture)) else {
            return Detection::default();
        };
        // 1. How bright the bare surface is here.
        let Some(exposure) = exposure(view, picture) else { return Detection::default() };
        let light = Light::new(exposure, self.options.dark_floor as f32);
        // 2. The small rectified view, and the bare surface's own light in it.
        let cells = view.read(picture, &light);
        let Some(surface) = Surface::estimate(view, &cells) else { return Detection::default() };
        // 3. Places that rims vote for.
        let eye = self.camera.pose.centre_mm();
        let radii: Vec<f64> = self.sizes.iter().map(|size| size.solid.radius_mm).collect();
        let places = vote::places(view, &cells, eye, &radii, &self.options);
        // 4. Each place in the full picture.
        let look = Look { picture, camera: &self.camera, light: &light, options: &self.options };
        let sights = places.iter().filter_map(|place| self.sight(&look, view, &surface, place)).collect();
        // 5. What explains them.
        let surface_at = |p: Point| surface_on_board(view, &surface, eye, p);
        let fills = printed_fills(&self.board, &look, &surface_at, &self.options);
        let explainer = Explainer {
            board: &self.board,
            look: &look,
            colours: &self.colours,
            fills: &fills,
            options: &self.options,
        };
        let (mut pieces, mut foreign) = explainer.explain(sights);
        pieces.sort_by(|a, b| a.centre.y.total_cmp(&b.centre.y).then(a.centre.x.total_cmp(&b.centre.x)));
        foreign.sort_by(|a, b| a.centre.y.total_cmp(&b.centre.y).then(a.centre.x.total_cmp(&b.centre.x)));
        Detection { pieces, foreign }
    }

    fn sight(&self, look: &Look, view: &View, surface: &Surface, place: &Place) -> Option<Sight> {
        let size = &self.sizes[place.radius];
        let rim = look.rim(place.centre, size.solid)?;
        let seen = rim.rays.iter().flatten().filter(|&&s| s >= SEEN).count();
        if (seen as f32) < SIGHT_MIN * rim.rays.len() as f32 {
            return None;
        }
        let face = look.face(rim.centre, size.solid)?;
        let (column, row) = view.cell_at(rim.centre);
        let surface = surface_near(&rim, surface.at(column, row));
        Some(Sight { kinds: size.kinds.clone(), solid: size.solid, rim, face, surface })
    }
}

/// A camera lower than this above the surface sees no board, in millimetres.
const CAMERA_MIN_MM: f64 = 50.0;

fn sizes(board: &Board) -> Vec<Size> {
    let mut sizes: Vec<Size> = Vec::new();
    for (index, kind) in board.pieces.iter().enumerate() {
        let alike = sizes
            .iter_mut()
            .find(|size| (2.0 * size.solid.radius_mm - kind.diameter_mm).abs() < SAME_SIZE_MM);
        match alike {
            Some(size) => size.kinds.push(index),
            None => sizes.push(Size { kinds: vec![index], solid: Solid::of(kind, 0.0) }),
        }
    }
    sizes
}

/// Median linear light of the bare surface.
fn exposure(view: &View, picture: &Picture) -> Option<[f32; 3]> {
    median(&mut view.bare_samples(picture, EXPOSURE_SAMPLES))
}

/// The surface's stops around a place: of what is seen beside its rim where that is surface, else
/// of its block.
fn surface_near(rim: &Rim, block: Stops) -> Stops {
    let mut beside: Vec<Stops> = rim
        .outside
        .iter()
        .flatten()
        .filter(|stops| {
            let (brightness, hue) = brightness_and_hue(minus(**stops, block));
            largest(hue) < NEAR_HUE_TOLERANCE && (-NEAR_DARKER_MAX..NEAR_BRIGHTER_MAX).contains(&brightness)
        })
        .copied()
        .collect();
    if beside.len() * 4 < rim.rays.len() { block } else { median(&mut beside).unwrap_or(block) }
}

/// Stops of the bare surface at a point of the board itself, which the view sees at its own height.
fn surface_on_board(view: &View, surface: &Surface, eye: Point3<f64>, p: Point) -> Stops {
    let shrink = (eye.z - view.plane_mm) / eye.z;
    let (column, row) =
        view.cell_at(Point::new(eye.x + (p.x - eye.x) * shrink, eye.y + (p.y - eye.y) * shrink));
    surface.at(column, row)
}
