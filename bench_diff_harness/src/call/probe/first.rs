//! The first calls of a process: which function goes first, and how long each takes.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::Seed;

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

    /// The outputs of candidate and baseline, called one after the other.
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

/// The first calls of both functions, and the time that they take.
pub(crate) struct TimedFirst<'c> {
    first: First,
    /// The time since some start.
    now: &'c dyn Fn() -> Duration,
    spent: Cell<Duration>,
}

impl<'c> TimedFirst<'c> {
    pub(crate) fn new(first: First, now: &'c dyn Fn() -> Duration) -> Self {
        Self { first, now, spent: Cell::default() }
    }

    /// The time of both together; the only function stands for both.
    pub(crate) fn calls(&self) -> Duration {
        self.spent.get()
    }

    /// [`First::call`].
    pub(super) fn call<C, B>(&self, candidate: impl FnOnce() -> C, baseline: impl FnOnce() -> B) -> (C, B) {
        self.first.call(|| self.timed(1, candidate), || self.timed(1, baseline))
    }

    /// The first call of the only function.
    pub(super) fn only<T>(&self, call: impl FnOnce() -> T) -> T {
        self.timed(2, call)
    }

    fn timed<T>(&self, counts: u32, call: impl FnOnce() -> T) -> T {
        let start = (self.now)();
        let result = call();
        self.spent.set(self.spent.get() + counts * (self.now)().saturating_sub(start));
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
    fn first_calls_are_timed() {
        let clock = Cell::new(Duration::from_secs(1));
        let pass = |time| clock.set(clock.get() + Duration::from_nanos(time));
        let now = || clock.get();
        let both = TimedFirst::new(First::Baseline, &now);
        both.call(|| pass(7), || pass(5));
        assert_eq!(both.calls(), Duration::from_nanos(12));
        let alone = TimedFirst::new(First::Candidate, &now);
        alone.only(|| pass(7));
        assert_eq!(alone.calls(), Duration::from_nanos(14));
    }
}
