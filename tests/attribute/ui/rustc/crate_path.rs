//! A harness that is not where `crate` says.

use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, crate = facade::bench_diff_harness)] //~ E0433 facade
fn fast() {}

fn main() {}
