//! `linecall doctor`: what is missing on this computer, and how to mend it.

use std::{path::PathBuf, process::Command};

use super::Failure;
use crate::{
    capture::{Driver, list_devices, video},
    home::DataFolder,
    output::use_data_folder,
};

/// Says what is missing on this computer, and how to mend it.
#[derive(Debug, clap::Args)]
pub struct DoctorArguments {
    /// The folder for linecall's data, where it is not the usual one.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// One JSON object a line for programs.
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
struct Finding {
    what: &'static str,
    /// How it is.
    found: String,
    /// What to do, where something is wrong.
    remedy: Option<String>,
}

impl Finding {
    fn good(what: &'static str, found: impl Into<String>) -> Finding {
        Finding { what, found: found.into(), remedy: None }
    }

    fn bad(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Finding {
        Finding { what, found: found.into(), remedy: Some(remedy.into()) }
    }
}

pub fn run(arguments: &DoctorArguments) -> Result<(), Failure> {
    if let Some(data) = &arguments.data {
        use_data_folder(data);
    }
    let mut findings = vec![opencv(), decoder()];
    findings.extend(cameras());
    findings.extend(data(arguments.data.as_deref()));
    let wrong = findings.iter().filter(|finding| finding.remedy.is_some()).count();
    for Finding { what, found, remedy } in &findings {
        if arguments.json {
            println!("{}", serde_json::json!({ "what": what, "found": found, "remedy": remedy }));
            continue;
        }
        println!("{}  {what}: {found}", if remedy.is_some() { "!! " } else { "ok " });
        if let Some(remedy) = remedy {
            println!("      {remedy}");
        }
    }
    match wrong {
        0 => Ok(()),
        1 => Err(Failure::new("one thing is missing; what to do stands below it".to_owned())),
        wrong => Err(Failure::new(format!("{wrong} things are missing; what to do stands below each"))),
    }
}

/// The program would not have started without it.
fn opencv() -> Finding {
    match opencv::core::get_version_string() {
        Ok(version) => Finding::good("OpenCV", version),
        Err(error) => Finding::bad(
            "OpenCV",
            error.to_string(),
            "install it: apt install libopencv-core406 or libopencv-core410, by your Debian's version",
        ),
    }
}

fn decoder() -> Finding {
    match video::decoder() {
        Ok(path) => Finding::good("decoder of videos", path.display().to_string()),
        Err(reason) => Finding::bad(
            "decoder of videos",
            reason,
            "put linecall-video beside linecall; without it video files and network cameras cannot be read",
        ),
    }
}

/// A device file of a camera that this user may not read.
fn is_closed(path: &std::path::Path) -> bool {
    let opened = std::fs::OpenOptions::new().read(true).write(true).open(path);
    opened.is_err_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

fn cameras() -> Vec<Finding> {
    let files = std::fs::read_dir("/dev").into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let is_video = |path: &PathBuf| {
        path.file_name().is_some_and(|name| {
            let name = name.to_string_lossy();
            name.strip_prefix("video").is_some_and(|number| number.parse::<u32>().is_ok())
        })
    };
    let closed: Vec<String> = files
        .filter(is_video)
        .filter(|path| is_closed(path))
        .map(|path| path.display().to_string())
        .collect();
    if !closed.is_empty() {
        return vec![Finding::bad(
            "cameras",
            format!("{} may not be read by this user", closed.join(", ")),
            "join the group that may: sudo usermod -aG video $USER, then log out and in again",
        )];
    }
    match list_devices(Driver::default()) {
        Ok(devices) if devices.is_empty() => vec![Finding::bad(
            "cameras",
            "none is plugged in",
            "plug one in (it shows as /dev/video0), or use a network camera, a phone, or photos",
        )],
        Ok(devices) => {
            let named = |device: &crate::capture::DeviceInfo| match &device.problem {
                Some(problem) => Finding::bad(
                    "cameras",
                    format!("camera {}, {}: {problem}", device.device, device.name),
                    "close the program that uses it, or plug it in again",
                ),
                None => Finding::good("cameras", format!("camera {}, {}", device.device, device.name)),
            };
            devices.iter().map(named).collect()
        }
        Err(error) => vec![Finding::bad("cameras", error.to_string(), "plug one in, and look again")],
    }
}

/// An evening with its frames needs about so much, MB.
const EVENING_MB: u64 = 2_000;

fn data(given: Option<&std::path::Path>) -> Vec<Finding> {
    let data = match DataFolder::open(given) {
        Ok(data) => data,
        Err(error) => {
            let remedy = "name a folder that you may write: linecall --data DIR";
            return vec![Finding::bad("data folder", error.to_string(), remedy)];
        }
    };
    let root = data.root().display().to_string();
    let probe = data.root().join(".doctor");
    let written = data.write(&probe, b"", false);
    // It may not be there.
    let _ = std::fs::remove_file(&probe);
    if let Err(error) = written {
        return vec![Finding::bad(
            "data folder",
            error.to_string(),
            "make it yours (chown), or name another one: linecall --data DIR",
        )];
    }
    let mut findings = vec![Finding::good("data folder", root.clone())];
    match free_mb(data.root()) {
        Some(free) if free < EVENING_MB => findings.push(Finding::bad(
            "room on the disk",
            format!("{free} MB"),
            format!("an evening with its pictures takes up to {EVENING_MB} MB: make room, or move it with --data DIR"),
        )),
        Some(free) => findings.push(Finding::good("room on the disk", format!("{free} MB"))),
        None => {}
    }
    findings
}

/// By the system's own program, which every Unix has.
fn free_mb(folder: &std::path::Path) -> Option<u64> {
    let told = Command::new("df").arg("-Pk").arg(folder).output().ok()?;
    let text = String::from_utf8(told.stdout).ok()?;
    let blocks: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    Some(blocks / 1024)
}
