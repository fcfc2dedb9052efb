//! `linecall boards draw`: a board as a drawing to scale.

use std::path::PathBuf;

use crate::{
    board::Board,
    cli::Failure,
    draw::{board_sheet, rasterise},
};

#[derive(Debug, clap::Args)]
pub(super) struct DrawArguments {
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

pub(super) fn run(arguments: &DrawArguments) -> Result<(), Failure> {
    let board = Board::named_or_at(&arguments.board).map_err(Failure::new)?;
    let sheet = board_sheet(&board);
    let Drawing { path, kind } = &arguments.output;
    let written = match kind {
        DrawingKind::Svg => std::fs::write(path, sheet.to_string()).map_err(|error| error.to_string()),
        DrawingKind::Png => {
            let picture = rasterise(&sheet, arguments.scale).map_err(Failure::new)?;
            picture.save_with_format(path, image::ImageFormat::Png).map_err(|error| error.to_string())
        }
    };
    written.map_err(|error| Failure(format!("cannot write {}: {error}", path.display())))?;
    println!("{} drawn to {}", board.id, path.display());
    Ok(())
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
}
