//! Cameras of Linux, by V4L2.

use std::{
    io::ErrorKind,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use v4l::{
    Device, Format, FourCC,
    buffer::{Flags as BufferFlags, Type as BufferType},
    capability::Flags as Capability,
    control::{Control, Flags as ControlFlags, MenuItem, Type as ControlType, Value},
    fraction::Fraction,
    frameinterval::FrameIntervalEnum,
    framesize::FrameSizeEnum,
    io::{mmap::Stream, traits::CaptureStream},
    video::{Capture, capture::Parameters},
};

use super::{
    ControlInfo, ControlRole, Delivered, DeviceInfo, DeviceOptions, Held, Offer, PixelForm, SEE_LIST,
    Setting, choose, device_name, refused,
};
use crate::capture::{
    Frame, FrameImage, Interruption, InterruptionKind, Rates, Source, SourceError, SourceInfo, jpeg, yuyv,
};

/// Buffers that the driver fills in turn. Four: one is read while others are filled; more would
/// only hold older frames.
const BUFFERS: u32 = 4;

/// The controls of a role, by V4L2's numbers.
struct RoleIds {
    role: ControlRole,
    automatic: u32,
    automatic_on: Value,
    automatic_off: Value,
    value: u32,
}

/// `V4L2_CID_EXPOSURE_AUTO` is a choice: 1 is manual, 3 (aperture priority) is the automatic that
/// webcams have. The others are switches.
fn role_ids() -> [RoleIds; 3] {
    [
        RoleIds {
            role: ControlRole::Exposure,
            automatic: 0x009A_0901,
            automatic_on: Value::Integer(3),
            automatic_off: Value::Integer(1),
            value: 0x009A_0902,
        },
        RoleIds {
            role: ControlRole::Focus,
            automatic: 0x009A_090C,
            automatic_on: Value::Boolean(true),
            automatic_off: Value::Boolean(false),
            value: 0x009A_090A,
        },
        RoleIds {
            role: ControlRole::WhiteBalance,
            automatic: 0x0098_090C,
            automatic_on: Value::Boolean(true),
            automatic_off: Value::Boolean(false),
            value: 0x0098_091A,
        },
    ]
}

/// The device files `/dev/videoN` that are cameras (a camera has others beside, for its metadata).
pub(super) fn list() -> Vec<DeviceInfo> {
    let Ok(entries) = std::fs::read_dir("/dev") else { return Vec::new() };
    let mut numbers: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix("video")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers.into_iter().filter_map(about).collect()
}

fn about(device: u32) -> Option<DeviceInfo> {
    let unknown = |problem: String| DeviceInfo {
        device,
        name: device_name(device),
        place: path(device),
        formats: Vec::new(),
        controls: Vec::new(),
        problem: Some(problem),
    };
    // Asked on a thread named as one that reads cameras: the bindings panic on what they do not
    // know, and that is no bug of ours.
    let asked = thread::Builder::new().name(crate::capture::CAPTURE_THREAD.to_owned()).spawn(move || {
        let opened = Device::new(device as usize)?;
        let caps = opened.query_caps()?;
        if !is_camera(caps.capabilities) {
            return Ok(None);
        }
        let formats = offers(&opened);
        let controls = controls(&opened);
        let problem = formats.is_empty().then(|| "it offers neither MJPEG nor YUYV".to_owned());
        Ok(Some(DeviceInfo { device, name: caps.card, place: caps.bus, formats, controls, problem }))
    });
    match asked.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(info))) => info,
        Ok(Ok(Err(error))) => Some(unknown(in_words(&error))),
        Ok(Err(_)) => Some(unknown("its driver says something unknown".to_owned())),
        Err(error) => Some(unknown(error.to_string())),
    }
}

fn path(device: u32) -> String {
    format!("/dev/video{device}")
}

fn is_camera(capabilities: Capability) -> bool {
    capabilities.contains(Capability::VIDEO_CAPTURE | Capability::STREAMING)
}

fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "you may not use it".to_owned(),
        ErrorKind::NotFound => "there is no such camera".to_owned(),
        ErrorKind::ResourceBusy => "another program uses it".to_owned(),
        _ => error.to_string(),
    }
}

fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::PermissionDenied => {
            "add yourself to the group `video` (sudo usermod -aG video $USER) and log in again"
        }
        ErrorKind::ResourceBusy => "close the program that shows its picture",
        _ => SEE_LIST,
    }
}

fn fourcc(form: PixelForm) -> FourCC {
    match form {
        PixelForm::Mjpeg => FourCC::new(b"MJPG"),
        PixelForm::Yuyv => FourCC::new(b"YUYV"),
    }
}

fn form_of(fourcc: FourCC) -> Option<PixelForm> {
    match &fourcc.repr {
        b"MJPG" | b"JPEG" => Some(PixelForm::Mjpeg),
        b"YUYV" => Some(PixelForm::Yuyv),
        _ => None,
    }
}

fn fps_of(interval: Fraction) -> Option<f64> {
    let fps = f64::from(interval.denominator) / f64::from(interval.numerator);
    (fps.is_finite() && fps > 0.0).then_some(fps)
}

/// Every size, form and rate; of a camera that scales, its smallest and largest.
fn offers(device: &Device) -> Vec<Offer> {
    let mut found = Vec::new();
    for format in Capture::enum_formats(device).unwrap_or_default() {
        let Some(form) = form_of(format.fourcc) else { continue };
        for listed in Capture::enum_framesizes(device, format.fourcc).unwrap_or_default() {
            let sizes = match listed.size {
                FrameSizeEnum::Discrete(size) => vec![[size.width, size.height]],
                FrameSizeEnum::Stepwise(range) => {
                    vec![[range.min_width, range.min_height], [range.max_width, range.max_height]]
                }
            };
            for size in sizes {
                let rates = rates(device, format.fourcc, size);
                found.extend(rates.into_iter().map(|fps| Offer { size, form, fps }));
            }
        }
    }
    found
}

fn rates(device: &Device, fourcc: FourCC, [width, height]: [u32; 2]) -> Vec<f64> {
    let intervals = Capture::enum_frameintervals(device, fourcc, width, height).unwrap_or_default();
    let mut rates: Vec<f64> = intervals
        .into_iter()
        .flat_map(|listed| match listed.interval {
            FrameIntervalEnum::Discrete(interval) => vec![interval],
            FrameIntervalEnum::Stepwise(range) => vec![range.min, range.max],
        })
        .filter_map(fps_of)
        .collect();
    if rates.is_empty() {
        rates.extend(Capture::params(device).ok().and_then(|parameters| fps_of(parameters.interval)));
    }
    rates
}

fn controls(device: &Device) -> Vec<ControlInfo> {
    let role_of = |id: u32| {
        role_ids().into_iter().find(|ids| ids.automatic == id || ids.value == id).map(|ids| ids.role)
    };
    let plain = [ControlType::Integer, ControlType::Boolean, ControlType::Menu, ControlType::IntegerMenu];
    device
        .query_controls()
        .unwrap_or_default()
        .into_iter()
        .filter(|control| plain.contains(&control.typ) && !control.flags.contains(ControlFlags::DISABLED))
        .map(|control| ControlInfo {
            role: role_of(control.id),
            value: value_of(device, control.id),
            least: control.minimum,
            most: control.maximum,
            step: control.step,
            default: control.default,
            active: !control.flags.contains(ControlFlags::INACTIVE),
            choices: control
                .items
                .unwrap_or_default()
                .into_iter()
                .map(|(value, item)| match item {
                    MenuItem::Name(name) => (i64::from(value), name),
                    MenuItem::Value(number) => (i64::from(value), number.to_string()),
                })
                .collect(),
            name: control.name,
        })
        .collect()
}

fn value_of(device: &Device, id: u32) -> Option<i64> {
    match device.control(id).ok()?.value {
        Value::Integer(value) => Some(value),
        Value::Boolean(on) => Some(i64::from(on)),
        _ => None,
    }
}

/// An open camera. Dropped and opened anew after any failure.
pub(super) struct V4l2Source {
    stream: Stream<'static>,
    /// Bytes from one row to the next of a raw picture.
    stride: usize,
    delivered: Delivered,
}

impl V4l2Source {
    pub(super) fn open(options: &DeviceOptions, held: &Mutex<Held>) -> Result<Self, SourceError> {
        let number = options.device;
        let failed = |error: std::io::Error| refused(number, in_words(&error), remedy(&error));
        let device = Device::new(number as usize).map_err(failed)?;
        if !is_camera(device.query_caps().map_err(failed)?.capabilities) {
            return Err(refused(number, "it is no camera, or nothing feeds it", SEE_LIST));
        }
        let (offer, stride) = set_format(&device, options)?;
        let mut stream = Stream::with_buffers(&device, BufferType::VideoCapture, BUFFERS).map_err(failed)?;
        stream.set_timeout(options.live.stall_after);
        let delivered = Delivered::new(number, offer, &options.wish);
        let mut source = Self { stream, stride, delivered };
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        source.set_controls(&device, options, &mut held)?;
        Ok(source)
    }

    /// Sets exposure, focus and white balance. What a camera cannot do is remarked, not refused.
    fn set_controls(
        &mut self,
        device: &Device,
        options: &DeviceOptions,
        held: &mut Held,
    ) -> Result<(), SourceError> {
        let name = self.delivered.name.clone();
        let there = |ids: &RoleIds| value_of(device, ids.automatic).or(value_of(device, ids.value)).is_some();
        let (present, absent): (Vec<_>, Vec<_>) = role_ids().into_iter().partition(there);
        for ids in absent.iter().filter(|ids| options.controls.of(ids.role) != Setting::Automatic) {
            self.delivered.remarks.push(format!("{name} has no control for its {}", ids.role));
        }
        let chosen_now: Vec<_> = present
            .iter()
            .filter(|ids| options.controls.of(ids.role) == Setting::Hold && held.of(ids.role).is_none())
            .collect();
        if !chosen_now.is_empty() {
            for ids in &chosen_now {
                // A camera without the automatic keeps its value, which is held then.
                let _ = set(device, ids.automatic, &ids.automatic_on);
            }
            self.let_settle(options.controls.settle)?;
            for ids in &chosen_now {
                *held.of(ids.role) = value_of(device, ids.value);
            }
        }
        for ids in &present {
            let done = match options.controls.of(ids.role) {
                Setting::Automatic => set(device, ids.automatic, &ids.automatic_on),
                Setting::Hold => fix(device, ids, *held.of(ids.role)),
                Setting::Value(value) => fix(device, ids, Some(value)),
            };
            if let Err(error) = done {
                let remark = format!("{name} does not take the setting of its {}: {error}", ids.role);
                self.delivered.remarks.push(remark);
            }
        }
        Ok(())
    }

    /// Lets the automatics find their values.
    fn let_settle(&mut self, duration: Duration) -> Result<(), SourceError> {
        let until = Instant::now() + duration;
        while Instant::now() < until {
            self.read()?;
        }
        Ok(())
    }

    /// Waits for a picture; none when it came damaged.
    fn read(&mut self) -> Result<Option<FrameImage>, SourceError> {
        let (buffer, meta) = match CaptureStream::next(&mut self.stream) {
            Ok(read) => read,
            Err(error) => return Err(SourceError::Interrupted(interruption(&self.delivered.name, &error))),
        };
        // Some drivers leave the length out; then the picture's own end counts.
        let used = if meta.bytesused == 0 { buffer.len() } else { buffer.len().min(meta.bytesused as usize) };
        let bytes = &buffer[..used];
        if meta.flags.contains(BufferFlags::ERROR) {
            return Ok(None);
        }
        let Offer { size, form, .. } = self.delivered.offer;
        Ok(match form {
            PixelForm::Mjpeg => jpeg::cut_out(bytes).map(|whole| FrameImage::Encoded(Arc::from(whole))),
            PixelForm::Yuyv => {
                yuyv::packed(size, self.stride, bytes).map(|packed| FrameImage::Yuyv { size, bytes: packed })
            }
        })
    }
}

impl Source for V4l2Source {
    fn next(&mut self) -> Result<Option<Frame>, SourceError> {
        loop {
            let image = self.read()?;
            if let Some(frame) = self.delivered.frame(image) {
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

fn interruption(name: &str, error: &std::io::Error) -> Interruption {
    let (kind, reason) = match error.kind() {
        ErrorKind::TimedOut => (InterruptionKind::Stalled, "no frame came in time".to_owned()),
        _ => (InterruptionKind::Gone, error.to_string()),
    };
    Interruption {
        source: name.to_owned(),
        kind,
        silent_for: Duration::ZERO,
        reason: Some(reason),
        retry_in: None,
    }
}

/// Sets size, form and rate, and gives what the camera made of it with the bytes of a row.
fn set_format(device: &Device, options: &DeviceOptions) -> Result<(Offer, usize), SourceError> {
    let number = options.device;
    let failed = |error: std::io::Error| refused(number, in_words(&error), remedy(&error));
    let wish = &options.wish;
    // A camera that scales lists only its ends: then it is asked for the wish itself.
    let form = wish.form.unwrap_or(PixelForm::Mjpeg);
    let listed = offers(device);
    let wished = Offer { size: wish.size, form, fps: wish.fps };
    let chosen = choose(&listed, wish).unwrap_or(wished);
    let format = Format::new(chosen.size[0], chosen.size[1], fourcc(chosen.form));
    let given = Capture::set_format(device, &format).map_err(failed)?;
    let form = form_of(given.fourcc)
        .ok_or_else(|| refused(number, format!("it sends {}, not MJPEG or YUYV", given.fourcc), SEE_LIST))?;
    if wish.form.is_some_and(|wished| wished != form) {
        return Err(refused(number, format!("it does not send {}", fourcc(chosen.form)), SEE_LIST));
    }
    let interval = interval_of(chosen.fps);
    let rate = Capture::set_params(device, &Parameters::new(interval))
        .or_else(|_| Capture::params(device))
        .ok()
        .and_then(|parameters| fps_of(parameters.interval));
    let offer = Offer { size: [given.width, given.height], form, fps: rate.unwrap_or(chosen.fps) };
    let row = given.width as usize * 2;
    Ok((offer, row.max(given.stride as usize)))
}

/// A rate as V4L2 wants it: seconds a frame.
fn interval_of(fps: f64) -> Fraction {
    if fps.fract() == 0.0 {
        return Fraction::new(1, fps as u32);
    }
    // 29.97 is 30000/1001 to a camera.
    let thousands = (fps * 1.001).round();
    if (fps * 1.001 - thousands).abs() < 1e-3 {
        return Fraction::new(1001, (thousands * 1000.0) as u32);
    }
    Fraction::new(1000, (fps * 1000.0).round() as u32)
}

fn set(device: &Device, id: u32, value: &Value) -> std::io::Result<()> {
    let value = match value {
        Value::Boolean(on) => Value::Boolean(*on),
        Value::Integer(number) => Value::Integer(*number),
        _ => Value::None,
    };
    device.set_control(Control { id, value })
}

/// Switches the automatic off, where there is one, and sets the value, where it is known.
fn fix(device: &Device, ids: &RoleIds, value: Option<i64>) -> std::io::Result<()> {
    if value_of(device, ids.automatic).is_some() {
        set(device, ids.automatic, &ids.automatic_off)?;
    }
    match value {
        Some(value) => set(device, ids.value, &Value::Integer(value)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_the_fractions_that_cameras_know() {
        for (fps, numerator, denominator) in [(30.0, 1, 30), (29.97, 1001, 30_000), (7.5, 1000, 7500)] {
            let interval = interval_of(fps);
            assert_eq!((interval.numerator, interval.denominator), (numerator, denominator));
        }
    }
}
