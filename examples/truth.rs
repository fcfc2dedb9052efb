use linecall::{board::*, camera::*, capture::*, detect::*, geometry::*, measure::*, register::*};
use nalgebra::*;
use rand::{RngExt, SeedableRng};
use serde_json::Value;
use std::collections::BTreeMap;

pub struct Case { pub name: String, pub cat: String, pub picture: Picture, pub board: Board, pub registration: Registration, pub truth: Vec<Value>, pub candidates: Vec<Candidate> }

pub fn load(json: &std::path::Path, boards: &BTreeMap<String, Board>, offset: f64) -> Option<Case> {
    let v: Value = serde_json::from_str(&std::fs::read_to_string(json).ok()?).ok()?;
    let truth: Vec<Value> = v.get("pieces")?.as_array()?.clone();
    if truth.is_empty() { return None; }
    let i = &v["intrinsics"];
    let g = |k: &str| i[k].as_f64().unwrap_or(0.0);
    let lens = Lens { fx: g("fx"), fy: g("fy"), cx: g("cx"), cy: g("cy"), k1: g("k1"), k2: g("k2"), p1: g("p1"), p2: g("p2"), k3: g("k3") };
    let r: Vec<f64> = v["extrinsics"]["R"].as_array()?.iter().flat_map(|r| r.as_array().unwrap().iter().map(|x| x.as_f64().unwrap())).collect();
    let t: Vec<f64> = v["extrinsics"]["t"].as_array()?.iter().map(|x| x.as_f64().unwrap()).collect();
    let rotation = Rotation3::from_matrix_unchecked(Matrix3::from_row_slice(&r));
    let size = [v["image_size"][0].as_u64()? as u32, v["image_size"][1].as_u64()? as u32];
    let camera = Camera { image_size: size, lens, pose: Pose { rotation, translation_mm: Vector3::new(t[0], t[1], t[2]) } };
    let board = boards.get(v["board"].as_str()?)?.clone();
    let img = ["jpg", "png"].iter().map(|e| json.with_extension(e)).find(|p| p.exists())?;
    let picture = Picture::new(image::open(img).ok()?.to_rgb8());
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut truth2 = vec![]; let mut candidates = vec![];
    for p in truth {
        if p["in_view"].as_bool() == Some(false) { continue; }
        let Some(kind) = board.pieces.iter().position(|k| Some(k.name.as_str()) == p["colour"].as_str()) else { continue };
        let (x, y, z) = (p["x_mm"].as_f64()?, p["y_mm"].as_f64()?, p["z_mm"].as_f64().unwrap_or(0.0));
        let (a, d): (f64, f64) = (rng.random::<f64>() * 6.2831, rng.random::<f64>().sqrt() * offset);
        candidates.push(Candidate { kind, centre: Point::new(x + d * a.cos(), y + d * a.sin()), base_mm: z, stacked: z > 0.0, kind_probability: 1.0, px: Point2::new(0.0, 0.0) });
        truth2.push(p);
    }
    Some(Case { name: json.file_stem()?.to_string_lossy().into(), cat: json.parent()?.file_name()?.to_string_lossy().into(), picture, board, registration: Registration { camera, covariance: CameraCovariance::zeros(), method: Method::Camera, rms_px: 0.0, edges: 0 }, truth: truth2, candidates })
}

fn q(v: &mut Vec<f64>, p: f64) -> f64 { if v.is_empty() { return f64::NAN } v.sort_by(f64::total_cmp); v[((v.len() as f64 * p) as usize).min(v.len() - 1)] }

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = std::env::var("V").is_ok();
    let offset = std::env::var("OFF").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let boards: BTreeMap<String, Board> = Board::shipped().unwrap().into_iter().map(|b| (b.id.clone(), b)).collect();
    let options = MeasureOptions::default();
    let mut table: BTreeMap<String, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    for dir in &args {
        let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
        files.sort();
        for f in files {
            if f.to_string_lossy().contains("sequence/") && f.file_stem().unwrap().to_string_lossy().parse::<u32>().map_or(true, |n| n % 6 != 0) { continue; }
            let Some(case) = load(&f, &boards, offset) else { continue };
            let out = trace(&case.picture, &case.board, &case.registration, &case.candidates, &options);
            for ((t, c), p) in out.iter().zip(&case.candidates).zip(&case.truth) {
                let truth = Point::new(p["x_mm"].as_f64().unwrap(), p["y_mm"].as_f64().unwrap());
                let e = |v: Option<Point>| v.map_or(9.0, |v| (v - truth).norm());
                let row = table.entry(case.cat.clone()).or_default();
                for (k, v) in [("0cand", Some(c.centre)), ("1coarse", t.coarse), ("2silh", t.silhouette.map(|s| s.0)), ("2zcap", t.cap.map(|s| s.0)), ("3symm", t.symmetry.map(|s| s.0))] { row.entry(k).or_default().push(e(v)); }
                if verbose {
                    let eye = case.registration.camera.pose.centre_mm();
                    let out = (truth - Point::new(eye.x, eye.y)).normalize();
                    let d = |v: Option<Point>| v.map_or("   --        ".to_string(), |v| { let d = v - truth; format!("{:+.3} {:+.3}", d.dot(&out), d.x * -out.y + d.y * out.x) });
                    let f = |s: Option<(Point, Matrix2<f64>, f64, f64, f64)>| s.map_or(String::new(), |s| format!("s {:.3} res {:.3} sh {:.2} ex {:+.3}", s.1.trace().sqrt() / 1.414, s.2, s.3, s.4));
                    println!("{}/{} {:8} slope {:.2} vis {:.2} coarse {} | silh {} {} | symm {} {} | cap {} {} score {:.2} {:.2} r {:.2} {:.2}", case.cat, case.name, p["colour"].as_str().unwrap(), (truth - Point::new(eye.x, eye.y)).norm() / eye.z, p["visible_fraction"].as_f64().unwrap_or(1.0), d(t.coarse), d(t.silhouette.map(|s| s.0)), f(t.silhouette), d(t.symmetry.map(|s| s.0)), f(t.symmetry), d(t.cap.map(|s| s.0)), f(t.cap), t.scores.0, t.scores.1, t.scores.2, t.scores.3);
                }
            }
        }
    }
    for (cat, row) in &mut table {
        print!("{cat:24} n {:3}", row["0cand"].len());
        for (k, v) in row.iter_mut() { print!("  {k} {:.3}/{:.3}/{:.2}", q(v, 0.5), q(v, 0.95), q(v, 1.0)); }
        println!();
    }
}
