//! The common part of the benches of all crates: the inputs, and each function once for both releases.

#![allow(dead_code, reason = "no bench has all inputs")]

use std::hint::black_box;

use bench_diff_harness::bench_diff;

/// The functions of both releases, in one module each: what is compiled apart is not inlined. The name of an input
/// is that of the function that makes it.
macro_rules! functions {
    ($(fn $name:ident($input:ident: $type:ty) -> $output:ty $body:block)*) => {
        $(
            mod $name {
                use super::*;

                fn before($input: $type) -> $output {
                    use super::old as release;
                    $body
                }

                #[bench_diff(baseline = before, setup_once = $input, check = false)]
                fn after($input: $type) -> $output {
                    use super::new as release;
                    $body
                }
            }
        )*
    };
}

fn numbers() -> Vec<u64> {
    let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1) >> (state % 40));
    black_box(std::iter::successors(Some(9), next).take(100).collect())
}

fn bytes() -> Vec<u8> {
    numbers().into_iter().map(|number| number as u8).chain(*b"\nneedle").collect()
}

fn text() -> String {
    black_box("Straße, naïve café: 日本語 and plain words. Are there sentences? Two_or three-Words; 🦀.\n".repeat(3))
}

fn digits() -> String {
    black_box("00ff17A9".repeat(20))
}

fn versions() -> Vec<String> {
    black_box((0..20).map(|number| format!("{}.{number}.3-alpha.{number}+build", number % 3)).collect())
}

fn spans() -> Vec<String> {
    black_box((1..20).map(|number| format!("{number}days {number}h 7ms")).collect())
}

fn times() -> Vec<String> {
    black_box((10..20).map(|number| format!("2018-02-{number}T00:28:07.133Z")).collect())
}

fn head() -> String {
    black_box("GET /index.html HTTP/1.1\r\nHost: example.com\r\nAccept: */*\r\nCookie: a=b\r\n\r\n".to_owned())
}

fn answer() -> String {
    black_box("HTTP/1.1 200 OK\r\nContent-Length: 17\r\nContent-Type: text/html\r\n\r\n".to_owned())
}

fn chunk() -> String {
    black_box("1A7f\r\nbody".to_owned())
}
