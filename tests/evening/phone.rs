//! A phone as the camera: a real browser with its own test camera sends its pictures.

use fantoccini::{Client, Locator};
use linecall::{
    capture::{LiveOptions, SentFrames, Source},
    desk::{Desk, DeskOptions},
    web::{Access, PhoneCamera, Running, WebOptions, start},
};

use crate::browser::{Screen, browse, screenshot};

fn served(phone: Option<PhoneCamera>) -> (tempfile::TempDir, Running) {
    let folder = tempfile::tempdir().unwrap();
    let desk = Desk::open(&folder.path().join("a.ledger"), DeskOptions::default()).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let options = WebOptions { phone, ..WebOptions::default() };
    (folder, start(listener, desk, options, Access::Loopback).unwrap())
}

#[test]
fn a_phones_pictures_reach_the_loop_in_the_size_of_the_camera_file() {
    let sent = SentFrames::default();
    let (_folder, running) = served(Some(PhoneCamera::new(sent.clone(), [640, 360])));
    let page = format!("http://{}/camera", running.address());
    let mut source = sent.source("phone", LiveOptions::default()).unwrap();
    let reading = std::thread::spawn(move || {
        let mut sizes = Vec::new();
        while sizes.len() < 3 {
            match source.next() {
                Ok(frame) => sizes.push(frame.unwrap().picture().unwrap().size()),
                Err(error) => assert!(error.passes(), "{error}"),
            }
        }
        sizes
    });
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&page).await.unwrap();
        client.find(Locator::Id("start")).await.unwrap().click().await.unwrap();
        let status = client.find(Locator::Id("status")).await.unwrap();
        loop {
            let words = status.text().await.unwrap();
            if words.contains("pictures sent") {
                break;
            }
            assert!(words.contains("off") || words.is_empty(), "{words}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        screenshot(&client, "camera-phone").await;
        // The loop has its pictures while the page is open.
        tokio::task::spawn_blocking(move || reading.join().unwrap()).await.map(|sizes| {
            assert_eq!(sizes, [[640, 360]; 3]);
        })
    })
    .unwrap();
}

#[test]
fn where_no_phone_is_waited_for_the_page_says_so() {
    let (_folder, running) = served(None);
    let page = format!("http://{}/camera", running.address());
    browse(Screen::PHONE, async move |client: Client| {
        client.goto(&page).await.unwrap();
        client.find(Locator::Id("start")).await.unwrap().click().await.unwrap();
        let status = client.find(Locator::Id("status")).await.unwrap();
        for _ in 0..100 {
            if status.text().await.unwrap().contains("--source phone") {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{}", status.text().await.unwrap());
    });
}

/// A page of another site must not become the camera in a visitor's browser.
#[test]
fn a_foreign_page_cannot_send_pictures() {
    use std::io::{Read, Write};
    let (_folder, running) = served(Some(PhoneCamera::new(SentFrames::default(), [64, 48])));
    let asked = |origin: &str| {
        let mut connection = std::net::TcpStream::connect(running.address()).unwrap();
        let request = format!(
            "GET /api/camera/frames HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            running.address()
        );
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = [0; 12];
        connection.read_exact(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    assert_eq!(asked("http://evil.example"), "HTTP/1.1 403");
    assert_eq!(asked(&format!("http://{}", running.address())), "HTTP/1.1 101");
}
