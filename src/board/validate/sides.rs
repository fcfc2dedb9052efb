//! What lies beyond the surface's sides: a rail or a gutter on each, or nothing, as the ends say.

use super::super::faults::FaultList;
use super::super::form::*;
use super::super::table::At;
use super::super::values::Extent;
use super::super::*;

pub(super) fn check(form: &BoardForm, surface: &SurfaceForm, faults: &FaultList) {
    rails(form, surface, faults);
    gutters(form, surface, faults);
}

fn rails(form: &BoardForm, surface: &SurfaceForm, faults: &FaultList) {
    let mut seen = Vec::new();
    for rail in &form.rails {
        let At { line, value } = &rail.sides;
        if value.0.is_empty() {
            faults.add(*line, format!("{}sides is empty, expected at least one side", rail.called));
        }
        if let Some(At { line, value: Extent(rounding_mm) }) = &rail.rounding_mm {
            let most_mm = rail.height_mm.min(rail.width_mm / 2.0);
            if *rounding_mm > most_mm {
                faults.add(
                    *line,
                    format!(
                        "{}rounding_mm is {rounding_mm}, expected at most {most_mm}: its height, and half its width",
                        rail.called
                    ),
                );
            }
        }
        for side in &value.0 {
            if seen.contains(&side) {
                let word = side_word(*side);
                faults.add(*line, format!("{}side {word:?} has a rail already, expected one", rail.called));
            }
            seen.push(side);
            let across_an_end = matches!(side, BoardSide::Near | BoardSide::Far);
            if across_an_end && surface.ends.value != EndKind::Frame {
                let word = side_word(*side);
                faults
                    .add(*line, format!("{}side {word:?} is an end, expected ends = \"frame\"", rail.called));
            }
        }
    }
    if surface.ends.value == EndKind::Frame {
        for side in [BoardSide::Near, BoardSide::Far] {
            if !seen.contains(&&side) {
                let word = side_word(side);
                faults.add(
                    surface.ends.line,
                    format!("surface: ends is \"frame\", expected a rail on side {word:?}"),
                );
            }
        }
    }
}

/// A side has a rail or a gutter, or neither.
fn gutters(form: &BoardForm, surface: &SurfaceForm, faults: &FaultList) {
    let mut seen = Vec::new();
    for gutter in &form.gutters {
        let (At { line, value }, called) = (&gutter.sides, &gutter.called);
        if value.0.is_empty() {
            faults.add(*line, format!("{called}sides is empty, expected at least one side"));
        }
        for side in &value.0 {
            let word = side_word(*side);
            if seen.contains(&side) {
                faults.add(*line, format!("{called}side {word:?} has a gutter already, expected one"));
            }
            seen.push(side);
            if form.rails.iter().any(|rail| rail.sides.value.0.contains(side)) {
                let expected = "expected a rail or a gutter";
                faults.add(*line, format!("{called}side {word:?} has a rail, {expected}"));
            }
            let across_an_end = matches!(side, BoardSide::Near | BoardSide::Far);
            if across_an_end && surface.ends.value != EndKind::Gutter {
                faults.add(*line, format!("{called}side {word:?} is an end, expected ends = \"gutter\""));
            }
        }
    }
}

fn side_word(side: BoardSide) -> &'static str {
    match side {
        BoardSide::Near => "near",
        BoardSide::Right => "right",
        BoardSide::Far => "far",
        BoardSide::Left => "left",
    }
}
