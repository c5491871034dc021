//! The program of the working tree, whose functions have the same names as those of `old.rs`: in another order,
//! among others.

mod breaks;
mod ways;
mod work;

const IS_NEW: bool = true;
const SIDE: &str = "new";

include!("functions.rs");

#[bench_diff(baseline = other)]
fn added() -> u64 {
    work(1_000)
}

#[bench_diff(baseline = other)]
fn quarter() -> u64 {
    work(500)
}

#[bench_diff(baseline = other)]
fn equal() -> u64 {
    work(2_000)
}
