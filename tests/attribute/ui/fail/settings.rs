use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, alpha)]
fn absent() {}

#[bench_diff(baseline = slow, max_slowdown = 2%)]
fn unquoted_percentage() {}

#[bench_diff(baseline = slow, warmup = 50ms)]
fn unquoted_time() {}

#[bench_diff(baseline = slow, clock = wall)]
fn path() {}

#[bench_diff(baseline = slow, max_difference = '2')]
fn character() {}

#[bench_diff(baseline = slow, beta = [0.01])]
fn array() {}

#[bench_diff(baseline = slow, max_slowdown = margin)]
fn function_of_no_arg() {}

#[bench_diff(baseline = slow, max_allocations = "0%", max_allocations = "1%")]
fn twice() {}

fn main() {}
