//! The first calls of a process: which function goes first, and how long each takes.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::Seed;

/// The order of the two functions, by chance: the first one finds the memory, the caches and the predictors
/// of a fresh process as they are, and the other one finds what it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOrder {
    CandidateFirst,
    BaselineFirst,
}

impl CallOrder {
    pub(crate) fn from_seed(seed: Seed) -> Self {
        if seed.candidate_is_first() { Self::CandidateFirst } else { Self::BaselineFirst }
    }

    /// The other order.
    pub(in crate::call) fn reversed(self) -> Self {
        match self {
            Self::CandidateFirst => Self::BaselineFirst,
            Self::BaselineFirst => Self::CandidateFirst,
        }
    }

    /// The outputs of candidate and baseline, called one after the other.
    pub(in crate::call) fn call<C, B>(
        self,
        candidate: impl FnOnce() -> C,
        baseline: impl FnOnce() -> B,
    ) -> (C, B) {
        match self {
            Self::CandidateFirst => {
                let candidate = candidate();
                (candidate, baseline())
            }
            Self::BaselineFirst => {
                let baseline = baseline();
                (candidate(), baseline)
            }
        }
    }
}

/// The first calls of both functions, and the time that they take.
pub(crate) struct FirstCalls<'c> {
    order: CallOrder,
    /// The time since some start.
    now: &'c dyn Fn() -> Duration,
    spent: Cell<Duration>,
}

impl<'c> FirstCalls<'c> {
    pub(crate) fn new(order: CallOrder, now: &'c dyn Fn() -> Duration) -> Self {
        Self { order, now, spent: Cell::default() }
    }

    /// The time of both together; the only function stands for both.
    pub(crate) fn time(&self) -> Duration {
        self.spent.get()
    }

    /// [`CallOrder::call`].
    pub(super) fn call<C, B>(&self, candidate: impl FnOnce() -> C, baseline: impl FnOnce() -> B) -> (C, B) {
        self.order.call(|| self.timed(1, candidate), || self.timed(1, baseline))
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
        let called = |order: CallOrder| {
            let called = RefCell::new(String::new());
            let results = order.call(|| called.borrow_mut().push('c'), || called.borrow_mut().push('b'));
            assert_eq!(results, ((), ()));
            called.into_inner()
        };
        assert_eq!(
            (called(CallOrder::CandidateFirst), called(CallOrder::BaselineFirst)),
            ("cb".to_owned(), "bc".to_owned())
        );
        let candidates =
            (0..1000).filter(|seed| CallOrder::from_seed(Seed(*seed)) == CallOrder::CandidateFirst).count();
        assert!((400..600).contains(&candidates), "{candidates}");
    }

    #[test]
    fn first_calls_are_timed() {
        let clock = Cell::new(Duration::from_secs(1));
        let pass = |time| clock.set(clock.get() + Duration::from_nanos(time));
        let now = || clock.get();
        let both = FirstCalls::new(CallOrder::BaselineFirst, &now);
        both.call(|| pass(7), || pass(5));
        assert_eq!(both.time(), Duration::from_nanos(12));
        let alone = FirstCalls::new(CallOrder::CandidateFirst, &now);
        alone.only(|| pass(7));
        assert_eq!(alone.time(), Duration::from_nanos(14));
    }
}
