//! What the state of the pieces is told by.

/// Times in seconds, lengths in millimetres or in radii of a piece, colours in factors of two.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KnownOptions {
    /// Cells of the plan across the smallest piece. Default 8; more costs time with its square.
    pub cells_per_diameter: f64,
    /// Strip along the surface's border that a hand comes in over, in diameters of the smallest
    /// piece. Default 1.5: an arm may be as dark as the frame beyond.
    pub border_diameters: f64,
    /// A cell looks otherwise than the bare board from this difference on. Default 0.45; less takes
    /// shadows for hands, more lets pale hands through.
    pub strange_step: f32,
    /// A cell looks like the bare board below this, or half of a kind's own step where that is less.
    /// Default 0.35.
    pub bare_step: f32,
    /// And shows the bare board itself below this. Default 0.15: noise.
    pub print_step: f32,
    /// Two looks of a cell within this are one. Default 0.25: a camera's noise and slow light.
    pub same_look: f32,
    /// A look counts after so long. Default 0.1 s.
    pub look_known_secs: f32,
    /// How long a look is remembered for, how long it is at most counted for, and over how long it is
    /// averaged. Default 30, 10 and 2 s: within 10 s of seeing the board again, it is the board.
    pub look_forget_secs: f32,
    pub look_most_secs: f32,
    pub look_mean_secs: f32,
    /// What lies under a hand counts for this share of its time: a hand that rests is not the board, and what is
    /// wrongly taken for one still heals. Default 0.1.
    pub hand_share_learned: f32,
    /// When the light has changed, looks of before count for this long at most. Default 0.4 s.
    pub relit_secs: f32,
    /// The surface's own colour is taken again this often. Default 0.2 s.
    pub surface_secs: f64,
    /// Looks farther than this from a kind's are not that kind's. Default 0.7.
    pub look_apart: f32,
    /// How many looks of a kind its own is the middle of, and how many it takes before others are turned
    /// away. Default 60 and 5.
    pub looks: usize,
    pub looks_least: usize,
    /// Share of a piece's middle that shows the bare board itself from which on it is print. Default 0.6.
    pub print_share: f64,
    /// Two findings of one kind within this are one, in diameters. Default 0.6; of two kinds 0.4.
    pub same_kind_diameters: f64,
    pub same_thing_diameters: f64,
    /// A piece that is found within this of its place lies where it lay, in mm. Default 10: foreign
    /// rings and blur; farther would take a neighbour for it.
    pub anchor_mm: f64,
    /// A piece is known once it has been found over this time. Default 0.07 s: three frames of 25 a
    /// second, two of 10.
    pub known_secs: f64,
    /// And gone once it was missing, in full view, for this long. Default 0.07 s.
    pub gone_secs: f64,
    /// And a place that looks like no piece of its kind for this long holds none. Default 0.2 s: shadows of
    /// hands pass.
    pub unlike_secs: f64,
    /// Something found once and not again is forgotten after this. Default 0.12 s.
    pub forget_secs: f64,
    /// Findings that a piece's place is the middle of. Default 15.
    pub anchor_frames: usize,
    /// Share of a place under a hand from which on what lies there is hidden. Default 0.25.
    pub hidden_share: f64,
    /// Share of a place that must look bare for the piece to be gone from it. Default 0.6.
    pub bare_share: f64,
    /// While nothing moves a frame is looked at this often. Default 0.5 s: it saves time, and slow light is
    /// learned.
    pub rest_secs: f64,
    pub shooter: ShooterOptions,
    pub verdict: VerdictOptions,
}

/// The striker's own tracker, and what makes a launch.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShooterOptions {
    /// Looks of the striker that its own look is the middle of. Default 25.
    pub looks: usize,
    /// And how many it takes before the board file's colour is left. Default 2.
    pub looks_least: usize,
    /// How much of the look shows: a blurred striker shows less, a dark piece more. Default 0.4 to 1.5.
    pub strength: std::ops::Range<f32>,
    /// How far a cell may be off the look's direction. Default 0.3.
    pub off_look: f32,
    /// Share of its face that must be so for it to be seen moving, and lying. Default 0.35 and 0.4: fingers cover half of it.
    pub moving_share: f64,
    pub lying_share: f64,
    /// Detection's strikers count from this probability on. Default 0.95.
    pub sure_kind: f64,
    /// It lies still within this, in mm. Default 6.
    pub still_mm: f64,
    /// A launch takes the striker farther than this, in mm … Default 50.
    pub launch_mm: f64,
    /// … within this time of lying still. Default 0.17 s: four frames of 25 a second; two frames at least.
    pub launch_secs: f64,
    /// With no hand over so much of a disc around it. Default 0.02.
    pub hand_share: f64,
    /// Share of its face that must have changed where it came from, and where it came to. Default 0.3: something
    /// else that looks like it was there before.
    pub changed_share: f64,
    /// A cell has changed from this difference on. Default 0.25.
    pub changed_step: f32,
}

/// When a strike is decided.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerdictOptions {
    /// Nothing has come, gone or moved for this long. Default 0.5 s: longer waits for pieces that
    /// roll under a hand, and misses quick players.
    pub calm_secs: f64,
    /// Unseen surface, in areas of the smallest piece, that a missing piece may lie on. Default 1.
    pub hidden_pieces: f64,
}

impl Default for KnownOptions {
    fn default() -> Self {
        Self {
            cells_per_diameter: 8.0,
            border_diameters: 1.5,
            strange_step: 0.45,
            bare_step: 0.35,
            print_step: 0.15,
            same_look: 0.25,
            look_known_secs: 0.1,
            look_forget_secs: 30.0,
            look_most_secs: 10.0,
            look_mean_secs: 2.0,
            hand_share_learned: 0.1,
            relit_secs: 0.4,
            surface_secs: 0.2,
            look_apart: 0.7,
            looks: 60,
            looks_least: 5,
            print_share: 0.6,
            same_kind_diameters: 0.6,
            same_thing_diameters: 0.4,
            anchor_mm: 10.0,
            known_secs: 0.07,
            gone_secs: 0.07,
            unlike_secs: 0.2,
            forget_secs: 0.12,
            anchor_frames: 15,
            hidden_share: 0.25,
            bare_share: 0.6,
            rest_secs: 0.5,
            shooter: ShooterOptions::default(),
            verdict: VerdictOptions::default(),
        }
    }
}

impl Default for ShooterOptions {
    fn default() -> Self {
        Self {
            looks: 25,
            looks_least: 2,
            strength: 0.4..1.5,
            off_look: 0.3,
            moving_share: 0.35,
            lying_share: 0.4,
            sure_kind: 0.95,
            still_mm: 6.0,
            launch_mm: 50.0,
            launch_secs: 0.17,
            hand_share: 0.02,
            changed_share: 0.3,
            changed_step: 0.25,
        }
    }
}

impl Default for VerdictOptions {
    fn default() -> Self {
        Self { calm_secs: 0.5, hidden_pieces: 1.0 }
    }
}
