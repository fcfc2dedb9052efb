//! Refusals in words for people: what was found, what was missing, what to try.

use std::fmt;

use super::{Missing, NextStep, Refusal, refusal::LineElsewhere};
use crate::camera::Pixel;

/// The photo's name in a command, where none is known.
const ANY_PHOTO: &str = "PHOTO";

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(ANY_PHOTO))
    }
}

impl Refusal {
    /// One sentence of what is wrong, and one of what to do; `photo` is named in commands.
    pub fn words(&self, photo: &str) -> String {
        let found = self.found_words().map_or(String::new(), |found| format!("; {found}"));
        let next = self.next_words(photo);
        match &self.missing {
            Missing::EveryBoard { tried } if tried.len() == 1 => {
                format!("the board {} was not found in the picture{found}. {next}", tried[0])
            }
            Missing::EveryBoard { tried } => {
                format!("none of the boards {} was found in the picture{found}. {next}", tried.join(", "))
            }
            missing => format!(
                "the board {} was not found in the picture: {}{found}. {next}",
                self.board,
                missing_words(missing)
            ),
        }
    }

    fn found_words(&self) -> Option<String> {
        let (corners, sides) = self.found.outline.as_ref()?;
        // Where the lines or sides were in place, everyone sees where the surface is.
        if matches!(self.missing, Missing::Sides | Missing::OneRail | Missing::SomeLines { .. }) {
            return None;
        }
        let seen = match sides {
            4 => String::new(),
            3 => ", one side of it out of the picture".to_owned(),
            sides => format!(", {} of its sides out of the picture", 4 - sides),
        };
        let kind = match &self.found.nearest_kind {
            Some(kind) if *kind != self.board => format!("; it looks most like {kind}"),
            _ => String::new(),
        };
        Some(format!(
            "a playing surface is there by its outline (corners {}{seen}){kind}",
            corner_words(corners, " ")
        ))
    }

    fn next_words(&self, photo: &str) -> String {
        match self.next_step() {
            NextStep::MoveBack => {
                "Take the photo from farther away, with at least three sides of the surface in it".to_owned()
            }
            NextStep::MoreLight => "Take it again with more light".to_owned(),
            NextStep::LargerPicture => "Give a larger picture".to_owned(),
            NextStep::Learn { like } => format!(
                "If this is another make of table, learn it: linecall boards learn {photo} --like {like} \
                 -o my-board.toml"
            ),
            NextStep::Corners(corners) => format!(
                "Say where it lies: --corners {}",
                corners.map_or_else(
                    || "x,y,x,y,x,y,x,y (near left, near right, far right, far left)".to_owned(),
                    |c| {
                        format!(
                            "{} (of the surface: near left, near right, far right, far left)",
                            player_corners(c)
                        )
                    }
                )
            ),
            NextStep::Uncover => "Uncover them, or name another board (linecall boards)".to_owned(),
            NextStep::ShowSides => {
                "Take the photo with both long sides in it, or give four corners with --corners".to_owned()
            }
        }
    }
}

/// An outline's corners as a person at the picture's lower edge names them.
fn player_corners(corners: [Pixel; 4]) -> String {
    let lowest = (0..4).max_by(|&a, &b| {
        let middle_y = |side: usize| corners[side].y + corners[(side + 1) % 4].y;
        middle_y(a).total_cmp(&middle_y(b))
    });
    // Clockwise as seen, the lowest side runs from right to left.
    let near = lowest.unwrap_or(0);
    let at = |i: usize| corners[(near + i) % 4];
    corner_words(&[at(1), at(0), at(3), at(2)], ",")
}

fn corner_words(corners: &[Pixel; 4], between: &str) -> String {
    corners.map(|corner| format!("{:.0},{:.0}", corner.x, corner.y)).join(between)
}

fn missing_words(missing: &Missing) -> String {
    match missing {
        Missing::Picture { width, height } => {
            format!("the picture of {width} x {height} pixels is too small")
        }
        Missing::StraightLines => {
            "there are too few straight lines: it may be out of view, too blurred or too dark".into()
        }
        Missing::PaintInView => "no painted line of it is in view, and an outline alone is not enough".into(),
        Missing::Room => "too little of it is in view".into(),
        Missing::PlacesInView { places } => {
            format!(
                "no place for it was found that has enough of its lines in view ({places} places to look \
                 at best)"
            )
        }
        Missing::Lines { shown: None } => "no lines in the picture lie to each other as its lines do".into(),
        Missing::Lines { shown: Some((shown, looked_at)) } => {
            format!(
                "its lines are not where they would have to be ({shown} of {looked_at} places show paint)"
            )
        }
        Missing::SomeLines { unpainted, elsewhere } => some_lines_words(unpainted, elsewhere),
        Missing::Exactness { rms_px, limit_px } => {
            format!(
                "its lines are there, but the paint lies {rms_px:.2} px beside its drawing (at most \
                 {limit_px:.2} px): this one is painted otherwise than the board file says"
            )
        }
        Missing::Agreement { places } => format!("only {places} places of its lines agree"),
        Missing::Sides => {
            "its lines are there, but its sides are not where they would have to be: it may be another board"
                .into()
        }
        Missing::OneRail => "one of its rails is not where it would have to be".into(),
        Missing::OnlyItsPaint(foreign) => foreign_words(foreign),
        Missing::Certainty => "what can be seen could as well be something else".into(),
        Missing::Place => "its lines leave the camera's place open".into(),
        Missing::EveryBoard { tried } => format!("it is none of {}", tried.join(", ")),
        Missing::Other(reason) => reason.clone(),
    }
}

fn some_lines_words(unpainted: &[String], elsewhere: &[LineElsewhere]) -> String {
    let lines = |n: usize| if n == 1 { "this line" } else { "these lines" };
    let mut parts = Vec::new();
    if !elsewhere.is_empty() {
        let names: Vec<String> =
            elsewhere.iter().map(|at| format!("{} ({:.1} mm)", at.line, at.off_mm)).collect();
        parts.push(format!(
            "{} of it are painted beside where the board file has them: {}",
            lines(elsewhere.len()),
            names.join(", ")
        ));
    }
    if !unpainted.is_empty() {
        parts.push(format!(
            "no paint is to be seen where {} would have to be: {}",
            lines(unpainted.len()),
            unpainted.join(", ")
        ));
    }
    parts.join("; ")
}

fn foreign_words(foreign: &super::ForeignPaint) -> String {
    let [x0, y0, x1, y1] = foreign.bounds_mm;
    let where_to = format!("x {x0:.0} to {x1:.0}, y {y0:.0} to {y1:.0} mm");
    if foreign.is_patch {
        format!(
            "there is print that its file does not have ({where_to}): a maker's mark or a figure can be \
             described under [[prints]]"
        )
    } else {
        format!("there are painted lines on the surface that it does not have ({where_to})")
    }
}
