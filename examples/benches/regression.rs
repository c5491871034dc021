//! A gate that fails: a quarter more work in the candidate. A plain `cargo bench` leaves it out:
//!
//! ```text
//! cargo bench -p bench_diff_examples --bench regression
//! ```

use std::hint::black_box;

use bench_diff_harness::bench_diff;

/// A chain of multiplications, each waiting for the one before it: the time is in proportion
/// to their number.
fn chain(length: u64) -> u64 {
    (0..black_box(length)).fold(1, |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn before() -> u64 {
    chain(2_000)
}

#[bench_diff(baseline = before, check = false)]
fn after() -> u64 {
    chain(2_500)
}

bench_diff_harness::main!();
