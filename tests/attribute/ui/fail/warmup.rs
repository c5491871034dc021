use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, warmup)]
fn absent() {}

#[bench_diff(baseline = slow, warmup = 50)]
fn number() {}

#[bench_diff(baseline = slow, warmup = 50ms)]
fn unquoted() {}

#[bench_diff(baseline = slow, warmup = "50")]
fn without_unit() {}

#[bench_diff(baseline = slow, warmup = "1h")]
fn unknown_unit() {}

#[bench_diff(baseline = slow, warmup = "-50ms")]
fn negative() {}

#[bench_diff(baseline = slow, warmup = "1000000000000min")]
fn too_long() {}

fn main() {}
