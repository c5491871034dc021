//! Types and consts that do not fit.

use bench_diff_harness::bench_diff;

fn plain() -> u8 {
    1
}

fn sized<const N: usize>() -> [u8; N] {
    [1; N]
}

#[bench_diff(baseline = plain, types = [u8])] //~ E0107 plain
fn baseline_without_parameter<T: Default>() -> u8 {
    1
}

#[bench_diff(baseline = sized, consts = ["a"])] //~ E0308 "a"
fn const_of_another_type<const N: usize>() -> [u8; N] {
    sized()
}

fn main() {}
