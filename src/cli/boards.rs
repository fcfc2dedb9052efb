//! `linecall boards`: lists, checks and draws boards.

use std::path::PathBuf;

use clap::Subcommand;
use serde_json::json;

use super::Failure;
use crate::board::Board;
use crate::draw::{board_sheet, rasterise};
use crate::output::{Inputs, Kind, write, write_picture};

/// Lists the boards that ship, or checks or draws a board file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct BoardsArguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// One JSON object a line for each board.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  linecall boards                                  the boards that ship
  linecall boards --json                           the same for programs
  linecall boards draw carrom-court -o court.svg   a drawing to hold against the real board
  linecall boards draw my-table.toml -o table.png  the same of a board file of your own
  linecall boards check my-table.toml              every fault of a board file";

#[derive(Debug, Subcommand)]
enum Action {
    /// Draws a board to scale, with every measure, to compare with the real one.
    Draw(DrawArguments),
    /// Checks board files and names every fault.
    Check(CheckArguments),
}

#[derive(Debug, clap::Args)]
struct DrawArguments {
    /// A shipped board's id, or the path of a board file.
    #[arg(value_name = "ID|FILE")]
    board: String,
    /// Where the drawing goes; its ending says which kind it is.
    #[arg(short, long, value_name = "FILE.svg|FILE.png", value_parser = drawing)]
    output: Drawing,
    /// Pixels of a PNG for each unit of the drawing.
    #[arg(long, value_name = "N", default_value_t = 1.5)]
    scale: f64,
}

#[derive(Debug, clap::Args)]
struct CheckArguments {
    /// Board files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

#[derive(Debug, Clone)]
struct Drawing {
    path: PathBuf,
    kind: DrawingKind,
}

#[derive(Debug, Clone, Copy)]
enum DrawingKind {
    Svg,
    Png,
}

fn drawing(text: &str) -> Result<Drawing, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let kind = match ending.as_deref() {
        Some("svg") => DrawingKind::Svg,
        Some("png") => DrawingKind::Png,
        _ => return Err("expected a file name that ends in .svg or .png".to_owned()),
    };
    Ok(Drawing { path, kind })
}

pub fn run(arguments: &BoardsArguments) -> Result<(), Failure> {
    match &arguments.action {
        Some(Action::Draw(draw)) => run_draw(draw),
        Some(Action::Check(check)) => run_check(check),
        None => {
            let boards = Board::shipped().map_err(Failure::new)?;
            if arguments.json {
                boards.iter().for_each(|board| println!("{}", as_json(board)));
            } else {
                print!("{}", table(&boards));
            }
            Ok(())
        }
    }
}

fn run_draw(arguments: &DrawArguments) -> Result<(), Failure> {
    let board = Board::named_or_at(&arguments.board)?;
    let sheet = board_sheet(&board);
    let Drawing { path, kind } = &arguments.output;
    let inputs = Inputs::of([&arguments.board]);
    match kind {
        DrawingKind::Svg => write(path, Kind::Svg, sheet.to_string().as_bytes(), &inputs)?,
        DrawingKind::Png => {
            // The size is the scale's, and the drawing's own fits.
            let picture = rasterise(&sheet, arguments.scale).map_err(Failure::usage)?;
            write_picture(path, Kind::Png, &picture.into(), &inputs)?;
        }
    }
    println!("{} drawn to {}", board.id, path.display());
    Ok(())
}

fn run_check(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for path in &arguments.files {
        match Board::load(path) {
            Ok(board) => println!("{}: {} ({})", path.display(), board.name, summary(&board)),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure(wrong.join("\n"))) }
}

fn summary(board: &Board) -> String {
    let count = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    let pieces: usize = board.pieces.iter().map(|kind| kind.count).sum();
    [count(board.lines.len(), "line"), count(board.areas.len(), "area"), count(pieces, "piece")].join(", ")
}

fn table(boards: &[Board]) -> String {
    let head = ["ID", "BOARD", "SIZE, MM", "GAMES", "PIECES"].map(str::to_owned);
    let rows: Vec<[String; 5]> = boards
        .iter()
        .map(|board| {
            let pieces: Vec<_> =
                board.pieces.iter().map(|kind| format!("{} {}", kind.count, kind.name)).collect();
            [
                board.id.clone(),
                board.name.clone(),
                format!("{} x {}", board.surface.width_mm, board.surface.length_mm),
                board.games.join(", "),
                pieces.join(", "),
            ]
        })
        .collect();
    let widths: [usize; 5] = std::array::from_fn(|column| {
        rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let line = |row: &[String; 5]| {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    std::iter::once(&head).chain(&rows).map(line).collect()
}

fn as_json(board: &Board) -> serde_json::Value {
    let pieces: Vec<_> = board
        .pieces
        .iter()
        .map(|kind| {
            json!({
                "name": kind.name, "count": kind.count, "colour": kind.colour.to_string(),
                "diameter_mm": kind.diameter_mm, "height_mm": kind.height_mm, "shooter": kind.shooter,
            })
        })
        .collect();
    let mut areas: Vec<serde_json::Value> = Vec::new();
    for area in &board.areas {
        let entry = json!({ "name": area.name, "value": area.value });
        if !areas.contains(&entry) {
            areas.push(entry);
        }
    }
    if let Some(hanging) = &board.hanging {
        areas.push(json!({ "name": hanging.area, "value": hanging.value }));
    }
    json!({
        "id": board.id, "name": board.name, "games": board.games,
        "width_mm": board.surface.width_mm, "length_mm": board.surface.length_mm,
        "areas": areas, "pieces": pieces,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_kind_of_drawing_it_is() {
        assert!(matches!(drawing("a/b.SVG"), Ok(Drawing { kind: DrawingKind::Svg, .. })));
        assert!(matches!(drawing("b.png"), Ok(Drawing { kind: DrawingKind::Png, .. })));
        for wrong in ["b.jpg", "b", ".png", ""] {
            assert!(drawing(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn columns_line_up() {
        let table = table(&Board::shipped().unwrap());
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 6);
        let column = lines[0].find("SIZE").unwrap();
        for line in &lines[1..] {
            let cell: String = line.chars().skip(column).take(3).collect();
            assert!(cell.parse::<u32>().is_ok(), "{cell:?} in {line:?}");
        }
    }
}
