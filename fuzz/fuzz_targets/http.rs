//! Requests to the page: the first line is a path, the rest a body. A match is being played.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::net::SocketAddr;

use axum::{
    body::Body,
    extract::connect_info::MockConnectInfo,
    http::{Method, Request, header},
};
use linecall::{
    desk::{Desk, DeskOptions},
    ledger::Author,
    rules::match_file,
    web::{Access, Site, UploadLimits, WebOptions, make_app},
};
use tower_service::Service;

const OPENING: &[u8] = br#"{"type":"match","game":"court","sides":[{"name":"Ann","colour":"red"},{"name":"Bo","colour":"blue"}]}"#;

fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (line, body) = (&bytes[..end], bytes[end + 1..].to_vec());
    let method = if body.is_empty() { Method::GET } else { Method::POST };
    let Ok(path) = std::str::from_utf8(line) else { return };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body));
    let Ok(request) = request else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let desk = Desk::open(&folder.path().join("a.ledger"), DeskOptions::default()).expect("a ledger");
    desk.new_match(match_file::parse(OPENING).expect("a match"), Author::Program, None).expect("begun");
    // One a request: what the site began ends with it.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let uploads = UploadLimits { max_bytes: 1 << 20, ..UploadLimits::default() };
        let options = WebOptions { uploads, ..WebOptions::default() };
        let site = Site::new(desk, options, Access::Loopback);
        let from = SocketAddr::from(([127, 0, 0, 1], 4000));
        let mut app = make_app(site.clone()).layer(MockConnectInfo(from));
        // What streams is not read: it has no end.
        let _ = app.call(request).await;
        site.stop();
    });
});
