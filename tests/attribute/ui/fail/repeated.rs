use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, baseline = slow)]
fn baseline() {}

#[bench_diff(baseline = slow, max_slowdown = "2%", max_slowdown = "3%")]
fn gate() {}

#[bench_diff(baseline = slow, ignore, ignore)]
fn bare() {}

fn main() {}
