//! Pictures and frames: what vision reads.
//!
//! In: files, cameras, videos, the simulator. Out: a [`Picture`] in upright orientation, read in
//! linear light, because a half-covered pixel is half-way between two colours only there; or,
//! from a [`Source`], one [`Frame`] after the other, decoded only as far as somebody looks.

mod address;
mod device;
mod entropy;
mod film;
mod folder;
mod frame;
mod interruption;
mod jpeg;
mod newest;
mod paced;
mod photo;
mod picture;
mod rates;
mod recording;
mod seam;
mod sent;
mod small;
mod source;
pub(crate) mod srgb;
mod stream;
mod taken;
pub mod video;
mod whole_pixel;
mod yuyv;

pub use address::{is_stream, without_credentials};
pub use device::{
    ControlInfo, ControlRole, ControlSettings, DeviceInfo, DeviceOptions, Driver, Offer, PixelForm, Setting,
    Wish, choose, list_devices, open_device,
};
pub use film::{FilmError, FilmSource};
pub use folder::FolderSource;
pub use frame::{Frame, FrameError, FrameImage, KeptFrame};
pub use interruption::{Interruption, InterruptionKind};
pub(crate) use newest::CAPTURE_THREAD;
pub use newest::{LiveOptions, NewestSource, Opener};
pub use paced::PacedSource;
pub use photo::{PhotoError, PhotoLimits, decode_photo, load_photo, read_photo};
pub use picture::{ChannelTables, Picture, weighted_light};
pub use rates::Rates;
pub use recording::{RecordingOptions, open_recording};
pub use sent::{NotTaken, SentFrames};
pub use small::{Reduction, SmallGrey};
pub use source::{Pace, Source, SourceError, SourceInfo};
pub use stream::open_stream;
pub use taken::taken_at;
pub use video::VideoSource;
pub(crate) use whole_pixel::whole_pixel;
