//! A network camera by its address.

use super::{
    LiveOptions, NewestSource, Opener, Source, SourceError, VideoSource, address::without_credentials,
};

/// Opens a stream (`rtsp://…`, `http://…`). The newest frame is delivered, and a stream that breaks
/// off is opened again.
pub fn open_stream(address: &str, options: &LiveOptions) -> Result<Box<dyn Source + Send>, SourceError> {
    let (connect_to, timeout) = (address.to_owned(), options.stall_after);
    let open: Opener = Box::new(move || Ok(Box::new(VideoSource::connect(&connect_to, timeout)?)));
    // Names are written into ledgers and onto screens.
    Ok(Box::new(NewestSource::start(&without_credentials(address), open, options.clone())?))
}
