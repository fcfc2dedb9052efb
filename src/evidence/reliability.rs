//! Stated probability against truth.

use crate::draw::{Align, Ink, Style, Svg, TextStyle};

/// Things with about the same stated probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// From this probability, to the next bin's.
    pub from: f64,
    pub to: f64,
    pub count: usize,
    /// Mean of what was stated, and share of those that are true.
    pub stated: f64,
    pub true_share: f64,
}

/// Where bins end: narrower where it matters.
const ENDS: [f64; 9] = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.995, 1.0];

/// Stated probabilities with what was true, in bins; those without any are left out.
pub fn reliability(stated: &[(f64, bool)]) -> Vec<Bin> {
    let starts = std::iter::once(0.0).chain(ENDS);
    let bins = starts.zip(ENDS).filter_map(|(from, to)| {
        let is_last = to >= 1.0;
        let inside = |p: f64| from <= p && (p < to || is_last);
        let of_bin: Vec<&(f64, bool)> = stated.iter().filter(|(p, _)| inside(*p)).collect();
        let count = of_bin.len();
        let mean = |sum: f64| sum / count as f64;
        (count > 0).then(|| Bin {
            from,
            to,
            count,
            stated: mean(of_bin.iter().map(|(p, _)| p).sum()),
            true_share: mean(of_bin.iter().filter(|(_, truth)| *truth).count() as f64),
        })
    });
    bins.collect()
}

/// The bins as a picture: on the diagonal what is stated is true. The larger a dot, the more things it stands for.
pub fn diagram(bins: &[Bin], title: &str) -> String {
    const SIDE: f64 = 400.0;
    const EDGE: f64 = 70.0;
    let mut svg = Svg::new(SIDE + 2.0 * EDGE, SIDE + 2.0 * EDGE);
    let at = |stated: f64, truth: f64| [EDGE + stated * SIDE, EDGE + (1.0 - truth) * SIDE];
    let grey = Ink::rgb(150, 150, 150);
    svg.rectangle([0.0, 0.0], [SIDE + 2.0 * EDGE; 2], &Style::filled(Ink::WHITE));
    svg.rectangle([EDGE; 2], [SIDE; 2], &Style::stroked(grey, 1.0));
    svg.line(at(0.0, 0.0), at(1.0, 1.0), &Style::stroked(grey, 1.0).dashed(&[6.0, 4.0]));
    let text = |size: f64| TextStyle::new(size).align(Align::Middle);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let [x, y] = at(tick, 0.0);
        svg.text([x, y + 20.0], &format!("{tick}"), &text(13.0));
        let [x, y] = at(0.0, tick);
        svg.text([x - 22.0, y + 4.0], &format!("{tick}"), &text(13.0));
    }
    for bin in bins {
        // Where 0 of 3 are true, one in five may be.
        let spread = ((bin.true_share * (1.0 - bin.true_share)).max(0.25 / bin.count as f64)
            / bin.count as f64)
            .sqrt();
        let (low, high) = ((bin.true_share - spread).max(0.0), (bin.true_share + spread).min(1.0));
        svg.line(at(bin.stated, low), at(bin.stated, high), &Style::stroked(Ink::rgb(30, 90, 160), 1.5));
        let radius = 3.0 + (bin.count as f64).log10() * 2.0;
        svg.circle(at(bin.stated, bin.true_share), radius, &Style::filled(Ink::rgb(30, 90, 160)));
    }
    svg.text([EDGE + SIDE / 2.0, EDGE - 25.0], title, &text(16.0).bold());
    svg.text([EDGE + SIDE / 2.0, EDGE + SIDE + 48.0], "stated probability", &text(14.0));
    svg.text([16.0, EDGE + SIDE / 2.0], "share that is true", &text(14.0).turned(-90.0));
    svg.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted_where_they_were_stated() {
        let stated = [(0.8, true), (0.85, true), (0.75, false), (0.999, true), (1.0, true)];
        let bins = reliability(&stated);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[0].count, bins[1].count), (3, 2));
        assert!((bins[0].true_share - 2.0 / 3.0).abs() < 1e-9 && (bins[0].stated - 0.8).abs() < 1e-9);
    }
}
