use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_allocations)]
fn absent() {}

#[bench_diff(baseline = slow, max_allocations = "-1%")]
fn negative() {}

#[bench_diff(baseline = slow, max_allocations = 2)]
fn without_sign() {}

#[bench_diff(baseline = slow, max_allocations = "none")]
fn word() {}

#[bench_diff(baseline = slow, max_allocations = slow)]
fn function() {}

#[bench_diff(baseline = slow, max_allocations = "0%", max_allocations = "1%")]
fn twice() {}

fn main() {}
