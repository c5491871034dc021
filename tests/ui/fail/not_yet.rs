use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, threads = [1, 4])]
fn threads() {}

fn main() {}
