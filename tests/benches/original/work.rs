//! Work in whole turns, so that the true ratio of two amounts is known.

use std::hint::black_box;

use bench_diff_original::noise_model::Beta;

/// A function whose amount of work is fixed, or log-normal around a median.
///
/// Both functions of a pair are of this type and lie in cache lines of their own.
#[repr(align(64))]
pub(crate) struct Work {
    turns: u64,
    variation: Option<Beta>,
}

impl Work {
    /// This many turns, or in the median this many where they vary.
    pub(crate) fn new(turns: u64, variation: Option<Beta>) -> Self {
        Self { turns, variation }
    }

    /// Does the work: a chain of multiplications, each waiting for the one before it.
    ///
    /// There is one copy of it, since two copies in different places may differ by more than the functions
    /// do.
    #[inline(never)]
    pub(crate) fn run(&mut self) {
        let turns = match &mut self.variation {
            None => self.turns,
            Some(variation) => (self.turns as f64 * variation.draw()).round() as u64,
        };
        let end = (0..black_box(turns))
            .fold(1, |state: u64, turn| (state ^ turn).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        black_box(end);
    }
}
