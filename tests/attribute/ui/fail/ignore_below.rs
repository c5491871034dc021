use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, ignore_below)]
fn absent() {}

#[bench_diff(baseline = slow, ignore_below = 1)]
fn without_a_unit() {}

#[bench_diff(baseline = slow, ignore_below = "1%")]
fn share() {}

#[bench_diff(baseline = slow, ignore_below = "0ns")]
fn nothing() {}

#[bench_diff(baseline = slow, ignore_below = "-1ns")]
fn negative() {}

#[bench_diff(baseline = slow, ignore_below = "61min")]
fn too_long() {}

fn main() {}
