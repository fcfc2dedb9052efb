//! Cameras of every system, by nokhwa.

use std::sync::{Arc, Mutex, PoisonError};

use ::nokhwa::{
    Camera, query,
    utils::{
        ApiBackend, CameraControl, CameraFormat, CameraIndex, CameraInfo, ControlValueDescription,
        ControlValueSetter, FrameFormat, KnownCameraControl, RequestedFormat, RequestedFormatType,
        Resolution,
    },
};

use super::{
    ControlInfo, ControlRole, Delivered, DeviceInfo, DeviceOptions, Held, Offer, PixelForm, SEE_LIST,
    Setting, choose, refused,
};
use crate::capture::{Frame, FrameImage, Rates, Source, SourceError, SourceInfo, jpeg, yuyv};

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
    camera: Camera,
    delivered: Delivered,
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
        let mut delivered = Delivered::new(number, offer, wish);
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        for role in ControlRole::ALL {
            if let Err(reason) = set_control(&mut camera, role, options.controls.of(role), &mut held) {
                let name = &delivered.name;
                let remark = format!("{name} does not take the setting of its {role}: {reason}");
                delivered.remarks.push(remark);
            }
        }
        camera.open_stream().map_err(failed)?;
        Ok(Self { camera, delivered })
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
            let Self { camera, delivered } = self;
            let buffer = camera.frame_raw().map_err(|error| SourceError::BrokenOff {
                name: delivered.name.clone(),
                frames: delivered.frames(),
                reason: error.to_string(),
            })?;
            let Offer { size, form, .. } = delivered.offer;
            let image = match form {
                PixelForm::Mjpeg => jpeg::cut_out(&buffer).map(|whole| FrameImage::Encoded(Arc::from(whole))),
                PixelForm::Yuyv => yuyv::packed(size, size[0] as usize * 2, &buffer)
                    .map(|bytes| FrameImage::Yuyv { size, bytes }),
            };
            if let Some(frame) = delivered.frame(image) {
                return Ok(Some(frame));
            }
        }
    }

    fn about(&self) -> SourceInfo {
        self.delivered.about()
    }

    fn rates(&self) -> Rates {
        self.delivered.rates()
    }
}
