//! What a registered pair is handed when its turn comes.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::needs_drop;

use bench_diff_core::{Chores, Side};

/// Takes the two functions of a pair to whoever runs them.
pub struct Probe<'a> {
    bench: &'a mut dyn Bench,
}

/// Runs the two functions of a pair: to measure them, or once each to see that they work.
pub(crate) trait Bench {
    fn pair<'a>(&mut self, candidate: Side<'a>, baseline: Side<'a>);
}

impl<'a> Probe<'a> {
    pub(crate) fn new(bench: &'a mut dyn Bench) -> Self {
        Self { bench }
    }

    /// Runs a candidate and its baseline.
    ///
    /// Outputs pass through a black box. Those that need to be dropped are kept during a slot and dropped after it.
    pub fn compare<T>(&mut self, mut candidate: impl FnMut() -> T, mut baseline: impl FnMut() -> T) {
        if needs_drop::<T>() {
            let (kept, kept_too) = (Kept::default(), Kept::default());
            let mut candidate = || kept.keep(black_box(candidate()));
            let mut baseline = || kept_too.keep(black_box(baseline()));
            self.bench.pair(
                Side { call: &mut candidate, chores: Some(&mut &kept) },
                Side { call: &mut baseline, chores: Some(&mut &kept_too) },
            );
        } else {
            let mut candidate = || drop(black_box(candidate()));
            let mut baseline = || drop(black_box(baseline()));
            self.bench.pair(
                Side { call: &mut candidate, chores: None },
                Side { call: &mut baseline, chores: None },
            );
        }
    }
}

/// The outputs of one slot.
struct Kept<T>(RefCell<Vec<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T> Kept<T> {
    fn keep(&self, output: T) {
        self.0.borrow_mut().push(output);
    }
}

impl<T> Chores for &Kept<T> {
    fn before_slot(&mut self, iterations: u64) {
        self.0.borrow_mut().reserve(usize::try_from(iterations).unwrap_or(usize::MAX));
    }

    fn after_slot(&mut self) {
        self.0.borrow_mut().clear();
    }
}
