//! Scenes that are wrong: every fault is told, nothing panics.

use linecall::simulate::*;

fn faults_of(text: &str) -> String {
    let outcome = SceneFile::parse(text, "a.json").and_then(|file| file.validate("a.json"));
    outcome.expect_err("must be refused").to_string()
}

#[test]
fn every_fault_of_a_scene_is_told_with_what_was_expected() {
    let text = r##"{"board": "carrom-court", "camera": {"height_mm": -5, "tilt_deg": 95},
        "pieces": [{"colour": "green", "x_mm": 1, "y_mm": 2}, {"colour": "red", "x_mm": 1e9, "y_mm": 2, "paint": "red"}],
        "look": {"wear": 2, "paint_offsets_mm": {"nowhere": [0, 0]}}, "picture": {"cast": [1, 0, 1]}}"##;
    let message = faults_of(text);
    for part in [
        "camera.height_mm: expected 100 to 20000 mm, found -5",
        "camera.tilt_deg",
        "pieces[0].colour: expected one of red, blue, found \"green\"",
        "pieces[1].x_mm",
        "pieces[1].paint: expected a colour like",
        "look.wear: expected 0 to 1, found 2",
        "look.paint_offsets_mm.nowhere",
        "picture.cast",
    ] {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}

#[test]
fn every_unknown_field_is_told() {
    let message = faults_of(
        r#"{"board": "carrom-court", "peices": [], "camera": {"hight_mm": 1}, "look": {"gras": 1}}"#,
    );
    for part in ["peices", "camera.hight_mm", "look.gras"] {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}

#[test]
fn wrong_forms_are_one_clear_sentence() {
    for (text, part) in [
        ("", "no scene file"),
        ("[1, 2]", "no scene file"),
        ("{\"board\": 3}", "expected a string"),
        ("{\"board\": \"chess\"}", "no board is called"),
        ("{\"board\": \"carrom-court\"} trailing", "trailing"),
        ("{\"board\": \"carrom-court\", \"seed\": 1e999}", "no scene file"),
        (
            r#"{"board": "carrom-court", "camera": {"intrinsics": {"fx": 1000, "fy": 1000, "cx": 1, "cy": 1}}}"#,
            "both intrinsics and extrinsics",
        ),
        (r#"{"board": "carrom-court", "camera": {"image_size": [12000, 12000]}}"#, "pixels"),
        (r#"{"board": "carrom-court", "camera": {"image_size": [0, 10]}}"#, "image_size"),
        (
            r#"{"board": "carrom-court", "camera": {"image_size": [64, 64], "intrinsics": {"fx": 1000, "fy": 1000, "cx": 32, "cy": 32},
            "extrinsics": {"R": [[1,0,0],[0,1,0],[0,0,1]], "t": [0, 0, 1000]}}}"#,
            "above the board",
        ),
        (
            r#"{"board": "carrom-court", "camera": {"image_size": [64, 64], "intrinsics": {"fx": 1000, "fy": 1000, "cx": 32, "cy": 32},
            "extrinsics": {"R": [[1,0,0],[0,2,0],[0,0,1]], "t": [0, 0, 1000]}}}"#,
            "a rotation",
        ),
    ] {
        let message = faults_of(text);
        assert!(message.contains(part), "{part:?} is missing in: {message}");
    }
}

/// A small scene with every part in it.
fn whole_scene() -> String {
    r##"{"board": "carrom-icf", "category": "c", "seed": 7, "end": "far",
     "camera": {"image_size": [64, 48], "height_mm": 1500, "look_at": [370, 370], "tilt_deg": 20, "turn_deg": 30,
                "roll_deg": 2, "focal_px": 70, "principal_point": [31, 24], "k1": 0.05, "k2": 0.01, "p1": 0.001, "p2": 0.001, "k3": 0.0},
     "pieces": [{"colour": "white", "x_mm": 300, "y_mm": 300, "make": "rings", "rim_mm": 1.0, "base_rim_mm": 0.3, "velocity_mm_s": [100, 20]},
                {"colour": "black", "x_mm": 305, "y_mm": 306, "stacked_on": 0, "paint": "#101010"},
                {"colour": "striker", "x_mm": 400, "y_mm": 117.4, "make": "cap", "cap_diameter_mm": 30, "diameter_mm": 41, "height_mm": 9, "z_mm": 0}],
     "objects": [{"kind": "hand", "x_mm": 500, "y_mm": 500, "angle_deg": 45, "z_mm": 4}, {"kind": "cup", "x_mm": -150, "y_mm": 300},
                 {"kind": "phone", "x_mm": 900, "y_mm": 300}, {"kind": "coin", "x_mm": 200, "y_mm": 600, "diameter_mm": 23, "colour": "#a07030"}],
     "light": {"lamps": [{"x_mm": 0, "y_mm": 0, "z_mm": 1800, "radius_mm": 200, "strength": 1, "colour": "#ffe0b0"}], "ambient": 0.4,
               "shadow_band": {"x_mm": 300, "y_mm": 300, "angle_deg": 30, "width_mm": 80, "height_mm": 100}},
     "look": {"wood": "#e0c090", "grain": 1, "strip_mm": 40, "wear": 0.4, "paint_offsets_mm": {"rear-near": [0.1, 0.1]},
              "gloss": 0.5, "floor": "cloth", "floor_colour": "#404448"},
     "picture": {"exposure": 0.9, "cast": [1.1, 1, 0.9], "vignette": 0.2, "defocus_px": 0.8, "shake_px": [1, 0.5], "noise": 1,
                 "exposure_secs": 0.02, "jpeg_quality": 90},
     "sequence": {"fps": 20, "shots": [{"colour": "white", "x_mm": 100, "y_mm": 100, "velocity_mm_s": [500, 200]}]}}"##
        .to_owned()
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

fn mutated(text: &str, dice: &mut Dice) -> String {
    const NUMBERS: [&str; 12] =
        ["-1", "0", "1e308", "1", "1e-308", "null", "99999999999999999999", "1e5", "0.25", "7", "20", "0.5"];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(2) {
        let at = dice.below(bytes.len());
        match dice.below(8) {
            0 => bytes[at] = 32 + dice.below(95) as u8,
            1 => {
                bytes.remove(at);
            }
            2 => bytes.insert(at, 32 + dice.below(95) as u8),
            _ => {
                // Another number in the place of one.
                if let Some(start) = (at..bytes.len()).find(|i| bytes[*i].is_ascii_digit()) {
                    let end = (start..bytes.len())
                        .find(|i| !(bytes[*i].is_ascii_digit() || bytes[*i] == b'.'))
                        .unwrap_or(bytes.len());
                    bytes.splice(start..end, NUMBERS[dice.below(NUMBERS.len())].bytes());
                }
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn two_hundred_mutated_scenes_never_panic() {
    let whole = whole_scene();
    SceneFile::parse(&whole, "whole").unwrap().validate("whole").unwrap();
    let mut dice = Dice(20);
    let (mut refused, mut rendered) = (0, 0);
    for _ in 0..200 {
        let text = mutated(&whole, &mut dice);
        match SceneFile::parse(&text, "mutated").and_then(|file| file.validate("mutated")) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
            Ok(scene) => {
                let [w, h] = scene.camera.image_size;
                if w * h <= 64 * 64 {
                    let photo = render(&scene);
                    assert_eq!(photo.picture.dimensions(), (w, h));
                    rendered += 1;
                }
                film(&scene).unwrap();
            }
        }
    }
    assert!(
        refused > 30 && rendered > 30,
        "refused {refused}, rendered {rendered}: mutations lost their bite"
    );
}

#[test]
fn the_scenes_that_ship_are_sound() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            SceneFile::load(&path).and_then(|file| file.validate(&path.display().to_string())).unwrap();
            count += 1;
        }
    }
    assert!(count >= 11, "a scene a board and view, and a sequence; found {count}");
}
