//! Five functions, of which three get slower in the next revision.

use std::hint::black_box;

/// The rows and columns of a square.
pub const SIDE: usize = 1024;

/// The numbers of a square, row by row: 8 MB.
pub fn square() -> Vec<u64> {
    (0..SIDE as u64 * SIDE as u64).collect()
}

/// Random bytes, half of which are large.
pub fn bytes() -> Vec<u8> {
    let mut state = 7_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let bytes: Vec<u8> = std::iter::repeat_with(next).take(200_000).collect();
    bytes
}

/// Adds up the square, column by column.
#[inline(never)]
pub fn misses(square: &[u64]) -> u64 {
    let mut sum = 0_u64;
    for column in 0..SIDE {
        for row in 0..SIDE {
            sum = (sum ^ square[black_box(row * SIDE + column)]).rotate_left(1);
        }
    }
    sum
}

/// Adds up the large bytes.
#[inline(never)]
pub fn mispredictions(bytes: &[u8]) -> u64 {
    let mut sum = 0;
    for byte in bytes {
        if *byte > 127 {
            sum = black_box(sum + u64::from(*byte));
        }
    }
    sum
}

/// Divides again and again, each time by what the division before gave.
#[inline(never)]
pub fn hidden(seed: u64) -> u64 {
    let (mut at, mut tally) = (seed, seed);
    for step in 0..2_000 {
        at = u64::MAX / (at | 1 << 40) + step;
        // The division takes longer, so this adds no time.
        tally = (tally.rotate_left(3) ^ step).wrapping_add(step << 2);
    }
    at ^ tally
}

/// A chain of multiplications.
#[inline(never)]
pub fn work(seed: u64) -> u64 {
    (0..black_box(2_100)).fold(seed, |at, step| (at ^ step).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The same in both revisions.
#[inline(never)]
pub fn unchanged(seed: u64) -> u64 {
    (0..black_box(2_000)).fold(seed, |at, step| (at + step).wrapping_mul(0x2545_f491_4f6c_dd1d))
}
