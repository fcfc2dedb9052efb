//! What a page shows about one call, as plain data.
//!
//! Lengths are millimetres. A gap is signed: at or below zero the first of two things holds (the
//! piece touches, hangs over, covers, is ahead), above zero the second. Parts that only a ledger
//! knows are empty for a photo, and the page leaves them out.

use super::words::signed_mm;
use base64::{Engine, engine::general_purpose::STANDARD as BASE64};

use crate::{calls::ContactCall, ledger::Ruling, rules::ColourTally};

/// Everything that is shown about one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Dossier {
    /// What the call is named in its ledger.
    pub id: Option<String>,
    /// What about the piece is asked, as doubts name it: a line's name, `end`, `order`, `placement`,
    /// `edge`, `colour blue`.
    pub about: String,
    pub head: Head,
    /// The gap that decides comes first; a striker's placement rests on several, a colour on none.
    pub gaps: Vec<Gap>,
    /// The piece's colour beside those of others, where that is asked.
    pub colours: Option<Colours>,
    /// The tightest first.
    pub close_ups: Vec<CloseUp>,
    pub whole_view: WholeView,
    pub plan: Plan,
    pub rules: Vec<RuleText>,
    /// What the photo's tally is as called, and if it had come out the other way.
    pub either_way: EitherWay,
    pub basis: Basis,
    /// What would make the measurement surer, in sentences.
    pub advice: Vec<String>,

    /// The match's score either way.
    pub in_match: Option<InMatch>,
    /// Frames before and after, in the order of time.
    pub frames: Vec<FrameShot>,
    /// The same gap in other frames of the view, in the order of time.
    pub other_measurements: Vec<OtherMeasurement>,
    /// The first verdict first; the last one holds.
    pub verdicts: Vec<VerdictShown>,
    /// What a person said about it: it is the call.
    pub ruled: Option<RuledShown>,
    /// Where a verdict can be given, when the page is served live.
    pub verdict_form: Option<VerdictForm>,
}

/// A person's ruling, as the headline has it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuledShown {
    pub by: String,
    /// `Touching`, `Clear`, or where it counts now.
    pub answer: String,
    /// What was measured, in words: `clear`.
    pub measured: Option<String>,
    /// Whether what is at or below zero holds now; nothing where the ruling was about something else.
    pub below: Option<bool>,
}

/// The call in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// `red 3`.
    pub piece: String,
    /// `red 3 and the line cross-8`.
    pub subject: String,
    /// What is asked: `Does it touch the line?`
    pub asked: String,
    pub tone: Tone,
    /// The answer: `It touches.`, `Too close to call.`
    pub answer: String,
    /// How sure, in words with the number.
    pub likelihood: String,
    /// Why the measurement is not to be relied upon, where it is not.
    pub distrust: Option<String>,
}

/// What an answer is to the piece: the page's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// It counts, or counts for more.
    Good,
    /// It does not count, or is a foul.
    Bad,
    /// Neither: one side's gain is the other's loss.
    Plain,
    /// Not called.
    Open,
}

/// A signed distance with its doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct Gap {
    /// From what to what: `red 3 to the line cross-8`.
    pub name: String,
    pub gap_mm: f64,
    pub sigma_mm: f64,
    /// Probability that the true gap is at or below zero.
    pub p_below: f64,
    /// `Touching`: surely at or below zero; `Clear`: surely above.
    pub call: ContactCall,
    /// From this size on, on either side of zero, a gap of this sigma is called.
    pub called_from_mm: f64,
    /// What holds at or below zero, and above it: `touching`, `clear`.
    pub below: String,
    pub above: String,
    /// What these two are to the piece.
    pub tones: [Tone; 2],
    /// Where the doubt comes from.
    pub shares: Vec<Share>,
    pub against: Against,
}

impl Gap {
    /// What the call is to the piece.
    pub fn tone(&self) -> Tone {
        match self.call {
            ContactCall::Touching => self.tones[0],
            ContactCall::Clear => self.tones[1],
            ContactCall::TooClose => Tone::Open,
        }
    }

    /// The length alone: of two pieces one is ahead, and a sign would say less than their names.
    pub fn length_words(&self) -> String {
        match self.against {
            Against::Piece => format!("{:.2}", self.gap_mm.abs()),
            _ => signed_mm(self.gap_mm),
        }
    }

    /// `+0.32 ± 0.10 mm`.
    pub fn stated(&self) -> String {
        format!("{} ± {:.2} mm", self.length_words(), self.sigma_mm)
    }
}

/// A face's colour beside those that it could be.
#[derive(Debug, Clone, PartialEq)]
pub struct Colours {
    /// The piece's name and its own colour in the photo.
    pub piece: String,
    pub own: [u8; 3],
    /// The kind that it was taken for, then the other one.
    pub kinds: [KindColour; 2],
}

/// What a kind looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct KindColour {
    pub name: String,
    /// How likely the piece is of it.
    pub probability: f64,
    /// How the others of the kind look in the same photo; none if there are no others.
    pub here: Option<SeenColour>,
    /// As the board file has it.
    pub drawn: [u8; 3],
}

/// The colour of the other pieces of a kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeenColour {
    pub colour: [u8; 3],
    /// Of how many pieces.
    pub pieces: usize,
    /// How far the piece's own colour is from it: the root mean square over the channels of how many
    /// times the light doubles, in stops.
    pub apart_stops: f64,
}

/// What the piece is measured against.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Against {
    /// Paint whose edge was measured in the picture; it lies this much nearer to the piece than
    /// the board file draws it.
    MeasuredPaint { nearer_mm: f64 },
    /// Paint that could not be measured, taken as the board file draws it.
    DrawnPaint,
    /// The edge of the playing surface.
    SurfaceEdge,
    /// The edge beyond which nothing carries its middle: a pocket's mouth, or the surface's edge.
    Brink,
    /// Another piece.
    Piece,
}

/// A part of the doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    pub name: String,
    pub sigma_mm: f64,
}

/// A part of the photo, enlarged as if seen from straight above. Places in it are millimetres from
/// its upper left corner, x right, y down. The scale is exact at the gap.
#[derive(Debug, Clone, PartialEq)]
pub struct CloseUp {
    pub title: String,
    pub size_mm: [f64; 2],
    /// How many times larger than the board it is when printed: 8 is 8 : 1.
    pub enlargement: f64,
    /// Pixels of the photo: as they are (PNG), but for windows so wide that no pixel is seen (JPEG).
    pub picture: Encoded,
    /// Places the picture's corner coordinates in the window, as SVG's matrix (a b c d e f).
    pub window_from_picture: [f64; 6],
    /// One pixel of the photo at the gap, in mm.
    pub mm_per_px: f64,
    pub shapes: Vec<Shape>,
    pub dimension: Option<Dimension>,
}

/// A line drawn over a close-up.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    pub kind: ShapeKind,
    pub points: Vec<[f64; 2]>,
    /// One standard deviation to each side; 0 for what is not measured.
    pub sigma_mm: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// Where the piece stands on the board.
    Footprint,
    /// The outline that the camera sees of it.
    VisibleOutline,
    /// The footprint of another piece.
    OtherPiece,
    /// The paint's edge that faces the piece, as measured.
    MeasuredEdge,
    /// The paint's edge that faces the piece, as drawn in the board file: not measured.
    AssumedEdge,
    /// Paint as the board file draws it.
    DrawnPaint,
    /// The end of the playing surface, or a pocket's mouth.
    SurfaceEdge,
    /// How far a piece reaches toward the end.
    Front,
    OtherFront,
}

/// The gap as drawn: its two ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Dimension {
    pub from: [f64; 2],
    pub to: [f64; 2],
    pub gap_mm: f64,
    /// What is written beside it; nothing where it is only shown.
    pub label: Option<String>,
}

/// The whole photo with the place marked. Places are pixels of the photo from its upper left
/// corner; the picture may be smaller than the photo.
#[derive(Debug, Clone, PartialEq)]
pub struct WholeView {
    pub picture: Encoded,
    pub photo_size_px: [u32; 2],
    /// Corners of the widest close-up.
    pub mark: Vec<[f64; 2]>,
}

/// The board to scale with all pieces, turned as the photo shows it. Millimetres from the upper left
/// corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub size_mm: [f64; 2],
    /// Two opposite corners of the surface, as far as the photo shows it.
    pub surface: [[f64; 2]; 2],
    /// Outlines of the paint.
    pub paint: Vec<Vec<[f64; 2]>>,
    pub pockets: Vec<PlanDisc>,
    pub pieces: Vec<PlanDisc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PlanDisc {
    pub centre: [f64; 2],
    pub radius_mm: f64,
    pub colour: [u8; 3],
    pub name: String,
    /// Whether the call is about it.
    pub marked: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct RuleText {
    pub id: String,
    pub text: String,
}

/// The tally as called and the other way.
#[derive(Debug, Clone, PartialEq)]
pub struct EitherWay {
    pub below: Option<Outcome>,
    pub above: Option<Outcome>,
    /// What it comes to, in a sentence.
    pub meaning: String,
}

/// What the photo comes to if the call goes one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// `if it touches`.
    pub when: String,
    /// Whether this is how it was called; with a call that is too close, how it was tallied.
    pub as_called: bool,
    /// What the piece scores.
    pub points: Option<i32>,
    pub tally: ColourTally,
}

/// What the call rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Basis {
    pub photo: String,
    /// When it was taken, where that is known.
    pub taken_at: Option<String>,
    /// SHA-256 of the photo's file.
    pub photo_sha256: Option<String>,
    pub board: String,
    pub game: String,
    /// How the board was found in the picture.
    pub registration: String,
    pub rms_px: f64,
    pub edges: usize,
    /// The camera's height above the board.
    pub camera_height_mm: f64,
    /// Between the view of the piece and straight down.
    pub slant_deg: f64,
    pub mm_per_px: f64,
    pub program: String,
}

/// The match's score if the call goes one way or the other.
#[derive(Debug, Clone, PartialEq)]
pub struct InMatch {
    /// Sides by name with their points.
    pub as_called: Vec<(String, i32)>,
    pub otherwise: Option<Vec<(String, i32)>>,
    /// What that means for the match, in a sentence.
    pub meaning: String,
}

/// A frame of the view.
#[derive(Debug, Clone, PartialEq)]
pub struct FrameShot {
    /// Seconds after the frame that was called; negative before it.
    pub at_secs: f64,
    pub picture: Encoded,
    /// Whether it is the frame that was called.
    pub called: bool,
}

/// The gap as another frame shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OtherMeasurement {
    /// Seconds after the frame that was called; negative before it.
    pub at_secs: f64,
    pub gap_mm: f64,
    pub sigma_mm: f64,
}

/// A person's verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictShown {
    pub ruling: Ruling,
    pub by: String,
    pub why: String,
    pub at: Option<String>,
}

/// Where a verdict is sent, and what goes with it unseen (such as the revision it is based on).
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictForm {
    pub action: String,
    pub hidden: Vec<(String, String)>,
}

/// A picture as a file.
#[derive(Clone, PartialEq)]
pub struct Encoded {
    /// `image/png`, `image/jpeg`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
    pub size_px: [u32; 2],
}

impl Encoded {
    /// Without loss.
    pub fn png(picture: &image::RgbImage) -> Result<Self, image::ImageError> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png)?;
        Ok(Self { media_type: "image/png", bytes: bytes.into_inner(), size_px: picture.dimensions().into() })
    }

    /// At most `side_px` on its longer side, for the eye only.
    pub fn small_jpeg(
        picture: &image::RgbImage,
        side_px: u32,
        quality: u8,
    ) -> Result<Self, image::ImageError> {
        let (width, height) = picture.dimensions();
        let scale = (f64::from(side_px) / f64::from(width.max(height).max(1))).min(1.0);
        let shrunk = [width, height].map(|side| ((f64::from(side) * scale).round() as u32).max(1));
        let small;
        let shown = if scale < 1.0 {
            small = image::imageops::thumbnail(picture, shrunk[0], shrunk[1]);
            &small
        } else {
            picture
        };
        let mut bytes = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, quality);
        shown.write_with_encoder(encoder)?;
        Ok(Self { media_type: "image/jpeg", bytes, size_px: shown.dimensions().into() })
    }

    pub fn data_uri(&self) -> String {
        format!("data:{};base64,{}", self.media_type, BASE64.encode(&self.bytes))
    }
}

impl std::fmt::Debug for Encoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {} x {} px", self.media_type, self.size_px[0], self.size_px[1])
    }
}
