//! From a scene file's text to a validated [`Scene`], or every reason why not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::board::{Board, Colour, Make};
use crate::camera::Camera;

use super::dress::Dress;
use super::limits::*;
use super::scene::*;
use super::view;

#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    #[error("cannot read scene {path}: {source}; check the path")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("scene {name} is no scene file: {reason}; the smallest scene is {{\"board\": \"carrom-court\"}}")]
    Form { name: String, reason: String },
    #[error("scene {name}: {}", listed(reasons))]
    Invalid { name: String, reasons: Vec<String> },
}

fn listed(reasons: &[String]) -> String {
    match reasons {
        [one] => one.clone(),
        many => many.iter().fold(format!("{} faults", many.len()), |mut text, reason| {
            let _ = write!(text, "\n  - {reason}");
            text
        }),
    }
}

/// A scene that can be rendered: the file's values, all within their ranges, with the board, the
/// camera and every piece's sizes resolved.
#[derive(Debug, Clone)]
pub struct Scene {
    pub file: SceneFile,
    pub board: Board,
    pub camera: Camera,
    pub pieces: Vec<Piece>,
    pub dress: Dress,
}

/// A piece with nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Its kind's name.
    pub colour: String,
    pub x_mm: f64,
    pub y_mm: f64,
    pub z_mm: f64,
    pub radius_mm: f64,
    pub height_mm: f64,
    pub rim_mm: f64,
    pub base_rim_mm: f64,
    pub make: MakePart,
    pub cap_radius_mm: f64,
    pub paint: Colour,
    pub stacked_on: Option<usize>,
    pub velocity_mm_s: [f64; 2],
    pub shot: Option<usize>,
    pub parked: Option<Parked>,
}

/// A base edge is broken less than a top rim; share of the top rim's rounding.
const BASE_RIM_SHARE: f64 = 0.3;
/// A cap covers this share of the diameter unless something else is given.
const CAP_SHARE: f64 = 0.78;

impl SceneFile {
    pub fn load(path: &Path) -> Result<SceneFile, SceneError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| SceneError::Read { path: path.to_owned(), source })?;
        SceneFile::parse(&text, &path.display().to_string())
    }

    /// Reads a scene file's text; `name` is what errors call it. Unknown fields are refused.
    pub fn parse(text: &str, name: &str) -> Result<SceneFile, SceneError> {
        let mut unknown = Vec::new();
        let mut json = serde_json::Deserializer::from_str(text);
        let form = |e: serde_json::Error| SceneError::Form { name: name.to_owned(), reason: e.to_string() };
        let file =
            serde_ignored::deserialize(&mut json, |path| unknown.push(path.to_string())).map_err(form)?;
        json.end().map_err(form)?;
        if unknown.is_empty() {
            return Ok(file);
        }
        let reasons = unknown
            .iter()
            .map(|path| format!("{path}: unknown field; remove it or check its spelling"))
            .collect();
        Err(SceneError::Invalid { name: name.to_owned(), reasons })
    }

    /// Checks every value and resolves what is open; `name` is what errors call the scene.
    pub fn validate(self, name: &str) -> Result<Scene, SceneError> {
        let invalid = |reasons| SceneError::Invalid { name: name.to_owned(), reasons };
        let board = Board::named_or_at(&self.board).map_err(|e| invalid(vec![format!("board: {e}")]))?;
        self.validate_on(board, name)
    }

    /// The same for a board that is already loaded.
    pub fn validate_on(self, board: Board, name: &str) -> Result<Scene, SceneError> {
        let mut faults = Faults::default();
        self.check_values(&mut faults);
        let mut pieces = Vec::new();
        for (index, part) in self.pieces.iter().enumerate().take(MAX_PIECES) {
            if let Some(piece) = resolve_piece(part, index, &board, &pieces, &mut faults) {
                pieces.push(piece);
            }
        }
        for key in self.look.paint_offsets_mm.keys() {
            if !board.lines.iter().any(|line| *key == line.name || *key == offset_key(&line.name, line.end)) {
                faults.add(
                    format!("look.paint_offsets_mm.{key}"),
                    format!("a line's name of board {}", board.id),
                );
            }
        }
        if let Some(sequence) = &self.sequence {
            sequence.check_on(&board, &mut faults);
        }
        let camera = view::resolve(&self.camera, &board, &mut faults);
        match camera {
            Some(camera) if faults.reasons.is_empty() => {
                Ok(Scene { file: self, board, camera, pieces, dress: Dress::default() })
            }
            _ => Err(SceneError::Invalid { name: name.to_owned(), reasons: faults.reasons }),
        }
    }

    fn check_values(&self, faults: &mut Faults) {
        if self.pieces.len() > MAX_PIECES {
            faults.add("pieces", format!("at most {MAX_PIECES}, found {}", self.pieces.len()));
        }
        if self.objects.len() > MAX_OBJECTS {
            faults.add("objects", format!("at most {MAX_OBJECTS}, found {}", self.objects.len()));
        }
        for (i, object) in self.objects.iter().enumerate().take(MAX_OBJECTS) {
            let at = |field: &str| format!("objects[{i}].{field}");
            faults.within(at("x_mm"), object.x_mm, POSITION_MM);
            faults.within(at("y_mm"), object.y_mm, POSITION_MM);
            faults.within_if(at("z_mm"), object.z_mm, HEIGHT_MM);
            faults.within(at("angle_deg"), object.angle_deg, ANGLE_DEG);
            faults.within_if(at("diameter_mm"), object.diameter_mm, OBJECT_SIZE_MM);
            faults.colour_if(at("colour"), object.colour.as_deref());
            faults.colour_if(at("sleeve"), object.sleeve.as_deref());
        }
        if self.light.lamps.len() > MAX_LAMPS {
            faults.add("light.lamps", format!("at most {MAX_LAMPS}, found {}", self.light.lamps.len()));
        }
        for (i, lamp) in self.light.lamps.iter().enumerate().take(MAX_LAMPS) {
            let at = |field: &str| format!("light.lamps[{i}].{field}");
            faults.within(at("x_mm"), lamp.x_mm, POSITION_MM);
            faults.within(at("y_mm"), lamp.y_mm, POSITION_MM);
            faults.within(at("z_mm"), lamp.z_mm, LAMP_HEIGHT_MM);
            faults.within(at("radius_mm"), lamp.radius_mm, LAMP_RADIUS_MM);
            faults.within(at("strength"), lamp.strength, POSITIVE_SHARE);
            faults.colour_if(at("colour"), lamp.colour.as_deref());
        }
        faults.within("light.ambient", self.light.ambient, SHARE);
        if let Some(band) = &self.light.shadow_band {
            faults.within("light.shadow_band.x_mm", band.x_mm, POSITION_MM);
            faults.within("light.shadow_band.y_mm", band.y_mm, POSITION_MM);
            faults.within("light.shadow_band.angle_deg", band.angle_deg, ANGLE_DEG);
            faults.within("light.shadow_band.width_mm", band.width_mm, BAND_WIDTH_MM);
            faults.within("light.shadow_band.height_mm", band.height_mm, BAND_HEIGHT_MM);
        }
        let look = &self.look;
        faults.colour_if("look.wood", look.wood.as_deref());
        faults.colour_if("look.rails", look.rails.as_deref());
        faults.colour_if("look.floor_colour", look.floor_colour.as_deref());
        faults.within("look.grain", look.grain, GRAIN);
        faults.within("look.strip_mm", look.strip_mm, STRIP_MM);
        faults.within("look.wear", look.wear, SHARE);
        faults.within("look.gloss", look.gloss, SHARE);
        for (line, offset) in &look.paint_offsets_mm {
            for value in offset {
                faults.within(format!("look.paint_offsets_mm.{line}"), *value, PAINT_OFFSET_MM);
            }
        }
        let picture = &self.picture;
        faults.within("picture.exposure", picture.exposure, EXPOSURE);
        for gain in picture.cast {
            faults.within("picture.cast", gain, CAST);
        }
        faults.within("picture.vignette", picture.vignette, SHARE);
        faults.within("picture.defocus_px", picture.defocus_px, DEFOCUS_PX);
        for shake in picture.shake_px {
            faults.within("picture.shake_px", shake, SHAKE_PX);
        }
        faults.within("picture.noise", picture.noise, NOISE);
        faults.within("picture.exposure_secs", picture.exposure_secs, EXPOSURE_SECS);
        faults.within("picture.jpeg_quality", f64::from(picture.jpeg_quality), JPEG_QUALITY);
        if let Some(sequence) = &self.sequence {
            sequence.check(faults);
        }
    }
}

fn resolve_piece(
    part: &PiecePart,
    index: usize,
    board: &Board,
    below: &[Piece],
    faults: &mut Faults,
) -> Option<Piece> {
    let at = |field: &str| format!("pieces[{index}].{field}");
    let before = faults.reasons.len();
    let Some(kind) = board.piece(&part.colour) else {
        let known: Vec<_> = board.pieces.iter().map(|kind| kind.name.as_str()).collect();
        faults.add(at("colour"), format!("one of {}, found {:?}", known.join(", "), part.colour));
        return None;
    };
    let radius_mm = part.diameter_mm.unwrap_or(kind.diameter_mm) / 2.0;
    let height_mm = part.height_mm.unwrap_or(kind.height_mm);
    faults.within(at("x_mm"), part.x_mm, POSITION_MM);
    faults.within(at("y_mm"), part.y_mm, POSITION_MM);
    faults.within_if(at("z_mm"), part.z_mm, HEIGHT_MM);
    faults.within(at("diameter_mm"), 2.0 * radius_mm, PIECE_SIZE_MM);
    faults.within(at("height_mm"), height_mm, PIECE_SIZE_MM);
    let most = Range { least: 0.0, most: 0.45 * height_mm.min(radius_mm), unit: "mm" };
    faults.within_if(at("rim_mm"), part.rim_mm, most);
    faults.within_if(at("base_rim_mm"), part.base_rim_mm, most);
    let most_cap = Range { least: 1.0, most: 2.0 * radius_mm, unit: "mm" };
    faults.within_if(at("cap_diameter_mm"), part.cap_diameter_mm, most_cap);
    faults.colour_if(at("paint"), part.paint.as_deref());
    for speed in part.velocity_mm_s.unwrap_or_default() {
        faults.within(at("velocity_mm_s"), speed, SPEED_MM_S);
    }
    let support = part.stacked_on.and_then(|lower| below.get(lower));
    if part.stacked_on.is_some() && support.is_none() {
        faults.add(at("stacked_on"), format!("the index of an earlier piece, below {index}"));
    }
    if faults.reasons.len() > before {
        return None;
    }
    let rim_mm = part.rim_mm.unwrap_or(kind.rim_mm).clamp(0.0, most.most);
    let (board_make, board_cap) = match kind.make {
        Make::Groove => (MakePart::Groove, None),
        Make::Cap { diameter_mm } => (MakePart::Cap, diameter_mm),
        Make::Any | Make::Plain => (MakePart::Plain, None),
    };
    let cap_diameter = part.cap_diameter_mm.or(board_cap).unwrap_or(2.0 * radius_mm * CAP_SHARE);
    Some(Piece {
        colour: part.colour.clone(),
        x_mm: part.x_mm,
        y_mm: part.y_mm,
        z_mm: part.z_mm.unwrap_or(support.map_or(0.0, |lower| lower.z_mm + lower.height_mm)),
        radius_mm,
        height_mm,
        rim_mm,
        base_rim_mm: part.base_rim_mm.unwrap_or(BASE_RIM_SHARE * rim_mm),
        make: part.make.unwrap_or(board_make),
        cap_radius_mm: (cap_diameter / 2.0).min(radius_mm),
        paint: part.paint.as_deref().and_then(|text| text.parse().ok()).unwrap_or(kind.colour),
        stacked_on: part.stacked_on,
        velocity_mm_s: part.velocity_mm_s.unwrap_or_default(),
        shot: part.shot,
        parked: part.parked,
    })
}
