//! Many learned tables in a few figures.

use std::path::Path;

use serde::Serialize;

use super::{
    super::{PhotoEvaluation, Summary, aligned, summarise, summary::quantile},
    LearnedEvaluation, LineOutcome, LinesOutcome,
};

/// The figures of one category.
#[derive(Debug, Clone, Serialize)]
pub struct LearnedSummary {
    pub category: String,
    pub tables: usize,
    pub refused: usize,
    /// True lines in view that the template has.
    pub lines: usize,
    pub missed: usize,
    pub wrong: usize,
    pub offset_median_mm: Option<f64>,
    pub offset_p95_mm: Option<f64>,
    pub width_median_mm: Option<f64>,
    pub width_p95_mm: Option<f64>,
    pub diameter_median_mm: Option<f64>,
    pub learn_secs: f64,
    pub by_learned: Summary,
    pub by_true: Summary,
    /// Median error with the learned boards by that with the true ones, over photos scored with both.
    pub error_ratio: Option<f64>,
}

/// The figures of all categories, and of all tables together.
pub fn summarise_learned(evaluations: &[LearnedEvaluation]) -> Vec<LearnedSummary> {
    let mut categories: Vec<&str> = evaluations.iter().map(|table| table.category.as_str()).collect();
    categories.sort_unstable();
    categories.dedup();
    let of = |category: &str| -> Vec<&LearnedEvaluation> {
        evaluations.iter().filter(|table| table.category == category).collect()
    };
    let mut summaries: Vec<_> =
        categories.iter().map(|category| summary_of(category, &of(category))).collect();
    if summaries.len() > 1 {
        summaries.push(summary_of("total", &evaluations.iter().collect::<Vec<_>>()));
    }
    summaries
}

fn summary_of(category: &str, tables: &[&LearnedEvaluation]) -> LearnedSummary {
    let learned: Vec<&LinesOutcome> = tables.iter().filter_map(|table| table.lines.as_ref().ok()).collect();
    let matched: Vec<&LineOutcome> = learned.iter().flat_map(|lines| &lines.matched).collect();
    let sorted = |figure: &dyn Fn(&LineOutcome) -> Option<f64>| {
        let mut values: Vec<f64> = matched.iter().filter_map(|line| figure(line)).map(f64::abs).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let offsets = sorted(&|line| Some(line.offset_mm));
    let widths = sorted(&|line| Some(line.width_mm));
    let missed = learned.iter().map(|lines| lines.missed.len()).sum();
    LearnedSummary {
        category: category.to_owned(),
        tables: tables.len(),
        refused: tables.len() - learned.len(),
        lines: matched.len() + missed,
        missed,
        wrong: learned.iter().map(|lines| lines.wrong.len()).sum(),
        offset_median_mm: quantile(&offsets, 0.5),
        offset_p95_mm: quantile(&offsets, 0.95),
        width_median_mm: quantile(&widths, 0.5),
        width_p95_mm: quantile(&widths, 0.95),
        diameter_median_mm: quantile(&sorted(&|line| line.diameter_mm), 0.5),
        learn_secs: tables.iter().map(|table| table.learn_secs).sum::<f64>() / tables.len().max(1) as f64,
        by_learned: summarise(category, tables.iter().map(|table| &table.by_learned)),
        by_true: summarise(category, tables.iter().map(|table| &table.by_true)),
        error_ratio: error_ratio(tables),
    }
}

fn error_ratio(tables: &[&LearnedEvaluation]) -> Option<f64> {
    let both = tables.iter().filter(|t| t.by_learned.outcome.is_ok() && t.by_true.outcome.is_ok());
    let by_learned = summarise("", both.clone().map(|table| &table.by_learned)).position?;
    let by_true = summarise("", both.map(|table| &table.by_true)).position?;
    Some(by_learned.median_mm / by_true.median_mm)
}

/// One line a category; below it the tables from which nothing was learned, with the reason.
pub fn learned_table(summaries: &[LearnedSummary], evaluations: &[LearnedEvaluation]) -> String {
    let header = [
        "category",
        "tables",
        "refused",
        "lines",
        "missed",
        "wrong",
        "median",
        "95 %",
        "width",
        "95 %",
        "diameter",
        "s",
        "scored",
        "missed",
        "extra",
        "sure wrong",
        "by truth",
        "missed",
        "extra",
        "sure wrong",
        "ratio",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    let or_dash = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    for s in summaries {
        let mut row = vec![s.category.clone()];
        row.extend([s.tables, s.refused, s.lines, s.missed, s.wrong].map(|count| count.to_string()));
        row.extend([s.offset_median_mm, s.offset_p95_mm, s.width_median_mm, s.width_p95_mm].map(or_dash));
        row.extend([s.diameter_median_mm, Some(s.learn_secs)].map(or_dash));
        for by in [&s.by_learned, &s.by_true] {
            let scored = by.photos - by.not_found;
            row.extend(
                [scored, by.missed, by.extra, by.tallies.wrong_and_sure].map(|count| count.to_string()),
            );
        }
        row.push(or_dash(s.error_ratio));
        rows.push(row);
    }
    let mut text = aligned(&rows);
    for table in evaluations {
        if let Err(reason) = &table.lines {
            text += &format!("{}: not learned: {reason}\n", table.name);
        }
    }
    text
}

/// Every table's own figures, for those who look for what to mend.
impl LearnedEvaluation {
    pub fn line(&self, folder: &Path) -> String {
        let name = folder.join(&self.name).display().to_string();
        let Ok(lines) = &self.lines else { return format!("{name}  not learned") };
        let mut offsets: Vec<f64> = lines.matched.iter().map(|line| line.offset_mm).collect();
        offsets.sort_by(f64::total_cmp);
        let worst = lines.matched.iter().max_by(|a, b| a.offset_mm.total_cmp(&b.offset_mm));
        let worst = worst.map_or_else(String::new, |line| format!("{} {:.2}", line.name, line.offset_mm));
        let scored = |by: &PhotoEvaluation| match &by.outcome {
            Ok(outcome) => {
                format!(
                    "{} found {} missed {} extra",
                    outcome.pieces.len(),
                    outcome.missed.len(),
                    outcome.extra.len()
                )
            }
            Err(reason) => format!("refused ({})", reason.lines().next().unwrap_or_default()),
        };
        format!(
            "{name}  lines {} median {:.2} worst {worst}; missed {:?}; wrong {:?}; learned: {}; true: {}",
            lines.matched.len(),
            quantile(&offsets, 0.5).unwrap_or(f64::NAN),
            lines.missed,
            lines.wrong,
            scored(&self.by_learned),
            scored(&self.by_true),
        )
    }
}
