//! Pictures: what vision reads.
//!
//! In: files, cameras, the simulator. Out: a [`Picture`] in upright orientation, read in linear
//! light, because a half-covered pixel is half-way between two colours only there.

mod picture;

pub use picture::Picture;
