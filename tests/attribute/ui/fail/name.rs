use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, name = "")]
fn empty() {}

#[bench_diff(baseline = slow, name = "two words")]
fn blank() {}

#[bench_diff(baseline = slow, name = "bell\u{7}")]
fn control() {}

#[bench_diff(baseline = slow, name = "-flag")]
fn dash() {}

#[bench_diff(baseline = slow, name = words)]
fn path() {}

#[bench_diff(baseline = slow, name = b"bytes")]
fn bytes() {}

#[bench_diff(baseline = slow, name)]
fn absent() {}

fn main() {}
