//! Tables that no board file knows: the same ones for the same seed, and told truly.

use std::{collections::BTreeMap, path::Path};

use linecall::{
    board::{Board, LineRole},
    capture::Picture,
    evaluate::{BoardSource, EvaluateOptions, evaluate, summarise, true_photos},
    geometry::{Paint, Point, Vector},
    simulate::{LightField, UnknownTable, View, render, render_light, render_unknown_set, unknown_table},
};

fn table(kind: &str, seed: u64) -> UnknownTable {
    let template = Board::named_or_at(kind).expect("a shipped board");
    unknown_table(&template, seed).unwrap_or_else(|e| panic!("{kind}, seed {seed}: {e}"))
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_one_thread_or_many() {
    let template = Board::named_or_at("carrom-icf").expect("a shipped board");
    let made = |threads: usize| -> BTreeMap<String, Vec<u8>> {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            render_unknown_set(&template, "carrom-icf", 1, View::Phone, 3, folder.path(), &|| ())
                .expect("a set");
        });
        let files =
            std::fs::read_dir(folder.path()).expect("files").map(|entry| entry.expect("a file").path());
        files
            .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read(path).unwrap()))
            .collect()
    };
    let one = made(1);
    let names: Vec<&str> = one.keys().map(String::as_str).collect();
    assert_eq!(names, ["000-empty.jpg", "000-empty.json", "000.board.toml", "000.jpg", "000.json"]);
    assert_eq!(one, made(4));
}

#[test]
fn every_kind_has_sound_tables_that_differ() {
    for template in Board::shipped().expect("the shipped boards") {
        let mut widths = Vec::new();
        for seed in 0..25 {
            let table = table(&template.id, seed);
            assert_eq!(table.board, Board::parse(&table.file, Path::new("a.toml")).expect("a board file"));
            for view in [View::Phone, View::Overhead] {
                let photo = table.photo(view).unwrap_or_else(|e| panic!("{} {seed}: {e}", template.id));
                let empty = table.empty_photo(view).unwrap_or_else(|e| panic!("{} {seed}: {e}", template.id));
                assert!(empty.pieces.iter().all(|piece| piece.parked.is_some()));
                assert_ne!(photo.camera, empty.camera);
            }
            let off = table.board.surface.width_mm / template.surface.width_mm - 1.0;
            assert!(off.abs() < 0.16, "{} {seed}: {off}", template.id);
            widths.push(off);
        }
        assert!(widths.iter().any(|off| *off > 0.01) && widths.iter().any(|off| *off < -0.01));
    }
}

#[test]
fn makers_keep_the_four_sides_alike() {
    for seed in 0..10 {
        let board = table("carrom-icf", seed).board;
        let [w, l] = [board.surface.width_mm, board.surface.length_mm];
        let middle = Point::new(w / 2.0, l / 2.0);
        let rear = |line: &&linecall::board::Line| line.role == LineRole::BaseRear;
        let distances: Vec<f64> = board
            .lines
            .iter()
            .filter(rear)
            .map(|line| (line.paint.nearest_on_middle(middle) - middle).norm())
            .collect();
        assert_eq!(distances.len(), 4);
        let most = distances.iter().copied().fold(0.0, f64::max);
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(most - least < 2.2 && most > least, "seed {seed}: {distances:?}");
    }
}

/// How bright the picture is where a place of the surface is seen.
fn brightness(light: &LightField, scene: &linecall::simulate::Scene, p: Point) -> Option<f64> {
    let at = scene.camera.image_from_board(p.x, p.y, 0.0)?;
    let (x, y) = (at.x.round(), at.y.round());
    let inside = x >= 0.0 && y >= 0.0 && x < light.width as f64 && y < light.height as f64;
    inside.then(|| light.at(x as usize, y as usize).iter().map(|v| f64::from(*v)).sum())
}

#[test]
fn lines_of_the_true_board_file_lie_on_paint() {
    for kind in ["carrom-icf", "carrom-court"] {
        // A table whose paint is mostly there.
        let table = (0..50)
            .map(|seed| table(kind, seed))
            .find(|table| table.dress.worn_away == 0.0 && table.dress.powder == 0.0)
            .expect("one of fifty is not worn");
        let scene = table.empty_photo(View::Phone).expect("a scene");
        let light = render_light(&scene);
        let (mut seen, mut dark) = (0, 0);
        for line in &table.board.lines {
            let Paint::Stroke { from, to, width_mm } = line.paint else { continue };
            let along = (to - from).normalize();
            let across = Vector::new(-along.y, along.x) * (width_mm / 2.0 + 2.5);
            for i in 1..20 {
                let p = from + (to - from) * (f64::from(i) / 20.0);
                let places = [p, p + across, p - across].map(|p| brightness(&light, &scene, p));
                let [Some(on), Some(left), Some(right)] = places else { continue };
                seen += 1;
                dark += usize::from(on < 0.93 * left.max(right));
            }
        }
        assert!(
            seen > 100 && dark as f64 > 0.85 * f64::from(seen),
            "{kind}: {dark} of {seen} places are dark"
        );
    }
}

#[test]
fn what_lies_out_of_play_is_told_apart_from_the_pieces() {
    let mut parked = 0;
    for seed in 0..6 {
        let scene = table("carroms-ludington", seed).photo(View::Overhead).expect("a scene");
        let expected = scene.pieces.iter().filter(|piece| piece.parked.is_some()).count();
        let played = scene.pieces.len() - expected;
        if expected == 0 || parked > 0 {
            continue;
        }
        let truth = render(&scene).truth;
        assert_eq!(truth.pieces.len(), played);
        let told = truth.foreign_objects.iter().filter(|object| object["kind"] == "piece");
        assert!(told.clone().all(|object| object["parked"].is_string()));
        assert_eq!(told.count(), expected);
        parked += expected;
    }
    assert!(parked > 0, "nothing is parked on six tables");
}

#[test]
fn evaluate_scores_each_table_with_its_own_board_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let template = Board::named_or_at("carrom-icf").expect("a shipped board");
    render_unknown_set(&template, "carrom-icf", 1, View::Overhead, 5, folder.path(), &|| ()).expect("a set");
    let photos = true_photos(folder.path()).expect("photos with truth");
    let own: Vec<String> = photos.iter().map(|photo| photo.board_name(BoardSource::Own)).collect();
    let path = folder.path().join("000.board.toml").display().to_string();
    assert_eq!(own, [path.clone(), path]);
    assert!(photos.iter().all(|photo| photo.board_name(BoardSource::Kind) == "carrom-icf"));
    for boards in [BoardSource::Own, BoardSource::Kind] {
        let options = EvaluateOptions { boards, ..EvaluateOptions::default() };
        let evaluations = evaluate(&photos, folder.path(), &options, |_, _: Option<(_, &Picture, _)>| ());
        let summary = summarise("all", evaluations.expect("an evaluation").iter());
        assert_eq!(summary.photos, 2);
    }
}
