//! Figures as a table for people.

use std::fmt::Write;

use super::{PhotoEvaluation, Summary, Verdict};

/// One line a category.
pub fn table(summaries: &[Summary]) -> String {
    let header = [
        "category",
        "photos",
        "no board",
        "pieces",
        "missed",
        "extra",
        "colour",
        "median",
        "95 %",
        "worst",
        "rms/σ",
        ">3σ %",
        "doubtful %",
        "calls",
        "wrong",
        "sure wrong",
        "open",
        "needless",
        "areas",
        "tallies",
        "wrong",
        "sure wrong",
        "ms",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    rows.extend(summaries.iter().map(row));
    aligned(&rows)
}

/// Rows of cells under one another: the first to the left, the others to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match column {
                0 => write!(text, "{cell:width$}"),
                _ => write!(text, "  {cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}

fn row(summary: &Summary) -> Vec<String> {
    let position = |figure: fn(&super::PositionSummary) -> f64, digits: usize| {
        let figure = summary.position.as_ref().map(figure).filter(|figure| figure.is_finite());
        figure.map_or("-".into(), |figure| format!("{figure:.digits$}"))
    };
    let calls = &summary.calls;
    let judged = calls.right + calls.wrong + calls.wrong_and_sure + calls.open + calls.open_needlessly;
    let tallies = &summary.tallies;
    let t = &summary.times;
    let analysis_secs = t.register_secs + t.detect_secs + t.measure_secs + t.paint_secs + t.calls_secs;
    vec![
        summary.category.clone(),
        summary.photos.to_string(),
        summary.not_found.to_string(),
        summary.pieces.to_string(),
        summary.missed.to_string(),
        summary.extra.to_string(),
        summary.colour_wrong.to_string(),
        position(|p| p.median_mm, 3),
        position(|p| p.p95_mm, 3),
        position(|p| p.worst_mm, 2),
        position(|p| p.normalised_rms, 2),
        position(|p| p.beyond_3_sigma * 100.0, 1),
        position(|p| p.untrusted * 100.0, 1),
        judged.to_string(),
        (calls.wrong + calls.wrong_and_sure).to_string(),
        calls.wrong_and_sure.to_string(),
        (calls.open + calls.open_needlessly).to_string(),
        calls.open_needlessly.to_string(),
        summary.places_wrong.to_string(),
        (tallies.right + tallies.wrong + tallies.wrong_and_sure).to_string(),
        (tallies.wrong + tallies.wrong_and_sure).to_string(),
        tallies.wrong_and_sure.to_string(),
        format!("{:.1}", analysis_secs * 1000.0),
    ]
}

/// What to look at: photos without a board, pieces missed and extra, wrong calls, then the
/// `count` pieces that lie farthest off.
pub fn worst_list(photos: &[PhotoEvaluation], count: usize) -> String {
    let mut text = String::new();
    let mut found = Vec::new();
    for photo in photos {
        let name = &photo.name;
        let outcome = match &photo.outcome {
            Ok(outcome) => outcome,
            Err(reason) => {
                let _ = writeln!(text, "{name}: {reason}");
                continue;
            }
        };
        for piece in &outcome.missed {
            let _ = writeln!(text, "{name}: missed {} at {:.1}, {:.1}", piece.colour, piece.at.x, piece.at.y);
        }
        for piece in &outcome.extra {
            let _ = writeln!(text, "{name}: extra {} at {:.1}, {:.1}", piece.colour, piece.at.x, piece.at.y);
        }
        if let Some(tally) = outcome.tally.as_ref().filter(|tally| !tally.right) {
            let how = if tally.sure { "and sure" } else { "with doubts" };
            let _ = writeln!(text, "{name}: tally {} is wrong {how}", tally.reported);
        }
        for piece in &outcome.pieces {
            if piece.colour != piece.reported_colour {
                let (x, y) = (piece.at.x, piece.at.y);
                let _ = writeln!(
                    text,
                    "{name}: {} at {x:.1}, {y:.1} called {}",
                    piece.colour, piece.reported_colour
                );
            }
            if let Some(contact) = &piece.contact
                && !matches!(contact.verdict, Verdict::Right | Verdict::Open)
            {
                let _ = writeln!(
                    text,
                    "{name}: {:?} {} of {} {}: gap {:.3} ± {:.3}, p {:.3}, true gap {:.3}",
                    contact.verdict,
                    contact.line,
                    piece.colour,
                    piece.id,
                    contact.gap_mm,
                    contact.sigma_mm,
                    contact.p_touching,
                    contact.true_gap_mm
                );
            }
            if let Some(wrong) = &piece.wrong_place {
                let _ = writeln!(text, "{name}: {} {} has the wrong place: {wrong}", piece.colour, piece.id);
            }
            found.push((name, piece));
        }
    }
    found.sort_by(|a, b| b.1.error_mm().total_cmp(&a.1.error_mm()));
    for (name, piece) in found.into_iter().take(count) {
        let _ = writeln!(
            text,
            "{name}: {} {} at {:.1}, {:.1}: off by {:+.3}, {:+.3} = {:.3} mm, sigma {:.3} ({:.1} sigma){}",
            piece.colour,
            piece.id,
            piece.at.x,
            piece.at.y,
            piece.error_x_mm,
            piece.error_y_mm,
            piece.error_mm(),
            piece.sigma_mm,
            piece.error_mm() / piece.sigma_mm,
            if piece.trusted { "" } else { ", not trusted" }
        );
    }
    text
}
