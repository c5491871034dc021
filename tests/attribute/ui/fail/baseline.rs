use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline)]
fn absent() {}

#[bench_diff(baseline =)]
fn cut_off() {}

#[bench_diff(baseline = slow())]
fn call() {}

#[bench_diff(baseline = || slow())]
fn closure() {}

#[bench_diff(baseline = "slow")]
fn string() {}

#[bench_diff(baseline = slow<u8, u16>)]
fn without_turbofish() {}

#[bench_diff(baseline: slow)]
fn colon() {}

fn main() {}
