use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_slowdown = "2%", min_speedup = 1.5)]
fn two() {}

#[bench_diff(baseline = slow, report_only, max_difference = "2%", max_slowdown = "2%")]
fn three() {}

fn main() {}
