use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, crate = "bench_diff_harness")]
fn string() {}

#[bench_diff(baseline = slow, crate = facade::<u8>::bench_diff_harness)]
fn generic() {}

#[bench_diff(baseline = slow, crate)]
fn absent() {}

fn main() {}
