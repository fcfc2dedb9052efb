//! Straight edges of the reduced picture.
//!
//! In: grey values. Out: line segments, the longest first, and the same segments joined to long
//! lines where they lie on one.

use nalgebra::Vector2;
use opencv::{
    core::{Mat, Vec4f, Vector, no_array},
    imgproc::{self, LineSegmentDetectorTrait},
};

use super::{FindOptions, small::SmallPicture};

#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub from: Vector2<f64>,
    pub to: Vector2<f64>,
}

impl Segment {
    pub fn length(&self) -> f64 {
        (self.to - self.from).norm()
    }

    pub fn middle(&self) -> Vector2<f64> {
        (self.from + self.to) / 2.0
    }

    /// Direction in [0, pi).
    pub fn angle(&self) -> f64 {
        let d = self.to - self.from;
        d.y.atan2(d.x).rem_euclid(std::f64::consts::PI)
    }

    fn distance_to_line(&self, p: Vector2<f64>) -> f64 {
        let d = (self.to - self.from) / self.length().max(1e-9);
        let v = p - self.from;
        (d.x * v.y - d.y * v.x).abs()
    }
}

/// Segments of at least `min_segment_px`, the longest first.
pub(super) fn detect(small: &SmallPicture, options: &FindOptions) -> opencv::Result<Vec<Segment>> {
    let bytes: Vec<u8> = small.grey.iter().map(|&value| value.round() as u8).collect();
    let image = Mat::new_rows_cols_with_data(small.height as i32, small.width as i32, &bytes)?;
    let mut detector = imgproc::create_line_segment_detector_def()?;
    let mut found = Vector::<Vec4f>::new();
    detector.detect(&image, &mut found, &mut no_array(), &mut no_array(), &mut no_array())?;
    let mut segments: Vec<Segment> = found
        .iter()
        .map(|s| Segment {
            from: Vector2::new(f64::from(s[0]), f64::from(s[1])),
            to: Vector2::new(f64::from(s[2]), f64::from(s[3])),
        })
        .filter(|s| s.length() >= options.min_segment_px)
        .collect();
    segments.sort_by(|a, b| b.length().total_cmp(&a.length()));
    segments.truncate(options.max_segments);
    Ok(segments)
}

/// Long lines: every segment joins the first (longest) line that both of its ends lie on. The two
/// edges of a painted stroke become one line.
pub(super) fn join(segments: &[Segment], options: &FindOptions) -> Vec<(Segment, f64)> {
    let mut lines: Vec<(Segment, f64)> = Vec::new();
    for segment in segments {
        let near = |line: &Segment| {
            line.distance_to_line(segment.from) < options.join_px
                && line.distance_to_line(segment.to) < options.join_px
        };
        match lines.iter_mut().find(|(line, _)| near(line)) {
            Some((_, total)) => *total += segment.length(),
            None => lines.push((*segment, segment.length())),
        }
    }
    lines.sort_by(|a, b| b.1.total_cmp(&a.1));
    lines
}
