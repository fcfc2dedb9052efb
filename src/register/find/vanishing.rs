//! Which way the board may be turned: two vanishing points at right angles, and a focal length.
//!
//! In: straight edges. Out: [`Orientation`]s, the best supported first. The board's sides run in
//! two directions at right angles; all picture lines of one direction meet in one point (far away
//! when the camera looks straight down). Two such points fix the camera's rotation once the focal
//! length is known; where they tell it themselves only fitting lengths are tried, else a few.
//!
//! Coordinates here are centred on the picture's middle, in units of half its diagonal, y down.

use nalgebra::{Matrix3, Vector2, Vector3};

use super::{FindOptions, segments::Segment};

/// A way the board may be turned, as the columns (board x, y, z in camera axes) of a rotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Orientation {
    pub rotation: Matrix3<f64>,
    /// Focal length in units of half the picture's diagonal.
    pub focal: f64,
}

/// A vanishing point in homogeneous coordinates and the edges that point to it.
#[derive(Debug, Clone, Copy)]
struct Vanishing {
    point: Vector3<f64>,
    support: f64,
}

/// Where the directions to two vanishing points are compared, to tell whether they are one.
const PROBES: [[f64; 2]; 5] = [[0.0, 0.0], [0.5, 0.5], [-0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]];

pub(super) fn orientations(
    lines: &[Segment],
    segments: &[Segment],
    options: &FindOptions,
) -> Vec<Orientation> {
    let points = vanishing_points(lines, segments, options);
    let mut pairs: Vec<(f64, Vanishing, Vanishing)> = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for b in &points[i + 1..] {
            pairs.push((a.support + b.support, *a, *b));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Orientation> = Vec::new();
    let mut used_pairs = 0;
    for (_, a, b) in pairs {
        if used_pairs == options.max_direction_pairs {
            break;
        }
        let before = kept.len();
        for focal in options.focal_lengths() {
            let Some(rotation) = rotation(a.point, b.point, focal, options) else { continue };
            let new = Orientation { rotation, focal };
            if !kept[before..].iter().any(|old| rectifies_alike(old, &new, options)) {
                kept.push(new);
            }
        }
        used_pairs += usize::from(kept.len() > before);
    }
    kept
}

/// Sine of the angle between a segment and the direction from its middle to a vanishing point.
fn deviation(segment: &Segment, point: &Vector3<f64>) -> f64 {
    let m = segment.middle();
    let to_point = Vector2::new(point.x - point.z * m.x, point.y - point.z * m.y);
    let along = segment.to - segment.from;
    (along.x * to_point.y - along.y * to_point.x).abs() / (along.norm() * to_point.norm()).max(1e-12)
}

/// What a segment gives a vanishing point: its length, less the more it points beside it.
fn vote(point: &Vector3<f64>, segment: &Segment, tolerance: f64) -> f64 {
    let off = deviation(segment, point) / tolerance;
    segment.length() * (1.0 - off * off).max(0.0)
}

fn vanishing_points(lines: &[Segment], segments: &[Segment], options: &FindOptions) -> Vec<Vanishing> {
    let tolerance = options.direction_tolerance_deg.to_radians().sin();
    let lines = &lines[..lines.len().min(options.max_direction_lines)];
    let through = |s: &Segment| s.from.push(1.0).cross(&s.to.push(1.0));
    let mut candidates = Vec::new();
    for (i, a) in lines.iter().enumerate() {
        // A direction that only one line shows: as if the camera looked straight down.
        let along = a.to - a.from;
        candidates.push(Vector3::new(along.x, along.y, 0.0).normalize());
        for b in &lines[i + 1..] {
            let meet = through(a).cross(&through(b));
            let Some(meet) = meet.try_normalize(1e-12) else { continue };
            // A point inside the picture is where two lines cross, not where a family meets.
            if meet.xy().norm() > options.nearest_vanishing * meet.z.abs() {
                candidates.push(meet);
            }
        }
    }
    // What each voter gives each candidate. A voter whose direction has been taken is heard less
    // from then on, so that one strong family of lines does not fill the list with its variants.
    let voters = &segments[..segments.len().min(options.max_direction_voters)];
    let votes: Vec<Vec<f64>> =
        candidates.iter().map(|c| voters.iter().map(|s| vote(c, s, tolerance)).collect()).collect();
    let mut voice = vec![1.0; voters.len()];
    let mut kept: Vec<Vanishing> = Vec::new();
    for _ in 0..options.max_directions {
        let heard = |votes: &[f64]| votes.iter().zip(&voice).map(|(vote, voice)| vote * voice).sum::<f64>();
        let best = (0..candidates.len()).max_by(|&a, &b| heard(&votes[a]).total_cmp(&heard(&votes[b])));
        let Some(best) = best else { break };
        let point = settle(&candidates[best], segments, tolerance);
        let support = segments.iter().map(|s| vote(&point, s, tolerance)).sum();
        if !kept.iter().any(|k| same_direction(&k.point, &point, tolerance / 2.0)) {
            kept.push(Vanishing { point, support });
        }
        for (voice, voter) in voice.iter_mut().zip(voters) {
            if vote(&point, voter, tolerance) > 0.0 || vote(&candidates[best], voter, tolerance) > 0.0 {
                *voice *= options.heard_voice;
            }
        }
    }
    kept
}

fn same_direction(a: &Vector3<f64>, b: &Vector3<f64>, tolerance: f64) -> bool {
    PROBES.iter().all(|&[x, y]| {
        let toward = |p: &Vector3<f64>| Vector2::new(p.x - p.z * x, p.y - p.z * y).normalize();
        let (a, b) = (toward(a), toward(b));
        (a.x * b.y - a.y * b.x).abs() < tolerance
    })
}

/// Least squares over the segments that point to it: the vector most nearly on all of their lines.
fn settle(point: &Vector3<f64>, segments: &[Segment], tolerance: f64) -> Vector3<f64> {
    let mut sum = Matrix3::zeros();
    for s in segments.iter().filter(|s| deviation(s, point) < tolerance) {
        let line = s.from.push(1.0).cross(&s.to.push(1.0));
        sum += line * line.transpose();
    }
    let eigen = sum.symmetric_eigen();
    let smallest = eigen.eigenvalues.imin();
    let settled: Vector3<f64> = eigen.eigenvectors.column(smallest).into_owned();
    if same_direction(point, &settled, 2.0 * tolerance) { settled } else { *point }
}

/// The rotation whose x and y axes point to the two vanishing points; `None` where they are not
/// at right angles for this focal length, or the board would be seen too flat.
fn rotation(a: Vector3<f64>, b: Vector3<f64>, focal: f64, options: &FindOptions) -> Option<Matrix3<f64>> {
    let ray = |p: Vector3<f64>| Vector3::new(p.x, p.y, p.z * focal).normalize();
    let (x, y) = (ray(a), ray(b));
    if x.dot(&y).abs() > options.right_angle_tolerance_deg.to_radians().sin() {
        return None;
    }
    // Share the deviation from a right angle between both axes.
    let (sum, difference) = ((x + y).normalize(), (x - y).normalize());
    let (x, mut y) = ((sum + difference).normalize(), (sum - difference).normalize());
    let mut up = x.cross(&y);
    if up.z > 0.0 {
        // The camera looks at the board from above: the board's z axis points toward it.
        (y, up) = (-y, -up);
    }
    (-up.z > options.max_tilt_deg.to_radians().cos()).then(|| Matrix3::from_columns(&[x, y, up]))
}

/// Where the ray through a picture point meets the board's plane, one unit below the camera, in
/// the board's axes; `None` near and above the horizon.
pub(super) fn rectify(rotation: &Matrix3<f64>, focal: f64, p: Vector2<f64>) -> Option<Vector2<f64>> {
    /// Cosine to the plane's normal below which a ray counts as grazing.
    const GRAZING: f64 = 0.2;
    let ray = Vector3::new(p.x / focal, p.y / focal, 1.0);
    let down = -rotation.column(2).dot(&ray);
    (down > GRAZING * ray.norm())
        .then(|| Vector2::new(rotation.column(0).dot(&ray), rotation.column(1).dot(&ray)) / down)
}

/// Whether two orientations give the same shapes on the plane, up to place and size.
fn rectifies_alike(a: &Orientation, b: &Orientation, options: &FindOptions) -> bool {
    let shape = |o: &Orientation| -> Option<[Vector2<f64>; 5]> {
        let mut points = [Vector2::zeros(); 5];
        for (point, probe) in points.iter_mut().zip(PROBES) {
            *point = rectify(&o.rotation, o.focal, Vector2::from(probe))?;
        }
        let middle = points.iter().sum::<Vector2<f64>>() / 5.0;
        let size = points.iter().map(|p| (p - middle).norm_squared()).sum::<f64>().sqrt();
        Some(points.map(|p| (p - middle) / size))
    };
    match (shape(a), shape(b)) {
        (Some(a), Some(b)) => a.iter().zip(&b).all(|(p, q)| (p - q).norm() < options.alike_shape),
        _ => false,
    }
}
