use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, min_speedup)]
fn absent() {}

#[bench_diff(baseline = slow, min_speedup = "1.5x")]
fn string() {}

#[bench_diff(baseline = slow, min_speedup = 1.5f64)]
fn suffix() {}

#[bench_diff(baseline = slow, min_speedup = 0)]
fn zero() {}

#[bench_diff(baseline = slow, min_speedup = -1.5)]
fn negative() {}

#[bench_diff(baseline = slow, min_speedup = 1e999)]
fn infinite() {}

fn main() {}
