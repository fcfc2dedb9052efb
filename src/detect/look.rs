//! What a place is looked at with: the picture, its camera, and the solid that may lie there.

use nalgebra::{Point3, Rotation2};

use super::{DetectOptions, light::Light, rim::Search};
use crate::{
    board::{Board, Make, PieceKind},
    camera::{BehindRail, Camera, Pixel},
    capture::{Picture, whole_pixel},
    geometry::{Point, Vector, nearest_on_segment},
};

/// The solid that is looked for: a cylinder that stands at some height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    pub radius_mm: f64,
    pub height_mm: f64,
    pub base_mm: f64,
    /// Radius of its coloured cap as part of its own, where the board file tells it.
    pub cap_part: Option<f64>,
}

impl Solid {
    pub fn of(kind: &PieceKind, base_mm: f64) -> Solid {
        let cap_part = match kind.make {
            Make::Cap { diameter_mm } => diameter_mm.map(|cap_mm| cap_mm / kind.diameter_mm),
            Make::Any | Make::Plain | Make::Groove => None,
        };
        Solid { radius_mm: kind.radius_mm(), height_mm: kind.height_mm, base_mm, cap_part }
    }

    /// A disc printed on the surface.
    pub fn flat(radius_mm: f64) -> Solid {
        Solid { radius_mm, height_mm: 0.0, base_mm: 0.0, cap_part: None }
    }

    pub fn top_mm(&self) -> f64 {
        self.base_mm + self.height_mm
    }
}

/// What hides part of a piece, in the plane of its top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cover {
    /// Another piece: its face, and towards the camera its wall.
    Piece {
        /// Where that plane sees the top's centre, and the base's.
        centre: Point,
        foot: Point,
        /// Of what it hides: its own radius and a margin.
        radius_mm: f64,
    },
    Rail {
        behind: BehindRail,
        margin_mm: f64,
    },
    /// Something that is no piece, such as a hand: all beyond a straight edge through `at`.
    Beyond {
        at: Point,
        outward: Vector,
    },
}

impl Cover {
    pub fn new(centre: Point, solid: Solid, plane_mm: f64, eye: Point3<f64>, margin_mm: f64) -> Cover {
        let [centre, foot] = [solid.top_mm(), solid.base_mm].map(|z_mm| seen_at(centre, z_mm, plane_mm, eye));
        Cover::Piece { centre, foot, radius_mm: solid.radius_mm + margin_mm }
    }

    /// Whether it is neither a piece nor part of the board.
    pub fn is_no_piece(&self) -> bool {
        matches!(self, Cover::Beyond { .. })
    }

    pub fn hides(&self, p: Point) -> bool {
        match self {
            Cover::Piece { centre, foot, radius_mm } => {
                let nearest = nearest_on_segment(p, *centre, *foot);
                (p - nearest).norm_squared() < radius_mm.powi(2)
            }
            Cover::Rail { behind, margin_mm } => behind.clear_mm(p) < *margin_mm,
            Cover::Beyond { at, outward } => (p - at).dot(outward) > 0.0,
        }
    }
}

/// Where the plane at height `plane_mm` sees a point at height `z_mm`.
pub fn seen_at(p: Point, z_mm: f64, plane_mm: f64, eye: Point3<f64>) -> Point {
    let reach = (eye.z - plane_mm) / (eye.z - z_mm);
    Point::new(eye.x + (p.x - eye.x) * reach, eye.y + (p.y - eye.y) * reach)
}

/// What is read, and how.
pub struct Look<'a> {
    pub picture: &'a Picture,
    pub camera: &'a Camera,
    pub board: &'a Board,
    pub light: &'a Light,
    pub options: &'a DetectOptions,
    /// The camera's centre.
    pub eye: Point3<f64>,
    /// Step of an edge that the bare surface does not show by itself, in stops.
    pub least_step: f32,
    pub rays: &'a Rays,
}

/// Rays through a rim, and the moves by which a place is tried.
#[derive(Debug, Clone)]
pub struct Rays {
    /// Directions of all rays, and of half as many.
    pub all: Vec<Vector>,
    pub sparse: Vec<Vector>,
    /// Moves by which a rough place (with the sparse rays), and then a nearer one, is tried.
    pub coarse_search: Search,
    pub fine_search: Search,
}

impl Rays {
    pub fn new(options: &DetectOptions) -> Rays {
        let all: Vec<Vector> = directions(options.rays).collect();
        let sparse: Vec<Vector> = directions(options.rays / 2).collect();
        Rays {
            coarse_search: Search::coarse(options.place_tolerance, &sparse),
            fine_search: Search::fine(&all),
            all,
            sparse,
        }
    }
}

impl<'a> Look<'a> {
    pub fn new(
        picture: &'a Picture,
        camera: &'a Camera,
        board: &'a Board,
        light: &'a Light,
        least_step: f32,
        options: &'a DetectOptions,
        rays: &'a Rays,
    ) -> Look<'a> {
        Look { picture, camera, board, light, options, eye: camera.pose.centre_mm(), least_step, rays }
    }

    /// What rails hide of a solid at `centre`.
    pub fn rails_before(&self, centre: Point, solid: Solid) -> Vec<Cover> {
        let margin_mm = self.options.cover_margin_mm;
        // Towards the camera it reaches as far as its base is seen in the plane of its top.
        let wall_mm = (centre - seen_at(centre, solid.base_mm, solid.top_mm(), self.eye)).norm();
        let reach_mm = solid.radius_mm + wall_mm + margin_mm;
        BehindRail::all(self.board, self.eye, solid.top_mm())
            .into_iter()
            .filter(|behind| behind.clear_mm(centre) < reach_mm)
            .map(|behind| Cover::Rail { behind, margin_mm })
            .collect()
    }

    /// Reads the three values of each of the pixels nearest to places that are known to be in the picture.
    #[inline]
    pub fn read_pixels<const N: usize>(
        &self,
        u: [f32; N],
        v: [f32; N],
        mut read: impl FnMut(usize, &[u8; 3]),
    ) {
        let width = self.picture.rgb().width() as i32;
        // Whole numbers of the size of the floats, so that four places are worked out at once.
        let pixels: [i32; N] =
            std::array::from_fn(|i| whole_pixel(v[i] + 0.5) * width + whole_pixel(u[i] + 0.5));
        let (values, _) = self.picture.rgb().as_raw().as_chunks::<3>();
        for (i, pixel) in pixels.into_iter().enumerate() {
            read(i, values.get(pixel as usize).unwrap_or(&[0; 3]));
        }
    }

    /// Whether a place is in the picture.
    pub fn is_in_picture(&self, at: Pixel) -> bool {
        let [width, height] = self.picture.size().map(f64::from);
        // A thousandth of a pixel for what single precision rounds.
        let edge = -0.499;
        at.x > edge && at.y > edge && at.x < width - 1.0 - edge && at.y < height - 1.0 - edge
    }

    /// Where a board point near one that is known to be imaged is seen.
    pub fn pixel(&self, p: Point, z_mm: f64) -> Option<Pixel> {
        self.camera.image_from_board(p.x, p.y, z_mm)
    }
}

/// Unit vectors all around, the first along x, each turned from the one before: the errors of sixty
/// turns are still below what a double shows of a millimetre.
pub fn directions(count: usize) -> impl Iterator<Item = Vector> {
    let turn = Rotation2::new(std::f64::consts::TAU / count as f64);
    std::iter::successors(Some(Vector::x()), move |&direction| Some(turn * direction)).take(count)
}
