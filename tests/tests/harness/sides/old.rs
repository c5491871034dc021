//! A program of an old revision, see `new.rs`.

mod breaks;
mod ways;
mod work;

const IS_NEW: bool = false;
const SIDE: &str = "old";

include!("functions.rs");

#[bench_diff(baseline = other)]
fn equal() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = other)]
fn quarter() -> u64 {
    work(2_000)
}
