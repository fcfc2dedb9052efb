//! Labels that do not cover each other, nor what they are about.

/// Boxes that are taken, in the drawing's units.
pub(super) struct Labels {
    size: [f64; 2],
    taken: Vec<Box2>,
}

/// Left, top, right, bottom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box2 {
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
}

impl Box2 {
    pub(super) fn around(middle: [f64; 2], size: [f64; 2]) -> Self {
        let half = |i: usize| size[i] / 2.0;
        Self {
            low: [middle[0] - half(0), middle[1] - half(1)],
            high: [middle[0] + half(0), middle[1] + half(1)],
        }
    }

    fn overlap(&self, other: &Box2) -> f64 {
        let along = |i: usize| (self.high[i].min(other.high[i]) - self.low[i].max(other.low[i])).max(0.0);
        along(0) * along(1)
    }
}

impl Labels {
    pub(super) fn new(size: [f64; 2]) -> Self {
        Self { size, taken: Vec::new() }
    }

    /// Keeps labels off a place.
    pub(super) fn reserve(&mut self, taken: Box2) {
        self.taken.push(taken);
    }

    /// The middle of a label of `size` near `anchor`, outside the circle of `radius` around it:
    /// the direction and distance that cover least, preferring `toward`.
    pub(super) fn place(
        &mut self,
        anchor: [f64; 2],
        radius: f64,
        size: [f64; 2],
        toward: [f64; 2],
    ) -> [f64; 2] {
        const DIRECTIONS: usize = 16;
        let mut best: Option<(f64, [f64; 2])> = None;
        for ring in [1.0, 1.6, 2.4] {
            for step in 0..DIRECTIONS {
                let angle = std::f64::consts::TAU * step as f64 / DIRECTIONS as f64;
                let (sin, cos) = angle.sin_cos();
                // Push the box out until its nearest side clears the circle.
                let reach = radius * ring + (size[0] / 2.0 * cos.abs()) + (size[1] / 2.0 * sin.abs());
                let middle = [anchor[0] + cos * reach, anchor[1] + sin * reach];
                let turned_away = 1.0 - (cos * toward[0] + sin * toward[1]);
                let cost = self.cost(middle, size) + turned_away * 0.08 + (ring - 1.0) * 0.4;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, middle));
                }
            }
        }
        let middle = best.map_or(anchor, |(_, middle)| middle);
        self.reserve(Box2::around(middle, size));
        middle
    }

    /// Share of the label that covers something or leaves the drawing, with leaving being worse.
    fn cost(&self, middle: [f64; 2], size: [f64; 2]) -> f64 {
        let label = Box2::around(middle, size);
        let covered: f64 = self.taken.iter().map(|taken| label.overlap(taken)).sum();
        let drawing = Box2 { low: [0.0, 0.0], high: self.size };
        let outside = size[0] * size[1] - label.overlap(&drawing);
        (covered + 3.0 * outside) / (size[0] * size[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_off_each_other_and_inside() {
        let mut labels = Labels::new([400.0, 300.0]);
        let mut boxes: Vec<Box2> = Vec::new();
        for anchor in [[20.0, 20.0], [60.0, 20.0], [390.0, 290.0], [200.0, 150.0], [215.0, 150.0]] {
            let middle = labels.place(anchor, 15.0, [50.0, 12.0], [0.0, -1.0]);
            let label = Box2::around(middle, [50.0, 12.0]);
            assert!(label.low[0] >= 0.0 && label.low[1] >= 0.0, "{label:?}");
            assert!(label.high[0] <= 400.0 && label.high[1] <= 300.0, "{label:?}");
            assert!(boxes.iter().all(|other| label.overlap(other) == 0.0), "{label:?} over {boxes:?}");
            boxes.push(label);
        }
    }
}
