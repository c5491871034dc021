use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_time)]
fn absent() {}

#[bench_diff(baseline = slow, max_time = 2)]
fn number() {}

#[bench_diff(baseline = slow, max_time = "0s")]
fn zero() {}

#[bench_diff(baseline = slow, max_time = "-1s")]
fn negative() {}

fn main() {}
