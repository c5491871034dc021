use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, threads = 0)]
fn none() {}

#[bench_diff(baseline = slow, threads = [1, 0])]
fn none_of_some() {}

#[bench_diff(baseline = slow, threads = [2, -4])]
fn negative() {}

#[bench_diff(baseline = slow, threads = [1024, 1025])]
fn many() {}

#[bench_diff(baseline = slow, threads = [])]
fn empty() {}

#[bench_diff(baseline = slow, threads = [1, 4, 4])]
fn twice() {}

#[bench_diff(baseline = slow, threads = [1, "4"])]
fn text() {}

#[bench_diff(baseline = slow, threads = COUNTS)]
fn path() {}

#[bench_diff(baseline = slow, threads)]
fn absent() {}

fn main() {}
