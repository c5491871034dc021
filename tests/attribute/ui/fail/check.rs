use bench_diff_harness::bench_diff;

fn slow() -> u8 {
    1
}

#[bench_diff(baseline = slow, check)]
fn no_value() -> u8 {
    1
}

#[bench_diff(baseline = slow, check = "equal")]
fn string() -> u8 {
    1
}

#[bench_diff(baseline = slow)]
fn hidden() -> impl Sized {
    1
}

#[bench_diff(baseline = slow, check = true)]
fn nested() -> Option<(u8, impl Fn() -> u8)> {
    Some((1, || 1))
}

#[bench_diff(baseline = slow, max_slowdown = margin)]
fn margin_without_args() -> u8 {
    1
}

#[bench_diff(baseline = slow, min_speedup = module::margin, args = [1])]
fn margin_of_nothing() -> u8 {
    1
}

fn main() {}
