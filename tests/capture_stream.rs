//! A network camera: frames come, and come again after the camera was away.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    thread,
    time::Duration,
};

use linecall::capture::{InterruptionKind, LiveOptions, SourceError, open_stream};

/// A camera that sends JPEGs one after the other, as network cameras do, to each who connects,
/// until it is told to hang up.
fn camera(listener: TcpListener) -> mpsc::Sender<()> {
    let (hang_up, hung_up) = mpsc::channel();
    thread::spawn(move || {
        for connection in listener.incoming() {
            // A reader that leaves is as good as a camera that is told to.
            let _ = send_frames(connection.unwrap(), &hung_up);
        }
    });
    hang_up
}

fn send_frames(mut connection: TcpStream, hung_up: &mpsc::Receiver<()>) -> std::io::Result<()> {
    let mut request = [0; 1024];
    let _ = connection.read(&mut request)?;
    let mut jpeg = Vec::new();
    let picture = image::RgbImage::from_pixel(160, 96, image::Rgb([200, 120, 40]));
    picture.write_with_encoder(image::codecs::jpeg::JpegEncoder::new(&mut jpeg)).unwrap();
    connection
        .write_all(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n")?;
    while hung_up.try_recv().is_err() {
        let head = format!("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", jpeg.len());
        connection.write_all(head.as_bytes())?;
        connection.write_all(&jpeg)?;
        connection.write_all(b"\r\n")?;
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

#[test]
fn a_network_camera_is_read_and_comes_back() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/video.mjpg", listener.local_addr().unwrap());
    let hang_up = camera(listener);
    let options = LiveOptions { stall_after: Duration::from_secs(30), ..LiveOptions::default() };
    let mut source = open_stream(&address, &options).unwrap();
    assert_eq!(source.about().size, Some([160, 96]));
    let first = source.next().unwrap().unwrap();
    let [r, g, b] = first.picture().unwrap().rgb().get_pixel(80, 40).0;
    assert!(r.abs_diff(200) < 8 && g.abs_diff(120) < 8 && b.abs_diff(40) < 8, "{:?}", [r, g, b]);

    hang_up.send(()).unwrap();
    let told = loop {
        match source.next() {
            Ok(frame) => assert!(frame.is_some()),
            Err(SourceError::Interrupted(told)) => break told,
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(told.kind, InterruptionKind::Gone);
    let again = source.next().unwrap().unwrap();
    assert!(again.index > first.index);
    assert_eq!(source.rates().interruptions, 1);
}

#[test]
fn an_address_where_nothing_answers_is_refused_in_words() {
    // Bound and closed again: nobody listens there.
    let address = format!("http://{}/", TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let Err(error) = open_stream(&address, &LiveOptions::default()) else { panic!("opens") };
    assert!(error.to_string().contains(&address) && error.to_string().contains("network"), "{error}");
}
