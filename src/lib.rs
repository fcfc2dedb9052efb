//! `linecall` scores table shuffleboard and carrom: a photo or a camera's frame goes in, pieces in
//! millimetres, calls with signed gaps and their uncertainty, and a score come out.
//!
//! The modules stand in the order of the data's way.

pub mod geometry;
pub mod output;

pub mod board;
pub mod camera;
pub mod capture;
pub mod options;
pub mod outline;
pub mod register;

pub mod calibrate;
pub mod learn;

pub mod detect;
pub mod measure;

pub mod calls;
pub mod rules;

pub mod identify;
pub mod score;

pub mod desk;
pub mod ledger;
pub mod rerun;

pub mod live;
pub mod motion;

pub mod evaluate;
pub mod evidence;
pub mod simulate;

pub mod annotate;
pub mod bundle;
pub mod draw;
pub mod review;
pub mod trace;

pub mod hall;
pub mod home;
pub mod reach;
pub mod web;

pub mod cli;
