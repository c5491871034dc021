//! Types and consts that do not fit.

use bench_diff_harness::bench_diff;

fn plain() -> u8 {
    1
}

fn sized<const N: usize>() -> [u8; N] {
    [1; N]
}

const MANY: [usize; 33] = [1; 33];

#[bench_diff(baseline = plain, types = [u8])] //~ E0107 plain
fn baseline_without_parameter<T: Default>() -> u8 {
    1
}

#[bench_diff(baseline = sized, consts = ["a"])] //~ E0308 "a"
fn const_of_another_type<const N: usize>() -> [u8; N] {
    sized()
}

#[bench_diff(baseline = sized, consts = MANY)] //~ E0080 MANY `consts` takes an array of at most 32 values
fn too_many_consts<const N: usize>() -> [u8; N] {
    sized()
}

fn main() {}
