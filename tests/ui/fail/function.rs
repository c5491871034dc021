use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow)]
async fn future() {}

#[bench_diff(baseline = slow)]
unsafe fn not_safe() {}

#[bench_diff(baseline = slow)]
extern "C" fn foreign() {}

#[bench_diff(baseline = slow)]
fn typed<T>() {}

#[bench_diff(baseline = slow)]
fn sized<const N: usize>() {}

#[bench_diff(baseline = slow)]
fn lent<'a>() {}

#[bench_diff(baseline = slow)]
fn one(_input: u8) {}

#[bench_diff(baseline = slow)]
fn two(_input: u8, _: &[u8]) {}

#[bench_diff(baseline = slow)]
fn opaque() -> impl Iterator<Item = u8> {
    [1].into_iter()
}

#[bench_diff(baseline = slow)]
fn nested() -> Option<(u8, impl Fn() -> u8)> {
    Some((1, || 1))
}

fn main() {}
