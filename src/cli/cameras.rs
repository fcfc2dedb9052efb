//! `linecall cameras`: what is plugged in and what it can do.

use super::Failure;
use crate::capture::{ControlInfo, ControlRole, DeviceInfo, Driver, Offer, PixelForm, list_devices};

/// Lists the cameras of this computer with their formats and controls.
#[derive(Debug, clap::Args)]
pub struct CamerasArguments {
    /// One JSON object a line for each camera.
    #[arg(long)]
    json: bool,
}

const NONE: &str = "\
No camera is plugged in, or this program may not see it.
  - A USB camera: plug it in, wait a second, and list again.
  - Linux: it must show as /dev/video0 or the like (ls -l /dev/video*), and you must be in the group
    `video` (sudo usermod -aG video $USER, then log in again). A container or virtual machine needs
    the device passed in, for example docker run --device /dev/video0.
  - macOS, Windows: allow the terminal to use the camera in the system's privacy settings.
  - Without a camera, recorded frames or a video can be scored: linecall replay --help
";

pub fn run(arguments: &CamerasArguments) -> Result<(), Failure> {
    let devices = list_devices(Driver::default()).map_err(Failure::new)?;
    if arguments.json {
        for device in &devices {
            println!("{}", serde_json::to_string(device).map_err(Failure::new)?);
        }
    } else if devices.is_empty() {
        print!("{NONE}");
    } else {
        devices.iter().for_each(|device| print!("{}", described(device)));
    }
    Ok(())
}

fn described(device: &DeviceInfo) -> String {
    let mut out = format!("camera {}: {} ({})\n", device.device, device.name, device.place);
    if let Some(problem) = &device.problem {
        out += &format!("  {problem}\n");
    }
    for form in [PixelForm::Mjpeg, PixelForm::Yuyv] {
        for (size, rates) in by_size(&device.formats, form) {
            let [width, height] = size;
            let rates = rates.join(", ");
            out +=
                &format!("  {:<6}{:<13}{rates} a second\n", form.to_string(), format!("{width} x {height}"));
        }
    }
    for role in ControlRole::ALL {
        let of_role: Vec<_> = device.controls.iter().filter(|control| control.role == Some(role)).collect();
        if of_role.is_empty() {
            out += &format!("  {role}: no control, stays as it is\n");
        }
        for control in of_role {
            out += &format!("  {role}: {}\n", setting(control));
        }
    }
    let others: Vec<_> = device
        .controls
        .iter()
        .filter(|control| control.role.is_none() && control.value.is_some())
        .map(setting)
        .collect();
    if !others.is_empty() {
        out += &format!("  others: {}\n", others.join("; "));
    }
    out
}

/// Sizes from large to small, each with its rates from fast to slow.
fn by_size(offers: &[Offer], form: PixelForm) -> Vec<([u32; 2], Vec<String>)> {
    let mut offers: Vec<_> = offers.iter().filter(|offer| offer.form == form).collect();
    offers.sort_by(|a, b| b.size.cmp(&a.size).then(b.fps.total_cmp(&a.fps)));
    let mut sizes: Vec<([u32; 2], Vec<String>)> = Vec::new();
    for offer in offers {
        let rate = ((offer.fps * 100.0).round() / 100.0).to_string();
        match sizes.last_mut() {
            Some((size, rates)) if *size == offer.size => {
                if !rates.contains(&rate) {
                    rates.push(rate);
                }
            }
            _ => sizes.push((offer.size, vec![rate])),
        }
    }
    sizes
}

fn setting(control: &ControlInfo) -> String {
    let chosen = control.choices.iter().find(|(value, _)| Some(*value) == control.value);
    let is = match (chosen, control.value) {
        (Some((value, words)), _) => format!("{value} ({words})"),
        (None, Some(value)) => value.to_string(),
        (None, None) => "unknown".to_owned(),
    };
    let range = format!("{} to {}", control.least, control.most);
    let overridden = if control.active { "" } else { ", set by the camera itself" };
    format!("{} is {is}, of {range}{overridden}", control.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_is_described_by_what_can_be_chosen() {
        let offer = |width, height, form, fps| Offer { size: [width, height], form, fps };
        let control = |name: &str, role, value, most, choices| ControlInfo {
            name: name.to_owned(),
            role,
            value: Some(value),
            least: 0,
            most,
            step: 1,
            default: 0,
            active: name != "Exposure Time",
            choices,
        };
        let device = DeviceInfo {
            device: 2,
            name: "Table camera".to_owned(),
            place: "usb-1".to_owned(),
            formats: vec![
                offer(1280, 720, PixelForm::Mjpeg, 60.0),
                offer(1920, 1080, PixelForm::Mjpeg, 15.0),
                offer(1920, 1080, PixelForm::Mjpeg, 30_000.0 / 1001.0),
                offer(640, 480, PixelForm::Yuyv, 30.0),
            ],
            controls: vec![
                control(
                    "Auto Exposure",
                    Some(ControlRole::Exposure),
                    3,
                    3,
                    vec![(1, "Manual Mode".to_owned()), (3, "Aperture Priority Mode".to_owned())],
                ),
                control("Exposure Time", Some(ControlRole::Exposure), 157, 5000, Vec::new()),
                control("Brightness", None, 128, 255, Vec::new()),
            ],
            problem: None,
        };
        let expected = "\
camera 2: Table camera (usb-1)
  MJPEG 1920 x 1080  29.97, 15 a second
  MJPEG 1280 x 720   60 a second
  YUYV  640 x 480    30 a second
  exposure: Auto Exposure is 3 (Aperture Priority Mode), of 0 to 3
  exposure: Exposure Time is 157, of 0 to 5000, set by the camera itself
  focus: no control, stays as it is
  white balance: no control, stays as it is
  others: Brightness is 128, of 0 to 255
";
        assert_eq!(described(&device), expected);
    }
}
