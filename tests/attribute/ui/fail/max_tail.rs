use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_tail)]
fn absent() {}

#[bench_diff(baseline = slow, max_tail = "2")]
fn string() {}

#[bench_diff(baseline = slow, max_tail = 1)]
fn as_often() {}

#[bench_diff(baseline = slow, max_tail = 0.5)]
fn less_often() {}

#[bench_diff(baseline = slow, max_tail = 1e999)]
fn infinite() {}

fn main() {}
