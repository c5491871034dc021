//! What a registered pair is handed when its turn comes.

use std::cell::RefCell;
use std::hint::black_box;
use std::mem::needs_drop;

use bench_diff_core::{Chores, Functions, Pair, Side};

/// Takes the two functions of a pair to whoever runs them.
pub struct Probe<'a> {
    bench: &'a mut dyn Bench,
}

/// Runs the two functions of a pair: to measure them, or once each to see that they work.
pub(crate) trait Bench {
    fn run(&mut self, pair: &mut dyn Pair);
}

impl<'a> Probe<'a> {
    pub(crate) fn new(bench: &'a mut dyn Bench) -> Self {
        Self { bench }
    }

    /// Runs a candidate and its baseline.
    ///
    /// Outputs pass through a black box. Those that need to be dropped are kept during a slot and dropped after it.
    pub fn compare<T>(&mut self, candidate: impl Fn() -> T, baseline: impl Fn() -> T) {
        self.bench.run(&mut Plain { candidate, baseline });
    }
}

/// Two functions without inputs.
struct Plain<C, B> {
    candidate: C,
    baseline: B,
}

impl<C: Fn() -> T, B: Fn() -> T, T> Pair for Plain<C, B> {
    fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { candidate, baseline } = self;
        let mut empty = || black_box(());
        if needs_drop::<T>() {
            let kept = [Kept::default(), Kept::default(), Kept::default()];
            measure(Functions {
                candidate: Side::with_chores(&mut || kept[0].keep(black_box(candidate())), &mut &kept[0]),
                baseline: Side::with_chores(&mut || kept[1].keep(black_box(baseline())), &mut &kept[1]),
                control: Some(Side::with_chores(&mut || kept[2].keep(black_box(baseline())), &mut &kept[2])),
                empty: Side::plain(&mut empty),
            });
        } else {
            measure(Functions {
                candidate: Side::plain(&mut || drop(black_box(candidate()))),
                baseline: Side::plain(&mut || drop(black_box(baseline()))),
                control: Some(Side::plain(&mut || drop(black_box(baseline())))),
                empty: Side::plain(&mut empty),
            });
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

    fn note(&self) -> &'static str {
        "outputs are dropped after each slot, untimed"
    }
}
