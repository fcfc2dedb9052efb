//! One piece to be measured: what is cut out of the picture for it, and its colours.

use nalgebra::Matrix2;

use super::{
    MeasureOptions,
    scene::{Scene, Shade, median_colour},
    solid::{Eye, Shadow, Solid},
    view::{Patch, PlaneView},
};
use crate::{board::PieceKind, camera::Camera, capture::Picture, detect::Candidate, geometry::Point};

/// A piece with all that the methods need of it.
pub(super) struct Subject {
    pub kind: usize,
    pub solid: Solid,
    /// Where it was found.
    pub first_place: Point,
    /// The best place so far.
    pub place: Point,
    pub patch: Patch,
    /// The plane of the top face.
    pub top: PlaneView,
    pub px_by_mm: Matrix2<f64>,
    pub colours: Option<Colours>,
}

/// Linear light of the parts of a piece and of the board around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    pub face: [f32; 3],
    /// Just inside the rim: the face again, or the metal around a cap.
    pub ring: [f32; 3],
    pub board: [f32; 3],
}

impl Subject {
    /// `None` where the camera does not see the piece.
    pub fn new(
        picture: &Picture,
        camera: &Camera,
        eye: &Eye,
        candidate: &Candidate,
        kind: &PieceKind,
        options: &MeasureOptions,
    ) -> Option<Self> {
        let solid = Solid::of(kind, candidate.base_mm);
        let at = candidate.centre;
        camera.image_from_board(at.x, at.y, solid.top_mm)?;
        let top = PlaneView::new(camera, solid.top_mm);
        let px_by_mm = top.pixel_by_point(at);
        let scale = px_by_mm.determinant().abs().sqrt();
        if !(scale.is_finite() && scale > 0.0) {
            return None;
        }
        let mut patch = Patch::default();
        let lean_mm = (at - eye.foot).norm() / (eye.height_mm - solid.top_mm) * solid.top_mm;
        let reach_mm = solid.radius_mm + lean_mm + options.search_mm + options.patch_margin_mm;
        patch.read(
            picture,
            top.pixel(at),
            reach_mm * px_by_mm.column(0).norm().max(px_by_mm.column(1).norm()),
        );
        Some(Self {
            kind: candidate.kind,
            solid,
            first_place: at,
            place: at,
            patch,
            top,
            px_by_mm,
            colours: None,
        })
    }

    pub fn px_per_mm(&self) -> f64 {
        self.px_by_mm.determinant().abs().sqrt()
    }

    /// The colours around a place.
    pub fn colours_at(&self, scene: &Scene, place: Point, options: &MeasureOptions) -> Option<Colours> {
        let radius = self.solid.radius_mm;
        let rings = |shares: &[f64]| shares.iter().map(|s| s * radius).collect::<Vec<f64>>();
        let solid = self.solid;
        let on_face = |p: Point| scene.covered(scene.eye.shadow(p, solid.top_mm), 0.0);
        let face = median_colour(scene.patch, &self.top, place, &rings(&options.face_rings), 16, on_face);
        let ring = median_colour(scene.patch, &self.top, place, &rings(&options.rim_rings), 32, on_face);
        let own = Shadow::new(&solid, &scene.eye, place);
        let around =
            median_colour(scene.patch, &scene.ground, place, &rings(&options.board_rings), 32, |p| {
                scene.covered(p, options.mask_mm) || own.is_within(p, options.board_clear_mm)
            });
        Some(Colours { face: face?, ring: ring?, board: around? })
    }

    /// Whether it hardly differs from the board: then rings of its face may have been taken for its rim.
    pub fn is_pale(&self, eye: &Eye, options: &MeasureOptions) -> bool {
        let outline = self.colours.and_then(|colours| colours.outline(self.slope(eye), options));
        outline.is_none_or(|shade| shade.glow() > options.pale_glow)
    }

    /// How far the camera looks from the side here: 0 straight above.
    pub fn slope(&self, eye: &Eye) -> f64 {
        (self.place - eye.foot).norm() / eye.height_mm
    }
}

impl Colours {
    /// Piece against board; `slope`: how far the camera looks from the side.
    pub fn outline(&self, slope: f64, options: &MeasureOptions) -> Option<Shade> {
        // From the side the wall is seen, which may lie in shade whatever the face does.
        let worth = if slope < options.lighter_slope_max { options.lighter_worth } else { 1.0 };
        Shade::preferring_lighter(self.face, self.board, worth)
    }

    /// Cap against the metal around it.
    pub fn cap(&self, options: &MeasureOptions) -> Option<Shade> {
        let against_board = Shade::between(self.face, self.board)?;
        Some(
            Shade::preferring_lighter(self.face, self.ring, options.cap_lighter_worth)?
                .at_most(against_board.contrast()),
        )
    }

    /// Cap and metal alike: what shows the cap's shadow on its ring.
    pub fn cap_light(&self) -> Option<Shade> {
        Shade::alike(self.face, self.ring)
    }
}
