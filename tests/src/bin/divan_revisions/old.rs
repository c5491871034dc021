//! Benchmarks of an old revision, see `now.rs`.

mod library;

use divan::Bencher;

fn main() {
    divan::main();
    library::clean_up();
}

const LEN: u64 = 2_000;

/// Nothing names it.
#[allow(dead_code)]
const UNUSED: u64 = 2_000;

fn numbers() -> Vec<u64> {
    (0..LEN).collect()
}

#[divan::bench]
fn of_other_inputs(bencher: Bencher) {
    bencher.with_inputs(numbers).bench_local_refs(|numbers| library::work(numbers.len()));
}

#[divan::bench]
fn slower() -> u64 {
    library::slower()
}
