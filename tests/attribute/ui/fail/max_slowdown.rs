use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_slowdown)]
fn absent() {}

#[bench_diff(baseline = slow, max_slowdown = "two percent")]
fn words() {}

#[bench_diff(baseline = slow, max_slowdown = margin)]
fn path() {}

#[bench_diff(baseline = slow, max_slowdown = 0.02f32)]
fn suffix() {}

#[bench_diff(baseline = slow, max_slowdown = 2%)]
fn unquoted() {}

#[bench_diff(baseline = slow, max_slowdown = "0%")]
fn zero() {}

#[bench_diff(baseline = slow, max_slowdown = "-2%")]
fn negative_percentage() {}

#[bench_diff(baseline = slow, max_slowdown = -0.02)]
fn negative_number() {}

#[bench_diff(baseline = slow, max_slowdown = 1e999)]
fn infinite() {}

#[bench_diff(baseline = slow, max_slowdown = 2)]
fn without_sign() {}

#[bench_diff(baseline = slow, max_slowdown = "1.5")]
fn string_without_sign() {}

fn main() {}
