use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, slots)]
fn absent() {}

#[bench_diff(baseline = slow, slots = 1)]
fn one() {}

#[bench_diff(baseline = slow, slots = -2000)]
fn negative() {}

#[bench_diff(baseline = slow, slots = 2000.0)]
fn fraction() {}

#[bench_diff(baseline = slow, slots = 2000u64)]
fn suffix() {}

#[bench_diff(baseline = slow, slots = "2000")]
fn string() {}

#[bench_diff(baseline = slow, slots = 100000000000000000000)]
fn too_many() {}

fn main() {}
