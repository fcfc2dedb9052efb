//! Wrong usage, case by case: exit status 2, a message that names what is wrong, nothing on standard
//! output, and nothing written.

use std::process::Command;

use crate::score::fixture;

/// What is typed, in place of which PHOTO stands for a photo, LEDGER for a ledger and NEW for a file that
/// does not exist; and what the message says.
const WRONG: &[(&str, &str)] = &[
    ("fly", "unrecognized subcommand"),
    ("score", "<PHOTO>"),
    ("score PHOTO --board carrom-cuort", "no board is called \"carrom-cuort\""),
    ("score PHOTO --board carrom-court --game chess", "\"chess\" is not played on the board carrom-court"),
    ("score PHOTO --board carrom-court --game kagw", "expected court"),
    ("score PHOTO --board carrom-court --end left", "far"),
    ("score PHOTO --board carrom-court --corners 1,2,3", "8 numbers"),
    ("score PHOTO --board carrom-court --corners 1,2,3,4,5,6,7,x", "is not a number"),
    ("score PHOTO --board carrom-court --corners 1,2,3,4,5,6,7,inf", "no place in a picture"),
    ("score PHOTO --board carrom-court --camera c.toml --corners 1,2,3,4,5,6,7,8", "cannot be used with"),
    ("score PHOTO --board carrom-court --jobs 0", "0"),
    ("score PHOTO --board carrom-court --times", "--json"),
    ("score PHOTO --board carrom-court --sides Ann,Bo", "--match"),
    ("score PHOTO --board carrom-court --match NEW --sides Ann", "two names"),
    ("calibrate --board carrom-court -o NEW", "<PHOTO>"),
    ("calibrate PHOTO --board carrom-court", "--output"),
    ("calibrate PHOTO --board carrom-cuort -o NEW", "no board is called"),
    ("calibrate PHOTO --board carrom-court -o NEW --height 0", "above 0"),
    ("calibrate PHOTO --board carrom-court -o NEW --height tall", "above 0"),
    ("calibrate PHOTO --board carrom-court -o NEW --annotate NEW.gif", ".jpg or .png"),
    ("calibrate PHOTO --chessboard 9x6 -o NEW", "--square"),
    ("calibrate PHOTO --chessboard 9x --square 25 -o NEW", "9x6"),
    ("calibrate PHOTO --chessboard 9x6 --square -1 -o NEW", "'-1'"),
    ("calibrate PHOTO --board carrom-court -o .", "is a directory"),
    ("tally", "<FILE.jsonl>"),
    ("tally MATCH --json --csv", "cannot be used with"),
    ("tally MATCH --board carrom-cuort", "no board is called"),
    ("review LEDGER first", "CALL"),
    ("review LEDGER --head 12 --verify", "--head"),
    ("review LEDGER --sure 0.2 --rerun", "from 0.5"),
    ("review LEDGER --export NEW.doc", "no known ending"),
    ("review LEDGER -o NEW.html", "a page is about one call"),
    ("review LEDGER 1.1 --verdict upheld", "--by"),
    ("review LEDGER 1.1 --verdict perhaps --by Cy", "upheld"),
    ("boards draw carrom-court -o court.gif", ".svg or .png"),
    ("boards draw carrom-cuort -o NEW.svg", "no board is called"),
    ("boards draw carrom-court -o NEW.png --scale 0", "expected 1 to"),
    ("boards draw carrom-court -o NEW.png --scale 1e9", "pixels"),
    ("games show chess", "no game is called \"chess\""),
    ("replay . --camera c.toml --fps 0", "above 0"),
    ("replay . --camera c.toml --fps nan", "above 0"),
    ("replay .", "--camera"),
    ("replay . --camera c.toml --trace .", "among the frames"),
    ("live --camera c.toml --match NEW --fps 0", "above 0"),
    ("live --camera c.toml --match NEW --fps -3", "'-3'"),
    ("live --camera c.toml --match NEW --device 0 --recording .", "cannot be used with"),
    ("live --camera c.toml --match NEW --listen here", "here"),
    ("serve --listen here", "here"),
    ("serve --match NEW --camera NEW --colours NEW", "two files would be written"),
    ("simulate -o NEW.jpg", "SCENE.json"),
    ("simulate --random 3 -o NEW", "--board"),
    ("simulate --evening chess -o NEW", "expected one of"),
    ("simulate --evening court --fps 0 -o NEW", "above 0"),
    ("simulate --evening court --size 0x0 -o NEW", "960x540"),
    ("simulate SCENE -o NEW.gif", ".jpg or .png"),
    ("evaluate . --camera mine", "file"),
];

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (_made, ledger) = crate::ledger::recorded(1);
    let scene = folder.path().join("scene.json");
    std::fs::write(&scene, r#"{"board": "carrom-court"}"#).unwrap();
    let photo = fixture("court-overhead/001.jpg");
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/matches/court-singles.jsonl");
    let mut wrong = Vec::new();
    for (line, says) in WRONG {
        let named = |word: &str| match word {
            "PHOTO" => photo.display().to_string(),
            "LEDGER" => ledger.display().to_string(),
            "SCENE" => scene.display().to_string(),
            "MATCH" => file.display().to_string(),
            _ => word.replace("NEW", &folder.path().join("new").display().to_string()),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_linecall"))
            .args(line.split_whitespace().map(named))
            .output()
            .unwrap();
        let (status, words) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
        if status != Some(2) || !words.contains(says) || !output.stdout.is_empty() {
            wrong.push(format!("linecall {line}\n  {status:?}, expected 2 and {says:?}: {words}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), WRONG.len(), wrong.join("\n"));
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["scene.json"], "nothing was written");
}
