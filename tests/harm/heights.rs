//! Heights of a camera as people mistype them: refused, or of no harm.

use linecall::{
    calibrate::{CalibrateOptions, Given, calibrate_camera},
    evaluate::Truth,
    register::Registration,
    score::Known,
};
use rand::RngExt;

use crate::{
    count, dice,
    judge::{Judged, Table, words},
    one_of,
};

#[test]
fn wrong_heights_never_give_a_sure_and_wrong_tally() {
    const PHOTOS: [&str; 5] = [
        "court-overhead/003.jpg",
        "court-close-calls/001.jpg",
        "longboard-overhead/002.jpg",
        "association-overhead/001.jpg",
        "carrom-overhead/001.jpg",
    ];
    let tables = PHOTOS.map(|photo| {
        let table = Table::new(photo);
        let picture = table.picture();
        let truth = Truth::load(&table.path.with_extension("json")).unwrap();
        let scorer = table.scorer();
        (table, scorer, picture, truth.camera().pose.centre_mm().z)
    });
    let mut dice = dice(5);
    let mut judged = Vec::new();
    let mut told = Vec::new();
    for _ in 0..count(8) {
        let (table, scorer, picture, true_mm) = one_of(&tables, &mut dice);
        let typed_mm = match dice.random_range(0..4) {
            // Another unit, a digit too few or too many, a wrong one, or measured from the floor.
            0 => true_mm / one_of(&[10.0, 25.4, 304.8, 1000.0], &mut dice),
            1 => true_mm * one_of(&[0.1, 10.0, 0.5, 2.0], &mut dice),
            2 => true_mm + one_of(&[-900.0, -100.0, -50.0, 50.0, 100.0, 300.0], &mut dice),
            _ => true_mm + dice.random_range(700.0..800.0),
        };
        let given = Given { height_mm: Some(typed_mm), ..Given::default() };
        let photos = [("photo".to_owned(), picture.clone())];
        let found = calibrate_camera(&photos, &table.board, &given, &CalibrateOptions::default(), || ());
        let result = match found {
            Err(_) => Judged::Refused,
            Ok(made) => {
                let prepared = scorer.prepare(Registration::from(&made.file));
                table.judge(scorer, picture, &Known::Camera(Box::new(prepared)))
            }
        };
        if result == Judged::SureAndWrong {
            told.push(format!("{}: {typed_mm:.0} mm in place of {true_mm:.0}", table.path.display()));
        }
        judged.push(result);
    }
    println!("wrong heights: {}", words(&judged));
    assert!(told.is_empty(), "{}", told.join("\n"));
}
