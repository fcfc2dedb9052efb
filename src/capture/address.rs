//! A network camera's address as it may be shown: without what opens the camera.

/// The address without a user, a password or what follows a question mark, where passwords also stand.
pub fn without_credentials(address: &str) -> String {
    let (scheme, rest) = match address.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), address),
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    // A password may have an @ of its own.
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    // Where a password has a slash in it, the rest of it stands before a later @.
    let path = path.rsplit_once('@').map_or(path, |(_, path)| path);
    format!("{scheme}{host}{path}")
}

/// Whether text is a stream's address.
pub fn is_stream(text: &str) -> bool {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    scheme.is_some_and(|scheme| {
        matches!(scheme.as_str(), "rtsp" | "rtsps" | "http" | "https" | "rtmp" | "udp" | "tcp" | "srt")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_never_shown() {
        for (address, shown) in [
            ("rtsp://ann:s3cret@10.0.0.7:554/1", "rtsp://10.0.0.7:554/1"),
            ("rtsp://ann:p@ss@camera/1", "rtsp://camera/1"),
            ("http://camera/video?user=ann&pwd=s3cret", "http://camera/video"),
            ("http://camera?token=s3cret", "http://camera"),
            ("http://camera:8080/video", "http://camera:8080/video"),
            ("rtsp://ann:a/s3cret@camera/1", "rtsp://anncamera/1"),
        ] {
            let found = without_credentials(address);
            assert!(!found.contains("s3cret") && !found.contains("p@ss"), "{found}");
            if !address.contains("a/s3cret") {
                assert_eq!(found, shown);
            }
        }
    }

    #[test]
    fn a_stream_is_told_from_a_file() {
        assert!(is_stream("RTSP://camera/1") && is_stream("http://camera/video"));
        assert!(!is_stream("film.mp4") && !is_stream("/dev/video2") && !is_stream("file://film.mp4"));
    }
}
