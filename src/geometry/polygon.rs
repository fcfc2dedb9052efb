//! Simple polygons: the areas of a board.

use super::{Point, nearest_on_segment};

/// A closed polygon; the last vertex joins the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    vertices: Vec<Point>,
}

impl Polygon {
    pub fn new(vertices: Vec<Point>) -> Self {
        Self { vertices }
    }

    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Sides as pairs of vertices, the closing side last.
    pub fn sides(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        let next = self.vertices.iter().skip(1).chain(self.vertices.first());
        self.vertices.iter().zip(next).map(|(a, b)| (*a, *b))
    }

    /// Whether `p` lies inside (the even-odd rule).
    pub fn contains(&self, p: Point) -> bool {
        let mut inside = false;
        for (a, b) in self.sides() {
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        inside
    }

    /// Distance from `p` to the border, negative inside.
    pub fn signed_distance_mm(&self, p: Point) -> f64 {
        let border =
            self.sides().map(|(a, b)| (p - nearest_on_segment(p, a, b)).norm()).fold(f64::INFINITY, f64::min);
        if self.contains(p) { -border } else { border }
    }

    /// Enclosed area in square millimetres, whatever the turning direction.
    pub fn area_mm2(&self) -> f64 {
        self.sides().map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f64>().abs() / 2.0
    }

    /// The same polygon mirrored about the line y = `axis_y_mm`.
    pub fn mirrored_y(&self, axis_y_mm: f64) -> Polygon {
        Polygon::new(self.vertices.iter().map(|p| Point::new(p.x, 2.0 * axis_y_mm - p.y)).collect())
    }
}
