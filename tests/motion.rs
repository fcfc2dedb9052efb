//! Motion on rendered and simulated sequences.

use std::path::Path;

use linecall::{
    board::Board,
    camera::{Camera, Lens, Pose},
    capture::{PhotoLimits, load_photo},
    motion::{MotionOptions, TrackOptions, Tracker, Watcher, small_grey},
};

#[test]
fn explore() {
    let dir = Path::new("/work/shared/photos/rendered/court-sequence");
    let board = Board::named_or_at("carrom-court").unwrap();
    let truth: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("000.json")).unwrap()).unwrap();
    let lens: Lens = serde_json::from_value(truth["intrinsics"].clone()).unwrap();
    let r: [[f64; 3]; 3] = serde_json::from_value(truth["extrinsics"]["R"].clone()).unwrap();
    let t: [f64; 3] = serde_json::from_value(truth["extrinsics"]["t"].clone()).unwrap();
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(nalgebra::Matrix3::from_fn(|i, j| r[i][j]));
    let camera = Camera {
        image_size: [960, 540],
        lens,
        pose: Pose { rotation, translation_mm: nalgebra::Vector3::from(t) },
    };
    let options = MotionOptions::default();
    let mut watcher = Watcher::new(&board, &camera, &options);
    println!("{}x{} reduce {}", watcher.view().width, watcher.view().height, watcher.view().reduce);
    let mut tracker = Tracker::default();
    for i in 0..60 {
        let picture = load_photo(&dir.join(format!("{i:03}.jpg")), &PhotoLimits::default()).unwrap();
        let small = small_grey(&picture, watcher.view().reduce);
        let started = std::time::Instant::now();
        let activity = watcher.push(&small, f64::from(i) / 4.0);
        tracker.push(&activity, [707.0, 707.0], &TrackOptions::default());
        let took = started.elapsed();
        println!(
            "{i} moving {} still {:.2} {} light {} {:?} sigma {:.2} {took:?}",
            activity.moving, activity.still_secs, activity.still_frames, activity.light_changed,
            activity.foreground.iter().map(|b| format!("{:.0},{:.0} {:.0}mm2 {:.0}mm {}", b.at.x, b.at.y, b.area_mm2, b.extent_mm, b.at_border)).collect::<Vec<_>>(),
            watcher.common().sigma,
        );
        if activity.is_still(&options) {
            for t in &tracker.tracks {
                println!("   track hand {} entered {} {:?}", t.hand, t.entered(), t.points.iter().map(|p| format!("{:.0},{:.0}", p.at.x, p.at.y)).collect::<Vec<_>>());
            }
            watcher.settle(&[]);
            tracker = Tracker::default();
        }
    }
}
