use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, layouts = "random")]
fn unknown() {}

#[bench_diff(baseline = slow, layouts = linked)]
fn path() {}

#[bench_diff(baseline = slow, layouts)]
fn absent() {}

fn main() {}
