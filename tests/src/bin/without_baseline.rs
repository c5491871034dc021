//! Functions without a baseline, of every shape, beside one that has one of them for its baseline.

use std::hint::black_box;

use bench_diff_harness::bench_diff;

fn turns(count: usize) -> u64 {
    (0..black_box(count) as u64).fold(1, |product, turn| black_box(product ^ turn))
}

#[bench_diff]
fn plain() -> u64 {
    turns(5_000)
}

#[bench_diff(baseline = plain, max_slowdown = "900%")]
fn compared() -> u64 {
    turns(5_000)
}

#[bench_diff(args = [2_000, 20_000], items = |turns| *turns, max_slowdown = "5%", max_time = "1s")]
fn of_args(count: usize) -> u64 {
    turns(count)
}

fn hundred() -> Vec<u64> {
    (0..100).rev().collect()
}

#[bench_diff(setup = hundred, bytes = 800)]
fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

#[bench_diff(setup = hundred, clock = "wall")]
fn by_ref(numbers: &[u64]) -> Option<&u64> {
    numbers.iter().max()
}

#[bench_diff(setup = hundred)]
fn by_mut(numbers: &mut [u64]) -> &mut u64 {
    numbers.sort_unstable();
    &mut numbers[0]
}

fn many(step: usize) -> Vec<u64> {
    (0..100 * step as u64).collect()
}

#[bench_diff(setup_once = many, args = [1, 2], name = "of_state")]
fn with_a_state(numbers: &[u64], step: usize) -> u64 {
    numbers.iter().step_by(step).sum()
}

#[bench_diff(types = [u8, u64], consts = [1, 16])]
fn instances<T: Default + Copy, const N: usize>() -> [T; N] {
    black_box([T::default(); N])
}

#[bench_diff(setup = hundred, threads = [1, 2])]
fn on_threads(numbers: Vec<u64>) -> impl Sized {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>()
}

#[bench_diff]
async fn awaited() -> u64 {
    turns(1_000)
}

#[bench_diff(ignore)]
fn ignored() {}

#[bench_diff]
fn refused() -> Result<u64, String> {
    Err(format!("{} is too few", turns(1)))
}

#[bench_diff]
fn panicking() {
    assert!(turns(1) == 0, "out of order");
}

bench_diff_harness::main!();
