use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_difference = '2')]
fn character() {}

#[bench_diff(baseline = slow, max_difference = "-2 %")]
fn negative() {}

#[bench_diff(baseline = slow, max_difference = 5.0)]
fn without_sign() {}

fn main() {}
