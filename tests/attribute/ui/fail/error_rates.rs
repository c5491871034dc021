use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, alpha)]
fn absent() {}

#[bench_diff(baseline = slow, alpha = -0.1)]
fn negative() {}

#[bench_diff(baseline = slow, alpha = 0)]
fn zero() {}

#[bench_diff(baseline = slow, alpha = 0.5)]
fn half() {}

#[bench_diff(baseline = slow, alpha = 0.01f32)]
fn suffix() {}

#[bench_diff(baseline = slow, alpha = [0.01])]
fn array() {}

#[bench_diff(baseline = slow, beta = "50%")]
fn half_as_percentage() {}

#[bench_diff(baseline = slow, beta = 5)]
fn whole() {}

#[bench_diff(baseline = slow, beta = "five percent")]
fn words() {}

fn main() {}
