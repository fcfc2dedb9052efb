//! How well a camera explains the picture's edges: quick, for thousands of hypotheses.
//!
//! In: straight edges, drawn with their direction into a small map. Out: a log likelihood ratio
//! in nats: a mark that is seen counts by how rare edges of its direction are in this picture, a
//! mark that is not seen counts against, a mark out of view counts nothing.

use nalgebra::{Matrix3, Point3, Vector2, Vector3};

use super::{FindOptions, pattern::Sample, segments::Segment, small::SmallPicture};
use crate::camera::{Camera, Lens, Pose};

/// Classes of edge direction over half a turn.
const DIRECTIONS: usize = 12;

pub(super) struct EdgeMap {
    width: usize,
    height: usize,
    /// A bit a direction class: an edge of about that direction lies within reach.
    near: Vec<u16>,
    /// Nats for a mark of each direction that is seen, and one that is not.
    seen: [f64; DIRECTIONS],
    unseen: [f64; DIRECTIONS],
    independent_px: f64,
}

/// A camera reduced to what projecting thousands of points needs.
pub(super) struct Projector {
    rotation: Matrix3<f64>,
    translation: Vector3<f64>,
    focal_px: f64,
    k1: f64,
    centre: Vector2<f64>,
    /// Where the camera is on the board.
    position_mm: Point3<f64>,
    /// Rays beyond this squared radius are folded back by the lens polynomial.
    max_ray_squared: f64,
}

/// A mark's sample in the picture.
pub(super) struct Projected {
    pub at: Vector2<f64>,
    /// Unit direction of the mark.
    pub along: Vector2<f64>,
    /// Pixels per millimetre along the mark.
    pub px_per_mm: f64,
}

impl Projector {
    pub fn new(camera: &Camera) -> Self {
        let Lens { fx, cx, cy, k1, .. } = camera.lens;
        Self {
            rotation: *camera.pose.rotation.matrix(),
            translation: camera.pose.translation_mm,
            focal_px: fx,
            k1,
            centre: Vector2::new(cx, cy),
            position_mm: camera.pose.centre_mm(),
            max_ray_squared: if k1 < 0.0 { -1.0 / (3.0 * k1) } else { f64::INFINITY },
        }
    }

    /// Where a sample is seen; `None` behind the camera, and where it is not looked for from here.
    #[inline]
    pub fn sight(&self, sample: &Sample) -> Option<Projected> {
        let is_there = |way: Vector3<f64>| (self.position_mm - sample.at).dot(&way) > 0.0;
        if sample.not_from.is_some_and(is_there) {
            return None;
        }
        self.project(&sample.at, &sample.along)
    }

    #[inline]
    pub fn project(&self, at: &Point3<f64>, along: &Vector3<f64>) -> Option<Projected> {
        let c = self.rotation * at.coords + self.translation;
        if c.z <= 1.0 {
            return None;
        }
        let ray = Vector2::new(c.x / c.z, c.y / c.z);
        let squared = ray.norm_squared();
        if squared >= self.max_ray_squared {
            return None;
        }
        let a = self.rotation * along;
        let turn = Vector2::new(a.x - ray.x * a.z, a.y - ray.y * a.z) / c.z;
        let radial = 1.0 + self.k1 * squared;
        let bent = turn * radial + ray * (2.0 * self.k1 * ray.dot(&turn));
        let length = bent.norm();
        Some(Projected {
            at: self.centre + ray * (radial * self.focal_px),
            along: bent / length.max(1e-12),
            px_per_mm: length * self.focal_px,
        })
    }
}

/// The samples that are in view, about every `apart_px` of the picture along each mark. What is seen of a
/// board then counts by how much of the picture it fills, not by how much of the board it is: else a
/// small board made of whatever the picture shows would outdo the true one, of which an end is in view.
pub(super) fn spread<'a>(
    samples: &'a [Sample],
    projector: &Projector,
    small: &SmallPicture,
    apart_px: f64,
) -> Vec<(&'a Sample, Projected)> {
    let mut spread = Vec::new();
    for mark in samples.chunk_by(|a, b| a.mark == b.mark) {
        let (mut along_px, mut next_px) = (0.0, apart_px / 2.0);
        for sample in mark {
            let Some(seen) = projector.sight(sample) else { continue };
            if !small.contains(seen.at.x, seen.at.y) {
                continue;
            }
            along_px += seen.px_per_mm * sample.spacing_mm;
            if along_px >= next_px {
                next_px = (next_px + apart_px).max(along_px);
                spread.push((sample, seen));
            }
        }
    }
    spread
}

/// A camera for the reduced picture, its axis through the middle.
pub(super) fn small_camera(
    small: &SmallPicture,
    rotation: Matrix3<f64>,
    translation_mm: Vector3<f64>,
    focal_px: f64,
    k1: f64,
) -> Camera {
    let lens = Lens { k1, ..Lens::ideal(focal_px, small.size()) };
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(rotation);
    Camera { image_size: small.size(), lens, pose: Pose { rotation, translation_mm } }
}

impl EdgeMap {
    pub fn draw(small: &SmallPicture, segments: &[Segment], reach_px: f64, options: &FindOptions) -> Self {
        let (width, height) = (small.width, small.height);
        let mut near = vec![0u16; width * height];
        let class = std::f64::consts::PI / DIRECTIONS as f64;
        for segment in segments {
            let angle = segment.angle();
            let bits = (0..DIRECTIONS)
                .filter(|&d| {
                    let off = (angle - d as f64 * class).rem_euclid(std::f64::consts::PI);
                    off.min(std::f64::consts::PI - off) < class
                })
                .fold(0u16, |bits, d| bits | 1 << d);
            let steps = (segment.length() / reach_px.max(1.0)).ceil().max(1.0) as usize;
            for i in 0..=steps {
                let p = segment.from + (segment.to - segment.from) * (i as f64 / steps as f64);
                let range = |c: f64, size: usize| {
                    let from = (c - reach_px).round().max(0.0) as usize;
                    from..((c + reach_px).round().max(-1.0) + 1.0).min(size as f64) as usize
                };
                for y in range(p.y, height) {
                    for x in range(p.x, width) {
                        near[y * width + x] |= bits;
                    }
                }
            }
        }
        let mut counts = [0usize; DIRECTIONS];
        for &bits in &near {
            for (d, count) in counts.iter_mut().enumerate() {
                *count += usize::from(bits >> d & 1);
            }
        }
        let (low, high) = options.chance_limits;
        let chance = counts.map(|count| (count as f64 / near.len() as f64).clamp(low, high));
        let hit = options.expected_hits;
        Self {
            width,
            height,
            near,
            seen: chance.map(|p| (hit / p).ln()),
            unseen: chance.map(|p| ((1.0 - hit) / (1.0 - p)).ln()),
            independent_px: options.independent_px,
        }
    }

    pub fn score(&self, camera: &Camera, samples: &[Sample]) -> f64 {
        let projector = Projector::new(camera);
        let mut sum = 0.0;
        for sample in samples {
            let Some(seen) = projector.sight(sample) else { continue };
            let (u, v) = (seen.at.x.round(), seen.at.y.round());
            if !(u >= 0.0 && v >= 0.0 && u < self.width as f64 && v < self.height as f64) {
                continue;
            }
            let turn = seen.along.y.atan2(seen.along.x) / std::f64::consts::PI * DIRECTIONS as f64;
            let d = (turn.round() as i32).rem_euclid(DIRECTIONS as i32) as usize;
            let weight = sample.weight * seen.px_per_mm * sample.spacing_mm / self.independent_px;
            let hit = self.near[v as usize * self.width + u as usize] >> d & 1 == 1;
            sum += weight * if hit { self.seen[d] } else { self.unseen[d] };
        }
        sum
    }
}
