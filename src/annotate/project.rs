//! From the board to a drawing.

use nalgebra::Point3;

use crate::{
    camera::Camera,
    geometry::{Paint, Point, Vector},
};

/// Where points of the board appear in a drawing.
pub(crate) trait Projection {
    fn place(&self, p: Point3<f64>) -> Option<[f64; 2]>;

    fn on_surface(&self, p: Point) -> Option<[f64; 2]> {
        self.place(Point3::new(p.x, p.y, 0.0))
    }
}

/// A curve on the plane at `z_mm`; its parts that are in view.
pub(crate) fn curves(
    projection: &dyn Projection,
    points: impl Iterator<Item = Point>,
    z_mm: f64,
) -> Vec<Vec<[f64; 2]>> {
    let mut parts = vec![Vec::new()];
    for point in points {
        match (projection.place(Point3::new(point.x, point.y, z_mm)), parts.last_mut()) {
            (Some(at), Some(part)) => part.push(at),
            _ => parts.push(Vec::new()),
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

/// The photo itself. Pixel centres are whole numbers in vision and halves in drawings.
pub(crate) struct Photo<'a> {
    camera: &'a Camera,
    limits: [f64; 2],
}

impl<'a> Photo<'a> {
    pub(crate) fn new(camera: &'a Camera) -> Self {
        Self { camera, limits: camera.image_size.map(f64::from) }
    }
}

impl Projection for Photo<'_> {
    fn place(&self, p: Point3<f64>) -> Option<[f64; 2]> {
        let at = self.camera.image_from_board(p.x, p.y, p.z)?;
        // Far outside the picture the lens's polynomial means nothing.
        let near = |value: f64, limit: f64| (-limit..=2.0 * limit).contains(&value);
        (near(at.x, self.limits[0]) && near(at.y, self.limits[1])).then_some([at.x + 0.5, at.y + 0.5])
    }
}

/// Points of a circle, closed.
pub(crate) fn circle(centre: Point, radius_mm: f64) -> impl Iterator<Item = Point> {
    const STEPS: usize = 72;
    (0..=STEPS).map(move |step| {
        let angle = std::f64::consts::TAU * step as f64 / STEPS as f64;
        centre + Vector::new(angle.cos(), angle.sin()) * radius_mm
    })
}

/// Points along a segment: many, because a lens bends it.
pub(crate) fn segment(from: Point, to: Point) -> impl Iterator<Item = Point> {
    const STEPS: usize = 32;
    (0..=STEPS).map(move |step| from + (to - from) * (step as f64 / STEPS as f64))
}

/// The edges of a line's paint.
pub(crate) fn paint_edges(paint: &Paint) -> Vec<Vec<Point>> {
    match *paint {
        Paint::Stroke { from, to, width_mm } => {
            let along = (to - from).try_normalize(0.0).unwrap_or_else(Vector::x);
            let across = Vector::new(-along.y, along.x) * (width_mm / 2.0);
            [across, -across].map(|side| segment(from + side, to + side).collect()).into()
        }
        Paint::Ring { centre, radius_mm, width_mm } => {
            [-0.5, 0.5].map(|side| circle(centre, radius_mm + side * width_mm).collect()).into()
        }
        Paint::Arc { centre, radius_mm, width_mm, start_rad, sweep_rad } => [-0.5, 0.5]
            .map(|side| {
                let radius_mm = radius_mm + side * width_mm;
                segment(Point::new(start_rad, 0.0), Point::new(start_rad + sweep_rad, 0.0))
                    .map(|turned| centre + Vector::new(turned.x.cos(), turned.x.sin()) * radius_mm)
                    .collect()
            })
            .into(),
        Paint::Spot { centre, radius_mm } => vec![circle(centre, radius_mm).collect()],
    }
}
