#![allow(clippy::unwrap_used)]

use super::*;

fn faults_of(text: &str) -> String {
    match Options::parse(text, "mine.toml") {
        Ok(_) => panic!("{text} was taken"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_printed_reads_back_as_the_defaults() {
    let printed = defaults(&[]);
    let read = Options::parse(&printed, "defaults").unwrap();
    assert_eq!(as_toml(&read), as_toml(&Options::default()));
    assert_eq!(read.detect, DetectOptions::default());
    assert_eq!(read.refine, RefineOptions::default());
}

#[test]
fn every_option_is_printed_with_its_meaning_before_it() {
    let printed = defaults(&["detect".to_owned()]);
    let lines: Vec<&str> = printed.lines().collect();
    let at = lines.iter().position(|line| *line == "rim_min = 0.7").unwrap();
    assert!(
        lines[at - 1].starts_with("# ") && lines[at - 2].contains("visible rim"),
        "{:?}",
        &lines[at - 3..=at]
    );
    assert!(printed.contains("[detect.surface]") && !printed.contains("[measure]"));
    assert!(!printed.contains("::") && !printed.contains('`'), "links are names of options");
}

#[test]
fn what_is_left_out_has_its_default() {
    let read = Options::parse("[detect]\nrim_min = 0.5\n\n[detect.surface]\nsamples_min = 9\n", "mine.toml")
        .unwrap();
    let surface = SurfaceOptions { samples_min: 9, ..SurfaceOptions::default() };
    assert_eq!(read.detect, DetectOptions { rim_min: 0.5, surface, ..DetectOptions::default() });
    assert_eq!(read.find.working_px, FindOptions::default().working_px);
}

#[test]
fn stages_within_stages_search_as_all_do() {
    let read = Options::parse("[find]\nworking_px = 800\n", "mine.toml").unwrap();
    assert_eq!([read.calibrate.find.working_px, read.learn.find.working_px], [800, 800]);
}

#[test]
fn every_fault_is_told_with_its_line() {
    let text = "[detect]\nrim_mn = 0.5\nrays = 2.5\n\n[detcet]\nx = 1\n\n[look]\nmoved_px = \"two\"\n";
    let told = faults_of(text);
    assert!(told.contains("line 2: rim_mn is not an option of [detect]; did you mean rim_min?"), "{told}");
    assert!(told.contains("line 3: detect.rays must be a whole number"), "{told}");
    assert!(told.contains("line 5: detcet is not a section or option; did you mean detect?"), "{told}");
    assert!(told.contains("line 9: look.moved_px must be a number"), "{told}");
}

#[test]
fn slips_of_magnitude_and_sign_are_refused() {
    assert!(faults_of("[detect]\nrays = 4800000\n").contains("more than 1000 times its default 48"));
    assert!(faults_of("[detect]\nrim_min = -0.7\n").contains("must not be negative"));
    assert!(faults_of("[detect]\nrim_min = nan\n").contains("finite"));
    assert!(faults_of("[detect\n").contains("line 1"));
    assert!(faults_of("[find]\nbends = 3\n").contains("line 2: find.bends must be a list"));
}

#[test]
fn a_recorded_set_of_options_reads_back() {
    let mut options = ScoreOptions::default();
    options.detect.rim_min = 0.66;
    let read = Options::parse(&as_toml(&options), "recorded").unwrap().score();
    assert_eq!(read.detect, options.detect);
    assert_eq!(as_toml(&read), as_toml(&options));
}
