use std::hint::black_box;
use std::sync::OnceLock;

use bench_diff_kernels_new as new;

/// The most that any side works on.
const MOST: usize = 1050;

/// Both sides read the same ones, whose place is a part of their speed.
fn numbers() -> &'static [u64] {
    static OF_BOTH: OnceLock<Vec<u64>> = OnceLock::new();
    OF_BOTH.get_or_init(|| new::numbers(MOST))
}

/// Code that is never called: what else has changed in a program between two of its builds.
#[inline(never)]
fn padding<const N: usize>(numbers: &[u64]) -> u64 {
    numbers.iter().fold(N as u64, |sum, number| sum.rotate_left(7) ^ number.wrapping_mul(N as u64 + 3))
}

#[used]
static KEPT: &[fn(&[u64]) -> u64] = match PADDING {
    0 => &[],
    1 => &[padding::<1>],
    2 => &[padding::<1>, padding::<2>],
    3 => &[padding::<1>, padding::<2>, padding::<3>],
    _ => &[padding::<1>, padding::<2>, padding::<3>, padding::<4>],
};
