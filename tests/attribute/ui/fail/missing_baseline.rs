use bench_diff_harness::bench_diff;

#[bench_diff]
fn alone() {}

#[bench_diff()]
fn empty() {}

#[bench_diff(max_slowdown = "2%")]
fn gated() {}

fn main() {}
