use bench_diff_harness::bench_diff;

#[bench_diff(min_speedup = 1.5)]
fn gated() {}

#[bench_diff(max_slowdown = "2%", max_allocations = "0%")]
fn more_gates() {}

#[bench_diff(judge = "welch", slots = 100, check = false)]
fn judged() {}

#[bench_diff(max_difference = "2%", args = [1])]
fn without_parameter() {}

fn main() {}
