use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, args = [1, 2])]
fn args() {}

#[bench_diff(baseline = slow, setup = make::<u8, u16>)]
fn setup() {}

#[bench_diff(baseline = slow, setup_once = make)]
fn setup_once() {}

#[bench_diff(baseline = slow, types = [u8, Vec<u8>])]
fn types() {}

#[bench_diff(baseline = slow, consts = [1, 2])]
fn consts() {}

#[bench_diff(baseline = slow, threads = [1, 4])]
fn threads() {}

#[bench_diff(baseline = slow, check = false)]
fn check() {}

fn main() {}
