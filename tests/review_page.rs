//! The review page in a real browser: nothing overflows, one sheet when printed, frames can be
//! stepped through, and what is drawn is what is said: the gap is measured again from the page.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use fantoccini::{
    Client, Locator,
    wd::{PrintConfiguration, PrintMargins, PrintSize},
};
use image::RgbImage;
use linecall::{
    board::{Board, End},
    capture::{PhotoLimits, Picture, load_photo},
    ledger::Ruling,
    review::{
        Assets, Dossier, Encoded, Evidence, FrameShot, InMatch, OtherMeasurement, ReviewOptions, VerdictForm,
        VerdictShown, from_photo, page,
    },
    score::{Known, PieceReport, ScoreOptions, Scored, Scorer, Seen, Sight, StageTimes},
    simulate::{MakePart, PiecePart, SceneFile, render},
};
use serde_json::Value;
use tempfile::TempDir;

use crate::browser::{Screen, browse, overflow, screenshot, sheets};
use crate::score::fixture;

/// A scored fixture.
struct Shot {
    picture: Picture,
    scorer: Scorer,
    scored: Scored,
}

impl Shot {
    fn of(photo: &str, board: &str) -> Shot {
        let picture = load_photo(&fixture(photo), &PhotoLimits::default()).unwrap();
        Shot::scored(photo, picture, board)
    }

    /// A carrom board with a striker at a place and a few men.
    fn striker_at(name: &str, [x_mm, y_mm]: [f64; 2]) -> Shot {
        let men = [("queen", 370.0, 370.0), ("white", 420.0, 300.0), ("black", 260.0, 480.0)];
        let pieces: Vec<_> = [("striker", x_mm, y_mm)].into_iter().chain(men).collect();
        Shot::rendered(name, "carrom-icf", &pieces)
    }

    /// A scene of these pieces, seen from above.
    fn rendered(name: &str, board: &str, pieces: &[(&str, f64, f64)]) -> Shot {
        let mut scene = SceneFile::of_board(board);
        scene.camera.image_size = Some([1440, 1080]);
        for (colour, x_mm, y_mm) in pieces {
            let piece = PiecePart::new(*colour, *x_mm, *y_mm);
            scene.pieces.push(PiecePart { make: Some(MakePart::Groove), ..piece });
        }
        let photo = render(&scene.validate(name).unwrap());
        Shot::scored(name, Picture::new(photo.picture), board)
    }

    fn scored(photo: &str, picture: Picture, board: &str) -> Shot {
        let board = Board::named_or_at(board).unwrap();
        let scorer = Scorer::new(board, None, End::Far, ScoreOptions::default()).unwrap();
        let scored = scorer.score(photo, &picture, &Known::Nothing, &mut StageTimes::default()).unwrap();
        Shot { picture, scorer, scored }
    }

    fn dossier(&self, piece: usize, about: Option<&str>) -> Dossier {
        let evidence = Evidence {
            picture: &self.picture,
            board: &self.scorer.board,
            scored: &self.scored,
            calls: &self.scorer.options.calls,
            taken_at: None,
            photo_sha256: None,
        };
        from_photo(&evidence, Some(piece), about, &ReviewOptions::default()).unwrap()
    }

    /// Of the piece nearest to a place.
    fn dossier_at(&self, near: [f64; 2], about: Option<&str>) -> Dossier {
        let from_mm = |p: &PieceReport| (p.x_mm - near[0]).hypot(p.y_mm - near[1]);
        let pieces = &self.scored.report.pieces;
        let piece = pieces.iter().min_by(|a, b| from_mm(a).total_cmp(&from_mm(b))).unwrap();
        assert!(from_mm(piece) < 5.0, "no piece at {near:?}");
        self.dossier(piece.id, about)
    }

    /// A carrom board with a white man that lies on the brink of a pocket.
    fn at_a_pocket() -> Shot {
        let men = [
            ("white", 38.5, 38.5),
            ("queen", 370.0, 370.0),
            ("white", 420.0, 300.0),
            ("black", 260.0, 480.0),
        ];
        Shot::rendered("pocket", "carrom-icf", &men)
    }

    /// The same pieces, of one of which the colour is in doubt: the first that the tally hangs on.
    fn unsure_of_a_colour(mut self) -> Shot {
        let (photo, registration) = (self.scored.report.photo.clone(), self.scored.registration.clone());
        let called = |pieces: Vec<Seen>| {
            let sight = Sight { pieces, ..Sight::default() };
            self.scorer.call(&photo, registration.clone(), sight, &mut StageTimes::default())
        };
        let unsure = |index: usize| {
            let mut pieces = self.scored.seen.clone();
            pieces[index].candidate.kind_probability = 0.83;
            called(pieces)
        };
        let is_doubted = |scored: &Scored| doubted(scored, "colour ").is_some();
        self.scored = (0..self.scored.seen.len()).map(unsure).find(is_doubted).unwrap();
        self
    }

    /// Of what the tally doubts whose name starts so.
    fn doubt(&self, about: &str) -> Dossier {
        let (piece, about) = doubted(&self.scored, about).expect("such a doubt");
        self.dossier(piece, Some(&about))
    }

    /// Of the striker's placement: a carrom board looks the same from four sides, so it is known by its
    /// kind.
    fn placement(&self) -> Dossier {
        let striker = self.scored.report.pieces.iter().find(|piece| piece.colour == "striker").unwrap();
        self.dossier(striker.id, Some("placement"))
    }
}

/// The first doubt of a tally whose name starts so, and its piece.
fn doubted(scored: &Scored, about: &str) -> Option<(usize, String)> {
    let doubt = scored.report.doubts.iter().find(|doubt| doubt.about.starts_with(about))?;
    Some((doubt.piece, doubt.about.clone()))
}

/// The dossier of the piece nearest to a place of a fixture.
fn dossier(photo: &str, board: &str, near: [f64; 2], about: Option<&str>) -> Dossier {
    Shot::of(photo, board).dossier_at(near, about)
}

#[test]
fn the_other_way_is_what_the_tally_doubts() {
    let mut seen = BTreeSet::new();
    let shots = [
        Shot::of("court-oblique-phone/001.jpg", "carrom-court"),
        Shot::of("hard-light/000.jpg", "carrom-court"),
        Shot::of("longboard-overhead/002.jpg", "carrom-long-board"),
        Shot::of("association-overhead/002.jpg", "association-table"),
        Shot::of("court-overhead/003.jpg", "carrom-court").unsure_of_a_colour(),
        Shot::at_a_pocket(),
    ];
    for shot in &shots {
        let report = &shot.scored.report;
        let photo = &report.photo;
        for doubt in &report.doubts {
            let dossier = shot.dossier(doubt.piece, Some(&doubt.about));
            let ways =
                [&dossier.either_way.below, &dossier.either_way.above].map(|way| way.as_ref().unwrap());
            let [called, other] = if ways[0].as_called { ways } else { [ways[1], ways[0]] };
            assert!(!other.as_called);
            assert_eq!(called.tally, report.tally, "{photo}: {doubt:?}");
            assert_eq!(other.tally, doubt.tally, "{photo}: {doubt:?}");
            let is_colour = doubt.about.starts_with("colour");
            let answer = if is_colour { "Probably " } else { "Too close to call" };
            assert!(dossier.head.answer.starts_with(answer), "{photo}: {doubt:?} {}", dossier.head.answer);
            seen.insert(doubt.about.split(' ').next().unwrap_or_default().to_owned());
        }
    }
    assert!(["colour", "edge"].iter().all(|about| seen.contains(*about)) && seen.len() > 3, "{seen:?}");
}

/// The same with every part that only a ledger has.
fn from_a_match(mut dossier: Dossier) -> Dossier {
    let frame = |index: u8| {
        let picture = RgbImage::from_pixel(320, 180, image::Rgb([index * 40, 90, 120]));
        let at_secs = f64::from(index) * 0.25 - 0.75;
        FrameShot { at_secs, picture: Encoded::small_jpeg(&picture, 320, 80).unwrap(), called: index == 3 }
    };
    let gap = &dossier.gaps[0];
    let other = |index: u8| OtherMeasurement {
        at_secs: f64::from(index) * 0.25 - 1.0,
        gap_mm: gap.gap_mm + (f64::from(index) * 2.1).sin() * gap.sigma_mm,
        sigma_mm: gap.sigma_mm,
    };
    dossier.other_measurements = (0..8).map(other).collect();
    dossier.frames = (0..6).map(frame).collect();
    dossier.id = Some("12.3".to_owned());
    dossier.in_match = Some(InMatch {
        as_called: vec![("Ann".to_owned(), 68), ("Bo".to_owned(), 71)],
        otherwise: Some(vec![("Ann".to_owned(), 76), ("Bo".to_owned(), 71)]),
        meaning: "The other way Ann would have won the game.".to_owned(),
    });
    dossier.verdicts = vec![
        VerdictShown {
            ruling: Ruling::Upheld,
            by: "Cy".to_owned(),
            why: "The light shows no gap.".to_owned(),
            at: Some("2026-11-16 12:01 UTC".to_owned()),
        },
        VerdictShown {
            ruling: Ruling::Overruled,
            by: "<b>Di</b> & Co".to_owned(),
            why: "Seen with a loupe \"at the table\".".to_owned(),
            at: None,
        },
    ];
    dossier
}

/// A page as a file, gone with the folder.
fn written(page: &str) -> (TempDir, String) {
    // Not in /tmp: a browser that is a snap sees another one.
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("call.html");
    std::fs::write(&path, page).unwrap();
    (folder, format!("file://{}", path.display()))
}

async fn printed(client: &Client) -> Vec<u8> {
    let a4 = PrintConfiguration::builder()
        .size(PrintSize { width: 21.0, height: 29.7 })
        .margins(PrintMargins { top: 0.9, bottom: 0.9, left: 0.9, right: 0.9 })
        .shrink_to_fit(false)
        .background(true)
        .build()
        .unwrap();
    client.print(a4).await.unwrap()
}

async fn text_of(client: &Client, css: &str) -> String {
    client.find(Locator::Css(css)).await.unwrap().text().await.unwrap()
}

/// A gap as words state it: `+1.42 ± 0.10 mm`.
fn stated_mm(words: &str) -> f64 {
    let number = words.split_whitespace().next().unwrap().replace('−', "-");
    number.parse().unwrap_or_else(|_| panic!("no gap in {words:?}"))
}

/// Lengths on the screen of every close-up: the gap and the scale bar, in CSS pixels, and the
/// bar's length in mm.
async fn drawn_gaps(client: &Client) -> Vec<[f64; 3]> {
    let script = "
        const length = (line) => {
          const box = line.getScreenCTM(), at = (x, y) => new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(box);
          const a = at(line.x1, line.y1), b = at(line.x2, line.y2);
          return Math.hypot(a.x - b.x, a.y - b.y);
        };
        return [...document.querySelectorAll('.close-up svg')].map((svg) => [
          length(svg.querySelector('line.gap')), length(svg.querySelector('line.bar')),
          Number(svg.querySelector('.scale-bar').dataset.mm)]);";
    let found = client.execute(script, Vec::new()).await.unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    found.as_array().unwrap().iter().map(|row| [number(&row[0]), number(&row[1]), number(&row[2])]).collect()
}

#[test]
fn the_drawn_gap_is_the_stated_gap() {
    // From above, a slanted line from a slanted phone, the order of two, a hanger, a striker's base line.
    let cases = [
        ("court-close-calls/001.jpg", "carrom-court", [248.6, 1559.3], None),
        ("court-oblique-phone/001.jpg", "carrom-court", [260.7, 1306.4], None),
        ("longboard-overhead/002.jpg", "carrom-long-board", [55.5, 1646.8], Some("order")),
        ("longboard-overhead/002.jpg", "carrom-long-board", [268.6, 1817.6], Some("end")),
    ];
    let mut dossiers: Vec<Dossier> =
        cases.into_iter().map(|(photo, board, near, about)| dossier(photo, board, near, about)).collect();
    dossiers.push(Shot::of("carrom-overhead/001.jpg", "carrom-icf").placement());
    let pages: Vec<(Dossier, TempDir, String)> = dossiers
        .into_iter()
        .map(|dossier| {
            let (folder, url) = written(&page(&dossier, Assets::Inline));
            (dossier, folder, url)
        })
        .collect();
    browse(Screen::DESK, async move |client| {
        for (dossier, _folder, url) in &pages {
            client.goto(url).await.unwrap();
            let stated = stated_mm(&text_of(&client, ".gap-stated strong").await);
            assert!(
                (stated.abs() - dossier.gaps[0].gap_mm.abs()).abs() <= 0.005 + 1e-9,
                "{stated} mm stated"
            );
            let gaps = drawn_gaps(&client).await;
            assert_eq!(gaps.len(), dossier.close_ups.len());
            for [gap_px, bar_px, bar_mm] in gaps {
                let drawn_mm = gap_px / bar_px * bar_mm;
                let off_mm = drawn_mm - stated.abs();
                // Half of the last digit that is stated, and a thousandth for the lens's bend.
                assert!(
                    off_mm.abs() <= 0.006 + 0.002 * stated.abs(),
                    "{drawn_mm} mm drawn, {stated} mm stated"
                );
            }
        }
    });
}

/// A close-up's pixels as the page carries them, with the matrix that places them.
struct Pixels {
    picture: RgbImage,
    /// Drawing units from pixels.
    matrix: nalgebra::Matrix3<f64>,
}

impl Pixels {
    /// Brightness of the three colours at a place of the drawing, between pixel centres.
    fn at(&self, x: f64, y: f64) -> nalgebra::Vector3<f64> {
        let px = self.matrix.try_inverse().unwrap() * nalgebra::Vector3::new(x, y, 1.0);
        let (u, v) = (px.x - 0.5, px.y - 0.5);
        let (left, top) = (u.floor(), v.floor());
        let pixel = |x: f64, y: f64| {
            let [r, g, b] = self.picture.get_pixel(x as u32, y as u32).0.map(f64::from);
            nalgebra::Vector3::new(r, g, b)
        };
        let above = pixel(left, top).lerp(&pixel(left + 1.0, top), u - left);
        let below = pixel(left, top + 1.0).lerp(&pixel(left + 1.0, top + 1.0), u - left);
        above.lerp(&below, v - top)
    }
}

async fn pixels(client: &Client) -> Pixels {
    let image = client.find(Locator::Css("image.pixels")).await.unwrap();
    let href = image.attr("href").await.unwrap().unwrap();
    let png = BASE64.decode(href.strip_prefix("data:image/png;base64,").unwrap()).unwrap();
    let transform = image.attr("transform").await.unwrap().unwrap();
    let numbers: Vec<f64> = transform
        .trim_start_matches("matrix(")
        .trim_end_matches(')')
        .split(' ')
        .map(|number| number.parse().unwrap())
        .collect();
    let [a, b, c, d, e, f] = numbers[..] else { panic!("{transform}") };
    Pixels {
        picture: image::load_from_memory(&png).unwrap().to_rgb8(),
        matrix: nalgebra::Matrix3::new(a, c, e, b, d, f, 0.0, 0.0, 1.0),
    }
}

/// Where a profile crosses half-way from its first to its second colour, nearest to `near`.
fn crossing(profile: &[(f64, nalgebra::Vector3<f64>)], from: f64, to: f64, near: f64) -> f64 {
    let colour_at =
        |at: f64| profile.iter().min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs())).unwrap().1;
    let (one, two) = (colour_at(from), colour_at(to));
    let share =
        |colour: &nalgebra::Vector3<f64>| (colour - one).dot(&(two - one)) / (two - one).norm_squared();
    profile
        .windows(2)
        .filter(|pair| (share(&pair[0].1) - 0.5) * (share(&pair[1].1) - 0.5) <= 0.0)
        .map(|pair| (pair[0].0 + pair[1].0) / 2.0)
        .min_by(|a, b| (a - near).abs().total_cmp(&(b - near).abs()))
        .expect("an edge")
}

#[test]
fn the_gap_can_be_read_again_from_the_pages_own_pixels() {
    // A puck 3 mm off the centre line, so that wood is seen between rim and paint.
    let dossier = dossier("court-overhead/003.jpg", "carrom-court", [180.0, 1689.8], None);
    let (_folder, url) = written(&page(&dossier, Assets::Inline));
    browse(Screen::DESK, async move |client| {
        client.goto(&url).await.unwrap();
        let stated = stated_mm(&text_of(&client, ".gap-stated strong").await);
        let script = "
            const svg = document.querySelector('.close-up svg'), gap = svg.querySelector('line.gap');
            const end = (x, y) => [Number(gap.getAttribute(x)), Number(gap.getAttribute(y))];
            const [from, to] = [end('x1', 'y1'), end('x2', 'y2')];
            const bar = svg.querySelector('line.bar');
            const scale = (bar.getAttribute('x2') - bar.getAttribute('x1')) / svg.querySelector('.scale-bar').dataset.mm;
            // Where the outline that the camera sees crosses the gap's line, from the rim on.
            const outline = svg.querySelector(svg.querySelector('use.line.outline').getAttribute('href'));
            const way = [to[0] - from[0], to[1] - from[1]], long = Math.hypot(...way);
            let best = [Infinity, 0];
            for (let s = 0; s <= outline.getTotalLength(); s += 0.05) {
              const p = outline.getPointAtLength(s), d = [p.x - from[0], p.y - from[1]];
              const aside = Math.abs(d[0] * way[1] - d[1] * way[0]) / long, along = (d[0] * way[0] + d[1] * way[1]) / long;
              if (aside < best[0]) best = [aside, along];
            }
            return [from, to, scale, best[1]];";
        let found = client.execute(script, Vec::new()).await.unwrap();
        let number = |value: &Value| value.as_f64().unwrap();
        let (from, to) =
            ([number(&found[0][0]), number(&found[0][1])], [number(&found[1][0]), number(&found[1][1])]);
        let (units_per_mm, outline_at) = (number(&found[2]), number(&found[3]));
        let pixels = pixels(&client).await;
        let long = (to[0] - from[0]).hypot(to[1] - from[1]);
        let along = [(to[0] - from[0]) / long, (to[1] - from[1]) / long];
        // From inside the piece to the middle of the paint, in drawing units from the rim.
        let (inside, middle) = (-1.8 * units_per_mm, long + 1.8 * units_per_mm);
        let profile: Vec<_> = (0..=400)
            .map(|step| {
                let s = inside + (middle - inside) * f64::from(step) / 400.0;
                (s, pixels.at(from[0] + along[0] * s, from[1] + along[1] * s))
            })
            .collect();
        let rim = crossing(&profile, inside, (outline_at + long) / 2.0, outline_at);
        let paint = crossing(&profile, middle, (outline_at + long) / 2.0, long);
        // The camera sees the rim's outline, not the footprint; the page draws both.
        let read_mm = (paint - rim + outline_at) / units_per_mm;
        assert!((read_mm - stated).abs() < 0.35, "{read_mm} mm read from the pixels, {stated} mm stated");
    });
}

#[test]
fn a_page_with_every_part_fits_a_phone_and_a_sheet_and_steps_through_frames() {
    let photo = dossier("court-close-calls/002.jpg", "carrom-court", [172.3, 1207.3], None);
    let full = from_a_match(photo);
    let (_folder, url) = written(&page(&full, Assets::Inline));
    let phone_url = url.clone();
    browse(Screen::PHONE, async move |client| {
        client.goto(&phone_url).await.unwrap();
        let (beyond, what) = overflow(&client).await;
        assert!(beyond <= 0.5, "{beyond} px beyond a phone's screen: {what}");
        screenshot(&client, "review-phone").await;
    });
    browse(Screen::DESK.dark(), async move |client| {
        client.goto(&url).await.unwrap();
        assert!(!text_of(&client, "h1").await.is_empty());
        assert!(text_of(&client, ".verdicts").await.contains("<b>Di</b> & Co"), "escaped, not lost");
        let shown = async || text_of(&client, ".frames figure:not([hidden]) figcaption").await;
        let step = async |by: &str| {
            let button = format!("[data-step='{by}']");
            client.find(Locator::Css(&button)).await.unwrap().click().await.unwrap();
        };
        assert_eq!(shown().await, "the called frame");
        step("-1").await;
        assert_eq!(shown().await, "−0.25 s");
        for by in ["1", "1", "1"] {
            step(by).await;
        }
        assert_eq!(shown().await, "+0.50 s");
        let last = client.find(Locator::Css("[data-step='1']")).await.unwrap();
        assert!(!last.is_enabled().await.unwrap(), "there is nothing after the last frame");
        let (beyond, what) = overflow(&client).await;
        assert!(beyond <= 0.5, "{beyond} px beyond a desk's screen: {what}");
        screenshot(&client, "review-desk-dark").await;
        let pdf = printed(&client).await;
        std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots/review.pdf"), &pdf)
            .unwrap();
        assert_eq!(sheets(&pdf), 1);
    });
}

/// Calls of every kind, as files under `target/review-pages/`, with pictures at a desk's and a
/// phone's width and as printed.
#[test]
fn calls_of_every_kind_fit_desk_phone_and_sheet() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../review-pages");
    std::fs::create_dir_all(&folder).unwrap();
    let folder = folder.canonicalize().unwrap();
    let close = Shot::of("court-close-calls/002.jpg", "carrom-court");
    let long_board = Shot::of("longboard-overhead/002.jpg", "carrom-long-board");
    let leaders = [("red", 120.0, 1690.3), ("blue", 280.0, 1690.0), ("red", 200.0, 1560.0)];
    let leaders = Shot::rendered("leaders", "carrom-long-board", &leaders);
    let of = |photo: &str, near| dossier(photo, "carrom-court", near, None);
    let moon = [150.9, 117.4];
    let unsure = Shot::of("court-overhead/003.jpg", "carrom-court").unsure_of_a_colour();
    let calls: Vec<(&str, &str, Dossier)> = vec![
        ("01-clear-straight", "Clear", of("court-overhead/003.jpg", [180.0, 1689.8])),
        ("02-touching-straight", "Touching", close.dossier_at([284.4, 1555.2], None)),
        ("03-clear-slanted", "Clear", close.dossier_at([172.3, 1207.3], None)),
        ("04-touching-slanted", "Touching", close.dossier_at([151.7, 1274.9], None)),
        ("05-too-close-foul", "Too close to call", close.dossier_at([350.6, 1102.7], None)),
        ("06-too-close-phone", "Too close to call", of("court-oblique-phone/001.jpg", [236.0, 1377.1])),
        ("07-too-close-hard-light", "Too close to call", of("hard-light/000.jpg", [240.9, 1251.4])),
        ("08-leaders-order", "Too close to call", leaders.dossier_at([120.0, 1690.3], Some("order"))),
        ("09-hanger", "Hanging", long_board.dossier_at([268.6, 1817.6], Some("end"))),
        (
            "10-striker-on-both-lines",
            "Placed on both lines",
            Shot::striker_at("lines", [370.0, moon[1]]).placement(),
        ),
        ("11-striker-covers-the-moon", "Placed on the moon", Shot::striker_at("covers", moon).placement()),
        (
            "12-striker-cuts-the-moon",
            "Cuts the moon",
            Shot::striker_at("cuts", [moon[0] + 9.0, moon[1]]).placement(),
        ),
        ("13-colour", "Probably", unsure.doubt("colour ")),
        ("14-pocket", "Too close to call", Shot::at_a_pocket().doubt("edge")),
    ];
    for (name, answer, dossier) in &calls {
        assert!(dossier.head.answer.contains(answer), "{name}: {}", dossier.head.answer);
    }
    // The moon's far side came nearer to being covered than its near side to not being reached.
    let on_lines = &calls[9].2.gaps;
    assert!(on_lines.iter().all(|gap| gap.gap_mm < 50.0), "a moon across the board is no part of it");
    let cut = &calls[11].2.gaps[0].name;
    assert!(cut.contains("far side"), "{cut}");
    let pages: Vec<(String, String)> = calls
        .iter()
        .map(|(name, _, dossier)| {
            let path = folder.join(format!("{name}.html"));
            std::fs::write(&path, page(dossier, Assets::Inline)).unwrap();
            ((*name).to_owned(), format!("file://{}", path.display()))
        })
        .collect();
    for (screen_name, screen) in [("desk", Screen::DESK), ("phone", Screen::PHONE)] {
        let (pages, folder) = (pages.clone(), folder.clone());
        browse(screen, async move |client| {
            for (name, url) in pages {
                client.goto(&url).await.unwrap();
                let (beyond, what) = overflow(&client).await;
                assert!(beyond <= 0.5, "{name}: {beyond} px beyond a {screen_name}'s screen: {what}");
                screenshot(&client, &format!("call-{name}-{screen_name}")).await;
                if screen_name == "desk" {
                    let pdf = printed(&client).await;
                    assert_eq!(sheets(&pdf), 1, "{name} is printed on one sheet");
                    std::fs::write(folder.join(format!("{name}.pdf")), &pdf).unwrap();
                }
            }
        });
    }
}

#[test]
fn a_served_page_has_no_inline_style_or_script_and_a_form() {
    let mut dossier = dossier("court-overhead/003.jpg", "carrom-court", [180.0, 1689.8], None);
    dossier.verdict_form = Some(VerdictForm {
        action: "/api/calls/12.3/verdict".to_owned(),
        hidden: vec![("revision".to_owned(), "7".to_owned())],
    });
    let served = page(&dossier, Assets::Linked { style: "/review.css", script: "/review.js" });
    for forbidden in ["<style", "style=", "<script>", "onclick", "javascript:"] {
        assert!(!served.contains(forbidden), "{forbidden}");
    }
    for part in ["data-verdict-form", "name=\"revision\" value=\"7\"", "value=\"overruled\"", "name=\"why\""]
    {
        assert!(served.contains(part), "{part}");
    }
    assert_eq!(served, page(&dossier, Assets::Linked { style: "/review.css", script: "/review.js" }));
    // Nothing is fetched: no address but those two and the form's.
    let file = page(&dossier, Assets::Inline);
    assert!(!file.replace("http://www.w3.org/2000/svg", "").contains("http://"));
    assert!(!file.contains("https://"));
}

#[test]
fn the_command_writes_a_page_and_tells_of_missing_pieces() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("call.html");
    let photo = fixture("court-close-calls/001.jpg");
    let linecall = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_linecall"));
        command.arg("review").arg(&photo).args(["--board", "carrom-court"]).args(more);
        command.output().unwrap()
    };
    let out: PathBuf = output.clone();
    let done = linecall(&["-o", out.to_str().unwrap()]);
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    // The closest call of this photo: blue 0.9 mm from cross-7.
    assert!(said.contains("blue") && said.contains("the line behind the 7"), "{said}");
    assert!(std::fs::read_to_string(&output).unwrap().contains("the line behind the 7"));

    let missing = linecall(&["--piece", "99", "-o", out.to_str().unwrap()]);
    assert_eq!(missing.status.code(), Some(1));
    let words = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(words.contains("no piece 99") && words.contains("1 (red at"), "{words}");

    let nothing = linecall(&["--piece", "1", "--about", "moon", "-o", out.to_str().unwrap()]);
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("\"moon\""));

    let list = linecall(&[]);
    assert_eq!(list.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&list.stdout).contains("red: "));
}
