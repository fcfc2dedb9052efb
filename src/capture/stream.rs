//! A network camera by its address.

use super::{
    LiveOptions, NewestSource, Opener, Source, SourceError, VideoSource, address::without_credentials,
    video::StreamRequest,
};

/// Opens a stream (`rtsp://…`, `http://…`). The newest frame is delivered, and a stream that breaks
/// off is opened again.
pub fn open_stream(address: &str, options: &LiveOptions) -> Result<Box<dyn Source + Send>, SourceError> {
    let stream = StreamRequest {
        address: address.to_owned(),
        open_within: options.open_within,
        frame_within: options.stall_after,
    };
    let open: Opener = Box::new(move || Ok(Box::new(VideoSource::connect(&stream)?)));
    // Names are written into ledgers and onto screens.
    Ok(Box::new(NewestSource::start(&without_credentials(address), open, options.clone())?))
}
