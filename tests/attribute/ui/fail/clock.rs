use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, clock = "tsc")]
fn unknown() {}

#[bench_diff(baseline = slow, clock = wall)]
fn path() {}

#[bench_diff(baseline = slow, clock)]
fn absent() {}

fn main() {}
