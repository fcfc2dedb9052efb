//! Cameras of every system, by nokhwa.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use ::nokhwa::{
    Camera, query,
    utils::{
        ApiBackend, CameraControl, CameraFormat, CameraIndex, CameraInfo, ControlValueDescription,
        ControlValueSetter, FrameFormat, KnownCameraControl, RequestedFormat, RequestedFormatType,
        Resolution,
    },
};

use super::{
    ControlInfo, ControlRole, DeviceInfo, DeviceOptions, Held, Offer, PixelForm, SEE_LIST, Setting, choose,
    device_name, refused,
};
use crate::capture::{Frame, FrameImage, Pace, Rates, Source, SourceError, SourceInfo, jpeg, yuyv};

/// Forms that we read. nokhwa opens a camera only for forms that are named.
const FORMS: [FrameFormat; 2] = [FrameFormat::MJPEG, FrameFormat::YUYV];

pub(super) fn list() -> Result<Vec<DeviceInfo>, SourceError> {
    let found = query(ApiBackend::Auto).map_err(|error| SourceError::Open {
        name: "the list of cameras".to_owned(),
        reason: error.to_string(),
        remedy: "allow this program to use the camera in the system's settings".to_owned(),
    })?;
    let mut devices: Vec<DeviceInfo> = found.iter().filter_map(about).collect();
    devices.sort_by_key(|info| info.device);
    Ok(devices)
}

fn about(info: &CameraInfo) -> Option<DeviceInfo> {
    let device = info.index().as_index().ok()?;
    let mut about = DeviceInfo {
        device,
        name: info.human_name(),
        place: info.description().to_owned(),
        formats: Vec::new(),
        controls: Vec::new(),
        problem: None,
    };
    match open_any(device) {
        Ok(mut camera) => {
            about.formats = offers(&mut camera);
            about.controls = camera.camera_controls().unwrap_or_default().iter().map(control_info).collect();
        }
        Err(error) => about.problem = Some(error.to_string()),
    }
    Some(about)
}

/// Opens a camera in any form that it has.
fn open_any(device: u32) -> Result<Camera, ::nokhwa::NokhwaError> {
    let any = RequestedFormat::with_formats(RequestedFormatType::AbsoluteHighestFrameRate, &FORMS);
    Camera::new(CameraIndex::Index(device), any)
}

fn offers(camera: &mut Camera) -> Vec<Offer> {
    let formats = camera.compatible_camera_formats().unwrap_or_default();
    let mut offers: Vec<Offer> = formats
        .iter()
        .filter_map(|format| {
            let form = form_of(format.format())?;
            let size = [format.width(), format.height()];
            Some(Offer { size, form, fps: f64::from(format.frame_rate()) })
        })
        .collect();
    // nokhwa lists by hash order.
    offers.sort_by(|a, b| (a.form, a.size).cmp(&(b.form, b.size)).then(a.fps.total_cmp(&b.fps)));
    offers
}

fn form_of(format: FrameFormat) -> Option<PixelForm> {
    match format {
        FrameFormat::MJPEG => Some(PixelForm::Mjpeg),
        FrameFormat::YUYV => Some(PixelForm::Yuyv),
        _ => None,
    }
}

fn format_of(form: PixelForm) -> FrameFormat {
    match form {
        PixelForm::Mjpeg => FrameFormat::MJPEG,
        PixelForm::Yuyv => FrameFormat::YUYV,
    }
}

fn known(role: ControlRole) -> KnownCameraControl {
    match role {
        ControlRole::Exposure => KnownCameraControl::Exposure,
        ControlRole::Focus => KnownCameraControl::Focus,
        ControlRole::WhiteBalance => KnownCameraControl::WhiteBalance,
    }
}

fn control_info(control: &CameraControl) -> ControlInfo {
    let role = ControlRole::ALL.into_iter().find(|role| known(*role) == control.control());
    let (value, least, most, step, default) = match *control.description() {
        ControlValueDescription::IntegerRange { min, max, value, step, default } => {
            (Some(value), min, max, step.unsigned_abs(), default)
        }
        ControlValueDescription::Integer { value, default, step } => {
            (Some(value), i64::MIN, i64::MAX, step.unsigned_abs(), default)
        }
        ControlValueDescription::Boolean { value, default } => {
            (Some(i64::from(value)), 0, 1, 1, i64::from(default))
        }
        _ => (None, 0, 0, 0, 0),
    };
    ControlInfo {
        name: control.name().to_owned(),
        role,
        value,
        least,
        most,
        step,
        default,
        active: control.active(),
        choices: Vec::new(),
    }
}

/// An open camera.
pub(super) struct NokhwaSource {
    name: String,
    camera: Camera,
    offer: Offer,
    asked_fps: f64,
    remarks: Vec<String>,
    started: Instant,
    delivered: u64,
    damaged: u64,
}

impl NokhwaSource {
    pub(super) fn open(options: &DeviceOptions, held: &Mutex<Held>) -> Result<Self, SourceError> {
        let number = options.device;
        let failed = |error: ::nokhwa::NokhwaError| refused(number, error.to_string(), SEE_LIST);
        let mut camera = open_any(number).map_err(failed)?;
        let wish = &options.wish;
        let offer = choose(&offers(&mut camera), wish)
            .ok_or_else(|| refused(number, "it offers neither MJPEG nor YUYV", SEE_LIST))?;
        let [width, height] = offer.size;
        let format = CameraFormat::new(
            Resolution::new(width, height),
            format_of(offer.form),
            offer.fps.round() as u32,
        );
        let exact = RequestedFormat::with_formats(RequestedFormatType::Exact(format), &FORMS);
        camera.set_camera_requset(exact).map_err(failed)?;
        let name = device_name(number);
        let mut remarks = Vec::new();
        if offer.size != wish.size || (offer.fps - wish.fps).abs() > 0.1 {
            let [width, height] = wish.size;
            remarks.push(format!(
                "{name} sends {offer}; {width} x {height} at {} a second was asked for",
                wish.fps
            ));
        }
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        for role in ControlRole::ALL {
            if let Err(reason) = set_control(&mut camera, role, options.controls.of(role), &mut held) {
                remarks.push(format!("{name} does not take the setting of its {role}: {reason}"));
            }
        }
        camera.open_stream().map_err(failed)?;
        Ok(Self {
            name,
            camera,
            offer,
            asked_fps: wish.fps,
            remarks,
            started: Instant::now(),
            delivered: 0,
            damaged: 0,
        })
    }
}

/// nokhwa has no automatics: to hold means to set the present value.
fn set_control(
    camera: &mut Camera,
    role: ControlRole,
    setting: Setting,
    held: &mut Held,
) -> Result<(), String> {
    let value = match setting {
        Setting::Automatic => return Ok(()),
        Setting::Value(value) => value,
        Setting::Hold => {
            let present = match *held.of(role) {
                Some(value) => value,
                None => {
                    let control = camera.camera_control(known(role)).map_err(|error| error.to_string())?;
                    control_info(&control).value.ok_or("it has no value")?
                }
            };
            *held.of(role) = Some(present);
            present
        }
    };
    camera
        .set_camera_control(known(role), ControlValueSetter::Integer(value))
        .map_err(|error| error.to_string())
}

impl Source for NokhwaSource {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        loop {
            let buffer = self.camera.frame_raw().map_err(|error| SourceError::BrokenOff {
                name: self.name.clone(),
                frames: self.delivered,
                reason: error.to_string(),
            })?;
            let [width, _] = self.offer.size;
            let image = match self.offer.form {
                PixelForm::Mjpeg => jpeg::cut_out(&buffer).map(|whole| FrameImage::Encoded(Arc::from(whole))),
                PixelForm::Yuyv => yuyv::packed(self.offer.size, width as usize * 2, &buffer)
                    .map(|bytes| FrameImage::Yuyv { size: self.offer.size, bytes }),
            };
            let Some(image) = image else {
                self.damaged += 1;
                continue;
            };
            let index = self.delivered;
            self.delivered += 1;
            let name = format!("{} frame {index}", self.name).into();
            return Ok(Some(Frame { index, since_start: self.started.elapsed(), name, image }));
        }
    }

    fn about(&self) -> SourceInfo {
        SourceInfo {
            name: format!("{}, {}", self.name, self.offer),
            pace: Pace::Live,
            size: Some(self.offer.size),
            frames: None,
            remarks: self.remarks.clone(),
        }
    }

    fn rates(&self) -> Rates {
        Rates {
            delivered: self.delivered,
            damaged: self.damaged,
            asked_fps: Some(self.asked_fps),
            ..Rates::default()
        }
    }
}
