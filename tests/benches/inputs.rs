//! Inputs of the functions of published crates.

#![allow(dead_code, reason = "no bench has all inputs")]

use std::hint::black_box;

pub fn numbers() -> Vec<u64> {
    let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> (state % 40));
    black_box(std::iter::successors(Some(9), next).take(100).collect())
}

pub fn bytes() -> Vec<u8> {
    numbers().into_iter().map(|number| number as u8).chain(*b"\nneedle").collect()
}

pub fn text() -> String {
    black_box("Straße, naïve café: 日本語 and plain words. Are there sentences? Two_or three-Words; 🦀.\n".repeat(3))
}

pub fn digits() -> String {
    black_box("00ff17A9".repeat(20))
}

pub fn versions() -> Vec<String> {
    black_box((0..20).map(|number| format!("{}.{number}.3-alpha.{number}+build", number % 3)).collect())
}

pub fn spans() -> Vec<String> {
    black_box((1..20).map(|number| format!("{number}days {number}h 7ms")).collect())
}

pub fn times() -> Vec<String> {
    black_box((10..20).map(|number| format!("2018-02-{number}T00:28:07.133Z")).collect())
}

pub fn head() -> String {
    black_box("GET /index.html HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\nCookie: a=b\r\n\r\n".to_owned())
}

pub fn answer() -> String {
    black_box("HTTP/1.1 200 OK\r\nContent-Length: 17\r\nContent-Type: text/html\r\n\r\n".to_owned())
}

pub fn chunk() -> String {
    black_box("1A7f\r\nbody".to_owned())
}
