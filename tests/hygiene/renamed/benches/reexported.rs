//! The harness comes through another crate.

#![deny(warnings)]
#![warn(clippy::pedantic)]

use bench_diff_hygiene_facade::bench::{self, bench_diff};

fn slow() {}

#[bench_diff(baseline = slow, crate = bench_diff_hygiene_facade::bench, judge = "welch")]
fn full_path() {}

#[bench_diff(baseline = slow, crate = bench)]
fn imported() {}

bench::main!();
