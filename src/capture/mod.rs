//! Pictures: what vision reads.
//!
//! In: files, cameras, the simulator. Out: a [`Picture`] in upright orientation, read in linear
//! light, because a half-covered pixel is half-way between two colours only there.

mod jpeg;
mod photo;
mod picture;

pub use photo::{PhotoError, PhotoLimits, decode_photo, load_photo, read_photo};
pub use picture::{ChannelTables, Picture, weighted_light};
