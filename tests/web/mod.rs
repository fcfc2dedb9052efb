//! The web page: the real program serves it, a real client asks, a real browser shows it.

mod accessible;
mod api;
mod camera;
mod connections;
mod keys;
mod pages;
mod server;
mod strikes;
