//! Benchmarks of today for divan, which differ from those of `old.rs` in two constants.

mod library;

use divan::Bencher;

fn main() {
    divan::main();
    library::clean_up();
}

const LEN: u64 = 8_000;

/// Nothing names it.
#[allow(dead_code)]
const UNUSED: u64 = 8_000;

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
