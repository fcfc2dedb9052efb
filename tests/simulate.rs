//! The simulator's promises: exact edges, truth apart from noise, the same bytes every time.

use linecall::board::Board;
use linecall::camera::Camera;
use linecall::geometry::Point;
use linecall::simulate::*;

/// A small picture of flat, evenly lit wood: what is left to see are edges.
fn plain_scene(board: &str) -> SceneFile {
    let mut scene = SceneFile::of_board(board);
    scene.look.grain = 0.0;
    scene.look.wear = 0.0;
    scene.look.gloss = 0.0;
    scene.look.numerals = Some(false);
    scene.light.ambient = 1.0;
    scene.without_picture_faults()
}

/// Where a row crosses `y_mm` on the surface, by the camera alone.
fn crossing(camera: &Camera, v: f64, mut low: f64, mut high: f64, y_mm: f64) -> f64 {
    let y = |u: f64| camera.board_from_image(u, v, 0.0).unwrap().y;
    let rising = y(high) > y(low);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if (y(middle) < y_mm) == rising { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The sub-pixel place of the step between `from` and `to`, by the area under it: exact for any
/// edge that is straight across the rows' pixels.
fn step_place(values: &[f64], first: usize) -> f64 {
    let (before, after) = (values[0], values[values.len() - 1]);
    let filled: f64 = values.iter().map(|v| (v - after) / (before - after)).sum();
    first as f64 - 0.5 + filled
}

fn green(light: &LightField, u: usize, v: usize) -> f64 {
    f64::from(light.at(u, v)[1])
}

#[test]
fn a_paint_edge_is_imaged_within_two_hundredths_of_a_pixel() {
    let lenses = [(0.0, 0.0, 0.0), (-0.25, 0.05, 1.5), (0.1, 0.0, 25.0)];
    for (k1, k2, tilt) in lenses {
        let mut scene = plain_scene("carrom-court");
        scene.camera = CameraPart {
            image_size: Some([480, 360]),
            height_mm: Some(900.0),
            look_at: Some([190.0, 1090.0]),
            focal_px: Some(900.0),
            tilt_deg: Some(tilt),
            roll_deg: Some(83.0),
            k1: Some(k1),
            k2: Some(k2),
            ..CameraPart::default()
        };
        let scene = scene.validate("test").unwrap();
        let light = render_light(&scene);
        // The foul line's paint reaches from 1118 to 1122.
        let mut worst: f64 = 0.0;
        for v in (20..340).step_by(7) {
            let near = crossing(&scene.camera, v as f64, 0.0, 479.0, 1118.0);
            let far = crossing(&scene.camera, v as f64, 0.0, 479.0, 1122.0);
            let middle = ((near + far) / 2.0).round() as usize;
            for (edge, outer) in [(near, near.min(far)), (far, near.max(far))] {
                let (first, last) = if edge == outer && outer == near.min(far) {
                    (middle - 9, middle)
                } else {
                    (middle, middle + 9)
                };
                let values: Vec<f64> = (first..=last).map(|u| green(&light, u, v)).collect();
                worst = worst.max((step_place(&values, first) - edge).abs());
            }
        }
        assert!(worst < 0.02, "an edge is off by {worst:.4} px with k1 {k1}, tilt {tilt}");
    }
}

/// A white and a black piece in the same place throw the same shadow, so the difference of the two
/// pictures is the piece's coverage alone.
#[test]
fn a_pieces_outline_is_imaged_within_two_hundredths_of_a_pixel() {
    let picture = |paint: &str, x: f64, y: f64| {
        let mut scene = plain_scene("carrom-court");
        let mut piece = PiecePart::new("red", x, y);
        piece.paint = Some(paint.to_owned());
        piece.rim_mm = Some(0.0);
        piece.base_rim_mm = Some(0.0);
        scene.pieces.push(piece);
        scene.camera = CameraPart {
            image_size: Some([200, 200]),
            height_mm: Some(900.0),
            look_at: Some([200.0, 1400.0]),
            focal_px: Some(1900.0),
            ..CameraPart::default()
        };
        let scene = scene.validate("test").unwrap();
        (scene.camera, render_light(&scene))
    };
    for (x, y) in [(200.0, 1400.0), (200.13, 1400.29), (199.61, 1399.87)] {
        let (camera, white) = picture("#ffffff", x, y);
        let (_, black) = picture("#000000", x, y);
        // Seen from above its middle only the top face is seen.
        let face = |u: usize, v: usize| green(&white, u, v) - green(&black, u, v);
        let top = camera.image_from_board(x, y, 12.0).unwrap();
        let radius = 15.0 * 1900.0 / (900.0 - 12.0);
        let full = face(100, 100);
        let mut worst: f64 = 0.0;
        let mut mean = 0.0;
        let rows = 40;
        for v in 80..80 + rows {
            // A circle's crossing averaged over the row's height.
            let half: f64 = (0..64)
                .map(|i| {
                    let dy = v as f64 - 0.5 + (f64::from(i) + 0.5) / 64.0 - top.y;
                    (radius * radius - dy * dy).sqrt() / 64.0
                })
                .sum();
            let covered: f64 = (100..200).map(|u| face(u, v) / full).sum();
            let off = 99.5 + covered - (top.x + half);
            worst = worst.max(off.abs());
            mean += off / rows as f64;
        }
        assert!(mean.abs() < 0.005, "outlines are off by {mean:.4} px on average");
        assert!(worst < 0.02, "an outline is off by {worst:.4} px");
    }
}

fn small_court() -> SceneFile {
    let mut scene = SceneFile::of_board("carrom-court");
    scene.camera.image_size = Some([240, 136]);
    for (colour, x, y) in [("red", 200.0, 1400.0), ("blue", 100.0, 1640.0), ("blue", 129.9, 1645.0)] {
        scene.pieces.push(PiecePart { make: Some(MakePart::Groove), ..PiecePart::new(colour, x, y) });
    }
    scene.pieces[1].velocity_mm_s = Some([300.0, 900.0]);
    scene
}

#[test]
fn pictures_depend_on_nothing_but_the_scene() {
    let scene = small_court().validate("test").unwrap();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| render(&scene))
    };
    let (one, many) = (with_threads(1), with_threads(5));
    assert_eq!(one.picture.as_raw(), many.picture.as_raw());
    assert_eq!(one.truth, many.truth);
    let mut other = small_court();
    other.seed = 1;
    assert_ne!(render(&other.validate("test").unwrap()).picture.as_raw(), one.picture.as_raw());
}

#[test]
fn truth_does_not_know_the_pictures_faults() {
    let truth = |file: SceneFile| render(&file.validate("test").unwrap()).truth;
    let plain = truth(small_court());
    let mut bad = small_court();
    bad.seed = 99;
    bad.picture = PicturePart {
        noise: 3.0,
        defocus_px: 2.0,
        shake_px: [3.0, 1.0],
        exposure: 0.2,
        cast: [1.2, 1.0, 0.8],
        ..PicturePart::default()
    };
    assert_eq!(truth(bad), plain);
}

/// A layout whose truth was worked out by other means.
#[test]
fn truth_tells_gaps_areas_and_the_tally() {
    let mut scene = SceneFile::of_board("carrom-court");
    scene.camera.image_size = Some([320, 180]);
    for (colour, x, y) in [
        ("red", 260.645, 1734.413),
        ("blue", 83.306, 1738.169),
        ("red", 195.462, 1101.7),
        ("blue", 166.419, 1379.439),
    ] {
        scene.pieces.push(PiecePart::new(colour, x, y));
    }
    let truth = render(&scene.validate("test").unwrap()).truth;
    let expected = [
        (-2.587, "cross-7", None, Some("10-off")),
        (1.169, "cross-7", Some("10-off"), Some("10-off")),
        (1.3, "foul", None, None),
        (2.439, "cross-10", Some("8-left"), Some("8-left")),
    ];
    for (piece, (gap, line, area, centre_area)) in truth.pieces.iter().zip(expected) {
        assert!((piece.gap_mm.unwrap() - gap).abs() < 1e-3, "{piece:?}");
        assert_eq!(piece.nearest_line.as_deref(), Some(line));
        assert_eq!(piece.area.as_deref(), area);
        assert_eq!(piece.centre_area.as_deref(), centre_area);
        assert!(piece.in_view && piece.visible_fraction > 0.95, "{piece:?}");
    }
    assert_eq!(truth.pieces[2].more["dead"], true);
    let tally = truth.tally.unwrap();
    assert_eq!((tally["red"].as_i64(), tally["blue"].as_i64()), (Some(0), Some(-2)));
}

#[test]
fn an_occluder_shows_in_the_visible_share() {
    let mut scene = SceneFile::of_board("carrom-court");
    scene.camera.image_size = Some([320, 180]);
    scene.pieces = vec![PiecePart::new("red", 200.0, 1400.0), PiecePart::new("blue", 60.0, 1700.0)];
    scene.objects.push(ObjectPart {
        kind: ObjectKind::Hand,
        x_mm: 200.0,
        y_mm: 1400.0,
        z_mm: Some(15.0),
        angle_deg: 180.0,
        diameter_mm: None,
        colour: None,
        sleeve: None,
    });
    let truth = render(&scene.validate("test").unwrap()).truth;
    assert!(truth.pieces[0].visible_fraction < 0.2, "{:?}", truth.pieces[0]);
    assert_eq!(truth.pieces[1].visible_fraction, 1.0);
}

/// The mean of a motion-blurred piece lies where its truth says.
#[test]
fn a_moving_piece_blurs_about_its_place() {
    let centroid = |velocity: Option<[f64; 2]>| {
        let mut scene = plain_scene("carrom-court");
        scene.camera.image_size = Some([320, 180]);
        scene.picture.exposure_secs = 0.02;
        let mut piece = PiecePart::new("blue", 200.0, 1400.0);
        piece.velocity_mm_s = velocity;
        scene.pieces.push(piece);
        let empty = SceneFile { pieces: Vec::new(), ..scene.clone() };
        let with = render_light(&scene.validate("test").unwrap());
        let without = render_light(&empty.validate("test").unwrap());
        let (mut sum, mut at, mut spread) = (0.0, [0.0, 0.0], 0.0);
        // Around the piece only: far away the tiniest difference has a long lever.
        for v in 60..120 {
            for u in 147..172 {
                let darker = green(&without, u, v) - green(&with, u, v);
                sum += darker;
                at[0] += darker * u as f64;
                at[1] += darker * v as f64;
                spread += darker * (u as f64).powi(2);
            }
        }
        (at.map(|a| a / sum), spread / sum - (at[0] / sum).powi(2))
    };
    let (still, narrow) = centroid(None);
    let (moving, wide) = centroid(Some([0.0, 1500.0]));
    assert!((still[0] - moving[0]).abs() < 0.1 && (still[1] - moving[1]).abs() < 0.1, "{still:?} {moving:?}");
    assert!(wide > 1.3 * narrow, "30 mm of motion must show: {wide} against {narrow}");
}

#[test]
fn the_smallest_scene_frames_the_scoring_end_of_every_board() {
    for board in Board::shipped().unwrap() {
        let scene = SceneFile::of_board(board.id.clone()).validate("test").unwrap();
        let region = region_of_play(&board);
        let [w, h] = scene.camera.image_size.map(f64::from);
        for (x, y) in [(region.from.x, region.from.y), (region.to.x, region.to.y)] {
            let p = scene.camera.image_from_board(x, y, 0.0).unwrap();
            assert!(p.x > 0.0 && p.y > 0.0 && p.x < w && p.y < h, "{}: {p}", board.id);
        }
    }
}

#[test]
fn random_scenes_are_sound_and_repeatable() {
    for board in Board::shipped().unwrap() {
        for view in [View::Overhead, View::Phone] {
            for seed in 0..25 {
                let file = random_scene(&board, view, seed);
                assert_eq!(file, random_scene(&board, view, seed));
                let scene = file.validate("random").unwrap();
                let [w, h] = scene.camera.image_size.map(f64::from);
                for (i, piece) in scene.pieces.iter().enumerate() {
                    let at = Point::new(piece.x_mm, piece.y_mm);
                    for other in &scene.pieces[..i] {
                        let apart = (at - Point::new(other.x_mm, other.y_mm)).norm();
                        let stacked = piece.z_mm >= other.z_mm + other.height_mm
                            || other.z_mm >= piece.z_mm + piece.height_mm;
                        let room = piece.radius_mm + other.radius_mm - 1e-3;
                        assert!(stacked || apart >= room, "{} {view:?} {seed}", board.id);
                    }
                    let p = scene.camera.image_from_board(piece.x_mm, piece.y_mm, 0.0).unwrap();
                    assert!(p.x > 0.0 && p.y > 0.0 && p.x < w && p.y < h, "{} {view:?} {seed}", board.id);
                }
            }
        }
    }
}

#[test]
fn a_set_names_the_empty_board_of_each_fixed_camera() {
    let board = Board::named_or_at("carrom-court").unwrap();
    let options = SetOptions { photos: 8, photos_a_rig: 4, ..SetOptions::default() };
    let scene = |index| set_scene(&board, &options, index, |i| format!("{i}.jpg"));
    for index in 0..8 {
        let (this, first) = (scene(index), scene(index / 4 * 4));
        assert_eq!(this.calibration_image, Some(format!("{}.jpg", index / 4 * 4)));
        assert_eq!(this.pieces.is_empty(), index % 4 == 0);
        assert_eq!(this.camera, first.camera);
        assert_eq!(this.look, first.look);
    }
    assert_ne!(scene(0).camera, scene(4).camera);
    let phone = SetOptions { view: View::Phone, ..options };
    let scene = |index| set_scene(&board, &phone, index, |i| format!("{i}.jpg"));
    assert_ne!(scene(0).camera, scene(1).camera);
    assert_eq!(scene(1).calibration_image, None);
}

/// How many pixels across and down share one colour in a JPEG: what its frame header says of the brightness.
fn colours_a_brightness(jpeg: &[u8]) -> [u8; 2] {
    let frame = jpeg.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    let sampling = jpeg[frame + 11];
    [sampling >> 4, sampling & 0x0F]
}

#[test]
fn a_set_is_photos_with_truth_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = small_court();
    scene.pieces.truncate(1);
    let scene = scene.validate("test").unwrap();
    let path = folder.path().join("photo.jpg");
    render(&scene).save(&path).unwrap();
    assert_eq!(image::open(&path).unwrap().width(), 240);
    assert_eq!(colours_a_brightness(&std::fs::read(&path).unwrap()), [2, 2]);
    let truth: Truth =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("photo.json")).unwrap()).unwrap();
    assert_eq!(truth, render(&scene).truth);
    assert!(render(&scene).save(&folder.path().join("photo.gif")).unwrap_err().to_string().contains(".png"));
}
