//! The first calls of a process: which function goes first, and how long each takes.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::{FirstCalls, Seed};

/// The function that chance lets go first: it finds the memory, the caches and the predictors of a fresh
/// process as they are, and the other one finds what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    Candidate,
    Baseline,
}

impl First {
    pub(crate) fn by(seed: Seed) -> Self {
        if seed.candidate_is_first() { Self::Candidate } else { Self::Baseline }
    }

    /// The other function.
    pub(in crate::call) fn other(self) -> Self {
        match self {
            Self::Candidate => Self::Baseline,
            Self::Baseline => Self::Candidate,
        }
    }

    /// What candidate and baseline return, called one after the other.
    pub(in crate::call) fn call<C, B>(
        self,
        candidate: impl FnOnce() -> C,
        baseline: impl FnOnce() -> B,
    ) -> (C, B) {
        match self {
            Self::Candidate => {
                let candidate = candidate();
                (candidate, baseline())
            }
            Self::Baseline => {
                let baseline = baseline();
                (candidate(), baseline)
            }
        }
    }
}

/// The first calls of both functions, each with a time of its own.
pub(crate) struct TimedFirst<'c> {
    first: First,
    /// The time since some start.
    now: &'c dyn Fn() -> Duration,
    candidate: Cell<Duration>,
    baseline: Cell<Duration>,
}

impl<'c> TimedFirst<'c> {
    pub(crate) fn new(first: First, now: &'c dyn Fn() -> Duration) -> Self {
        Self { first, now, candidate: Cell::default(), baseline: Cell::default() }
    }

    /// How long they took.
    pub(crate) fn calls(&self) -> FirstCalls {
        FirstCalls { candidate: self.candidate.get(), baseline: self.baseline.get() }
    }

    /// [`First::call`].
    pub(super) fn call<C, B>(&self, candidate: impl FnOnce() -> C, baseline: impl FnOnce() -> B) -> (C, B) {
        self.first.call(|| self.timed(&self.candidate, candidate), || self.timed(&self.baseline, baseline))
    }

    /// The first call of the only function, which stands for both.
    pub(super) fn only<T>(&self, call: impl FnOnce() -> T) -> T {
        let result = self.timed(&self.candidate, call);
        self.baseline.set(self.candidate.get());
        result
    }

    fn timed<T>(&self, time: &Cell<Duration>, call: impl FnOnce() -> T) -> T {
        let start = (self.now)();
        let result = call();
        time.set((self.now)().saturating_sub(start));
        result
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn chance_lets_one_function_go_first() {
        let called = |first: First| {
            let order = RefCell::new(String::new());
            let results = first.call(|| order.borrow_mut().push('c'), || order.borrow_mut().push('b'));
            assert_eq!(results, ((), ()));
            order.into_inner()
        };
        assert_eq!((called(First::Candidate), called(First::Baseline)), ("cb".to_owned(), "bc".to_owned()));
        let candidates = (0..1000).filter(|seed| First::by(Seed(*seed)) == First::Candidate).count();
        assert!((400..600).contains(&candidates), "{candidates}");
    }

    #[test]
    fn each_first_call_has_its_own_time() {
        for first in [First::Candidate, First::Baseline] {
            let clock = Cell::new(Duration::from_secs(1));
            let pass = |time| clock.set(clock.get() + Duration::from_nanos(time));
            let now = || clock.get();
            let timed = TimedFirst::new(first, &now);
            timed.call(|| pass(7), || pass(5));
            let [candidate, baseline] = [7, 5].map(Duration::from_nanos);
            assert_eq!(timed.calls(), FirstCalls { candidate, baseline });
            assert_eq!(timed.calls().sum(), Duration::from_nanos(12));
        }
    }
}
