//! Motion, on drawn pictures: what is light, what is shake, what is a hand, and when all is at rest.

use image::{GrayImage, Luma};
use linecall::{
    board::Board,
    camera::Camera,
    geometry::{Disc, Point},
    motion::{Activity, MotionOptions, TrackOptions, Tracker, Watcher},
    simulate::SceneFile,
};

const FPS: f64 = 10.0;

/// A thing on the board, in mm: a disc, or a hand with its arm that reaches in from the left.
#[derive(Clone, Copy)]
enum Thing {
    Puck(Point),
    Hand(Point),
}

/// What the camera does to the picture.
#[derive(Clone, Copy)]
struct Look {
    /// Gain in the middle, and how much more it is at the right.
    gain: [f64; 2],
    /// Cells by which the picture is shifted.
    shift: [f64; 2],
}

const PLAIN: Look = Look { gain: [1.0, 0.0], shift: [0.0, 0.0] };

struct Filmed {
    board: Board,
    watcher: Watcher,
    options: MotionOptions,
    frames: usize,
}

impl Filmed {
    /// The empty board, watched for long enough to be known.
    fn new() -> Self {
        let board = Board::named_or_at("carrom-court").unwrap();
        let scene = SceneFile::of_board(board.id.clone()).validate_on(board.clone(), "motion").unwrap();
        let camera: Camera = scene.camera;
        let options = MotionOptions::default();
        let watcher = Watcher::new(&board, &camera, &options);
        let mut filmed = Self { board, watcher, options, frames: 0 };
        for _ in 0..4 {
            filmed.push(&[], PLAIN);
        }
        filmed.watcher.settle(&[]);
        filmed
    }

    fn radius_mm(&self) -> f64 {
        self.board.piece("red").unwrap().radius_mm()
    }

    /// A place in the part of the board that the camera sees.
    fn middle(&self) -> Point {
        let view = self.watcher.view();
        view.board_at(view.width as f64 / 2.0, view.height as f64 / 2.0).unwrap()
    }

    fn push(&mut self, things: &[Thing], look: Look) -> Activity {
        let picture = self.draw(things, look);
        self.frames += 1;
        self.watcher.push(&picture, self.frames as f64 / FPS)
    }

    fn draw(&self, things: &[Thing], look: Look) -> GrayImage {
        let view = self.watcher.view();
        let radius = self.radius_mm() / view.cell_mm2.sqrt();
        let cell = |at: Point| view.cell_at(at).unwrap();
        let shown: Vec<(bool, (f64, f64))> = things
            .iter()
            .map(|thing| match thing {
                Thing::Puck(at) => (false, cell(*at)),
                Thing::Hand(at) => (true, cell(*at)),
            })
            .collect();
        let light = |x: f64, y: f64| {
            let wood = 110.0 + 18.0 * (0.31 * x + 0.05 * y).sin() + 9.0 * (0.83 * y).sin();
            let line = if (y - 14.0).abs() < 1.0 { -60.0 } else { 0.0 };
            let mut light = wood + line;
            for (is_hand, (cx, cy)) in &shown {
                let inside = if *is_hand {
                    let arm = x < *cx && (y - cy).abs() < 2.2 * radius;
                    arm || (x - cx).hypot(y - cy) < 3.0 * radius
                } else {
                    (x - cx).hypot(y - cy) < radius
                };
                if inside {
                    light = if *is_hand { 190.0 } else { 35.0 };
                }
            }
            let across = x / view.width as f64 - 0.5;
            light * (look.gain[0] + look.gain[1] * across)
        };
        let mut noise = self.frames as u64 * 7919 + 17;
        GrayImage::from_fn(view.width as u32, view.height as u32, |x, y| {
            // A cell is the mean of its pixels.
            let mut sum = 0.0;
            for i in 0..16 {
                let (dx, dy) = (f64::from(i % 4) / 4.0 - 0.375, f64::from(i / 4) / 4.0 - 0.375);
                sum += light(f64::from(x) + dx - look.shift[0], f64::from(y) + dy - look.shift[1]);
            }
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let grain = (noise >> 40) as f64 / f64::from(1 << 24) * 2.0 - 1.0;
            Luma([(sum / 16.0 + grain).round().clamp(0.0, 255.0) as u8])
        })
    }
}

#[test]
fn a_lamp_switched_on_is_light_and_no_motion() {
    let mut filmed = Filmed::new();
    let puck = Thing::Puck(filmed.middle());
    let disc = Disc { centre: filmed.middle(), radius_mm: filmed.radius_mm() };
    for _ in 0..4 {
        filmed.push(&[puck], PLAIN);
    }
    filmed.watcher.settle(&[disc]);
    let brighter = Look { gain: [1.25, 0.15], ..PLAIN };
    let first = filmed.push(&[puck], brighter);
    assert!(first.light_changed && !first.moving, "{first:?}");
    for _ in 0..5 {
        let after = filmed.push(&[puck], brighter);
        assert!(!after.moving && !after.light_changed && after.foreground.is_empty(), "{after:?}");
    }
    assert!(filmed.watcher.changed_shares(&[disc])[0].unwrap() < 0.1, "the puck lies where it lay");
    // In the new light a puck that comes is seen as well as before.
    let beside = filmed.middle() + linecall::geometry::Vector::new(0.0, 5.0 * filmed.radius_mm());
    let came = filmed.push(&[puck, Thing::Puck(beside)], brighter);
    assert!(came.moving && came.foreground.len() == 1, "{came:?}");
}

/// Nobody has seen the board under a piece in the light of a lamp that went on while it lay there, and the lamp may
/// shine otherwise there than on the whole: what shows when the piece goes is no hand.
#[test]
fn the_board_under_a_piece_is_not_known_in_new_light() {
    let mut filmed = Filmed::new();
    let (at, radius_mm) = (filmed.middle(), filmed.radius_mm());
    let disc = Disc { centre: at, radius_mm };
    for _ in 0..4 {
        filmed.push(&[Thing::Puck(at)], PLAIN);
    }
    filmed.watcher.settle(&[disc]);
    let brighter = Look { gain: [1.3, 0.0], ..PLAIN };
    for _ in 0..4 {
        filmed.push(&[Thing::Puck(at)], brighter);
    }
    filmed.watcher.settle(&[disc]);
    // The puck is gone, and where it lay there is a shadow.
    let mut bare = filmed.draw(&[], brighter);
    let cells = filmed.watcher.view().cells_around(at, radius_mm);
    let width = bare.width();
    for cell in cells {
        let Luma([light]) = bare.get_pixel_mut(cell as u32 % width, cell as u32 / width);
        *light = (f64::from(*light) * 0.7) as u8;
    }
    filmed.watcher.push(&bare, 1.0);
    filmed.watcher.push(&bare, 1.1);
    assert_eq!(filmed.watcher.unexplained_mm2(&[]), 0.0);
    // Once it has been seen bare, a puck that comes back there is seen.
    filmed.watcher.settle(&[]);
    let back = filmed.push(&[Thing::Puck(at)], brighter);
    assert!(back.moving && !back.foreground.is_empty(), "{back:?}");
}

/// The places of a hand that reaches in from the left, farther and farther.
fn reaching_in(filmed: &Filmed, steps: u32) -> Vec<Thing> {
    let view = filmed.watcher.view();
    let left = view.board_at(0.0, view.height as f64 / 2.0).unwrap();
    let inward = (filmed.middle() - left).normalize();
    (0..steps).map(|step| Thing::Hand(left + inward * (40.0 + 50.0 * f64::from(step)))).collect()
}

/// A lamp goes on in the very frame in which a hand comes in: the hand is not the lamp's shadow.
#[test]
fn a_hand_that_comes_with_the_lamp_is_not_learned() {
    let mut filmed = Filmed::new();
    let brighter = Look { gain: [1.3, 0.1], ..PLAIN };
    let hand = reaching_in(&filmed, 4);
    let piece_mm2 = std::f64::consts::PI * filmed.radius_mm().powi(2);
    let mut tracker = Tracker::default();
    let first = filmed.push(&hand[..1], brighter);
    assert!(first.light_changed && !first.moving, "{first:?}");
    for place in &hand[1..] {
        let reaching = filmed.push(&[*place], brighter);
        assert!(reaching.moving);
        tracker.push(&reaching, [piece_mm2; 2], &TrackOptions::default());
    }
    assert!(tracker.hand(), "{:?}", tracker.tracks);
    for _ in 0..4 {
        filmed.push(&hand[3..], brighter);
    }
    assert!(filmed.watcher.unexplained_mm2(&[]) > 3.0 * piece_mm2, "it holds still, and is seen to be there");
    // It goes, and what it hid when the lamp went on is the board.
    for _ in 0..4 {
        filmed.push(&[], brighter);
    }
    assert_eq!(filmed.watcher.unexplained_mm2(&[]), 0.0);
}

/// A lamp goes on while a hand is in the view: the hand is still one, and a new shadow is none.
#[test]
fn a_lamp_over_a_hand_leaves_the_hand_and_takes_the_shadow() {
    let mut filmed = Filmed::new();
    let brighter = Look { gain: [1.3, 0.1], ..PLAIN };
    let hand = reaching_in(&filmed, 3);
    for place in &hand {
        filmed.push(&[*place], PLAIN);
    }
    // The lamp throws a shadow beyond the hand.
    let view = filmed.watcher.view();
    let (width, height) = (view.width as u32, view.height as u32);
    let in_shadow = move |x: u32, y: u32| x > width * 4 / 5 && y > height / 4 && y < height * 3 / 4;
    let shaded = |filmed: &mut Filmed, things: &[Thing]| {
        let mut picture = filmed.draw(things, brighter);
        for (x, y, Luma([light])) in picture.enumerate_pixels_mut() {
            if in_shadow(x, y) {
                *light = (f64::from(*light) * 0.7) as u8;
            }
        }
        filmed.frames += 1;
        filmed.watcher.push(&picture, filmed.frames as f64 / FPS)
    };
    let piece_mm2 = std::f64::consts::PI * filmed.radius_mm().powi(2);
    assert!(shaded(&mut filmed, &hand[2..]).light_changed);
    for _ in 0..4 {
        shaded(&mut filmed, &hand[2..]);
    }
    assert!(filmed.watcher.unexplained_mm2(&[]) > 3.0 * piece_mm2, "the hand holds still");
    for _ in 0..4 {
        shaded(&mut filmed, &[]);
    }
    assert!(filmed.watcher.unexplained_mm2(&[]) < piece_mm2, "the hand has gone, and the shadow is none");
}

#[test]
fn a_shaken_camera_is_no_motion() {
    let mut filmed = Filmed::new();
    let puck = Thing::Puck(filmed.middle());
    let disc = Disc { centre: filmed.middle(), radius_mm: filmed.radius_mm() };
    for _ in 0..4 {
        filmed.push(&[puck], PLAIN);
    }
    filmed.watcher.settle(&[disc]);
    for shake in [[0.15, 0.1], [-0.2, 0.05], [0.1, -0.2], [0.2, 0.2], [0.0, 0.0]] {
        let shaken = filmed.push(&[puck], Look { shift: shake, ..PLAIN });
        assert!(!shaken.moving && !shaken.light_changed, "{shake:?}: {shaken:?}");
    }
}

#[test]
fn a_hand_is_a_hand_and_a_puck_is_none() {
    for (is_hand, step_mm) in [(true, 30.0), (false, 60.0)] {
        let mut filmed = Filmed::new();
        let mut tracker = Tracker::default();
        let area = std::f64::consts::PI * filmed.radius_mm().powi(2);
        let middle = filmed.middle();
        let view = filmed.watcher.view();
        // Along the picture, from its left.
        let left = view.board_at(0.0, view.height as f64 / 2.0).unwrap();
        let inward = (middle - left).normalize();
        for step in 0..6 {
            let at = left + inward * (40.0 + step_mm * f64::from(step));
            let thing = if is_hand { Thing::Hand(at) } else { Thing::Puck(at) };
            let activity = filmed.push(&[thing], PLAIN);
            assert!(activity.moving && !activity.is_still(&filmed.options));
            tracker.push(&activity, [area, area], &TrackOptions::default());
        }
        assert_eq!(tracker.hand(), is_hand, "{:?}", tracker.tracks);
        if !is_hand {
            assert_eq!(tracker.tracks.len(), 1, "one thing, one way");
            let reach_mm = tracker.tracks[0].reach_mm();
            assert!((reach_mm - 300.0).abs() < 6.0, "{reach_mm} mm");
        }
    }
}

#[test]
fn a_view_is_settled_only_when_everything_rests() {
    let mut filmed = Filmed::new();
    let start = filmed.middle();
    let along = linecall::geometry::Vector::new(0.0, 1.0);
    // Fast, then as slow as a puck in its last moments.
    let steps = [40.0, 30.0, 20.0, 12.0, 8.0, 5.0, 4.0, 3.0, 3.0];
    let mut at = start;
    for step in steps {
        at += along * step;
        let activity = filmed.push(&[Thing::Puck(at)], PLAIN);
        assert!(!activity.is_still(&filmed.options), "it moved by {step} mm: {activity:?}");
    }
    let rest: Vec<bool> =
        (0..4).map(|_| filmed.push(&[Thing::Puck(at)], PLAIN).is_still(&filmed.options)).collect();
    let secs = filmed.options.still_secs;
    let expected: Vec<bool> = (1..=4).map(|frames| f64::from(frames) / FPS >= secs - 1e-6).collect();
    assert_eq!(rest, expected, "still after {secs} s");
    // What came is foreground until it is known as a piece.
    let disc = Disc { centre: at, radius_mm: filmed.radius_mm() };
    assert!(filmed.watcher.unexplained_mm2(&[]) > 0.5 * std::f64::consts::PI * disc.radius_mm.powi(2));
    assert_eq!(filmed.watcher.unexplained_mm2(&[disc]), 0.0);
}
