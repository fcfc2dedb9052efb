//! Cameras: which are there, what they offer, and frames from one of them.
//!
//! In: what is wished of a camera. Out: a list of cameras in plain data, or a live [`Source`]
//! that delivers the newest frame and comes back by itself when the camera was away.

mod controls;
mod delivered;
mod nokhwa;
mod offer;
#[cfg(target_os = "linux")]
mod v4l2;

use std::sync::Mutex;

use serde::Serialize;

pub use controls::{ControlInfo, ControlRole, ControlSettings, Setting};
pub use offer::{Offer, PixelForm, Wish, choose};

use super::{LiveOptions, NewestSource, Opener, Source, SourceError};
use controls::Held;
use delivered::Delivered;

/// What reads the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Driver {
    /// Linux's own interface. It can give up waiting, so that a camera that hangs is opened
    /// again; it can be asked what a camera offers while another program uses it.
    #[cfg(target_os = "linux")]
    V4l2,
    /// The nokhwa crate: every system. A camera that hangs holds it until it is unplugged.
    Nokhwa,
}

impl Default for Driver {
    fn default() -> Self {
        #[cfg(target_os = "linux")]
        return Driver::V4l2;
        #[cfg(not(target_os = "linux"))]
        return Driver::Nokhwa;
    }
}

/// Which camera, and how it is used for a match.
#[derive(Debug, Clone, Default)]
pub struct DeviceOptions {
    /// The camera's number as `linecall cameras` lists it. Default 0, the first.
    pub device: u32,
    pub wish: Wish,
    pub controls: ControlSettings,
    pub live: LiveOptions,
    pub driver: Driver,
}

/// A camera that is there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DeviceInfo {
    pub device: u32,
    pub name: String,
    /// Where it is plugged in, as the system says it.
    pub place: String,
    pub formats: Vec<Offer>,
    pub controls: Vec<ControlInfo>,
    /// Why formats or controls could not be asked for.
    pub problem: Option<String>,
}

/// The cameras of this computer, by number.
pub fn list_devices(driver: Driver) -> Result<Vec<DeviceInfo>, SourceError> {
    match driver {
        #[cfg(target_os = "linux")]
        Driver::V4l2 => Ok(v4l2::list()),
        Driver::Nokhwa => nokhwa::list(),
    }
}

/// Opens a camera. Its exposure, focus and white balance are held from then on, also when it was
/// away in between: what was measured before and after must look the same.
pub fn open_device(options: &DeviceOptions) -> Result<Box<dyn Source + Send>, SourceError> {
    let name = device_name(options.device);
    let held = Mutex::new(Held::default());
    let asked = options.clone();
    let open: Opener = Box::new(move || open_once(&asked, &held));
    Ok(Box::new(NewestSource::start(&name, open, options.live.clone())?))
}

fn open_once(options: &DeviceOptions, held: &Mutex<Held>) -> Result<Box<dyn Source>, SourceError> {
    match options.driver {
        #[cfg(target_os = "linux")]
        Driver::V4l2 => Ok(Box::new(v4l2::V4l2Source::open(options, held)?)),
        Driver::Nokhwa => Ok(Box::new(nokhwa::NokhwaSource::open(options, held)?)),
    }
}

fn device_name(device: u32) -> String {
    format!("camera {device}")
}

/// The refusal of a camera, with what helps against it.
fn refused(device: u32, reason: impl Into<String>, remedy: &str) -> SourceError {
    SourceError::Open { name: device_name(device), reason: reason.into(), remedy: remedy.to_owned() }
}

const SEE_LIST: &str = "`linecall cameras` lists the cameras that are there and what they offer";
