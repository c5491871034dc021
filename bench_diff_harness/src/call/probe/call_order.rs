//! The first calls of functions in a process: which function goes first, and how long the calls take.

use std::cell::Cell;
use std::time::Duration;

use bench_diff_core::Order;

/// The outputs of candidate and baseline, called one after the other. The first one finds the memory, caches
/// and predictors of a fresh process; the other one finds the state that the first leaves.
pub(in crate::call) fn call_in<C, B>(
    order: Order,
    candidate: impl FnOnce() -> C,
    baseline: impl FnOnce() -> B,
) -> (C, B) {
    if order.is_candidate_first() {
        let candidate = candidate();
        (candidate, baseline())
    } else {
        let baseline = baseline();
        (candidate(), baseline)
    }
}

/// The first calls of both functions, and the time that they take.
pub(crate) struct FirstCalls<'c> {
    order: Order,
    /// Returns the time since some start.
    now: &'c dyn Fn() -> Duration,
    spent: Cell<Duration>,
}

impl<'c> FirstCalls<'c> {
    pub(crate) fn new(order: Order, now: &'c dyn Fn() -> Duration) -> Self {
        Self { order, now, spent: Cell::default() }
    }

    /// The time of both calls together; a single function counts twice.
    pub(crate) fn time(&self) -> Duration {
        self.spent.get()
    }

    /// Calls both functions in this order.
    pub(super) fn call<C, B>(&self, candidate: impl FnOnce() -> C, baseline: impl FnOnce() -> B) -> (C, B) {
        call_in(self.order, || self.timed(1, candidate), || self.timed(1, baseline))
    }

    /// The first call of a single function.
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

    use bench_diff_core::Seed;

    use super::*;

    #[test]
    fn chance_lets_one_function_go_first() {
        let called = |order| {
            let called = RefCell::new(String::new());
            let results = call_in(order, || called.borrow_mut().push('c'), || called.borrow_mut().push('b'));
            assert_eq!(results, ((), ()));
            called.into_inner()
        };
        assert_eq!(
            (called(Order::CandidateFirst), called(Order::BaselineFirst)),
            ("cb".to_owned(), "bc".to_owned())
        );
        let candidates = (0..1000).filter(|seed| Seed(*seed).first_calls() == Order::CandidateFirst).count();
        assert!((400..600).contains(&candidates), "{candidates}");
    }

    #[test]
    fn first_calls_are_timed() {
        let clock = Cell::new(Duration::from_secs(1));
        let pass = |time| clock.set(clock.get() + Duration::from_nanos(time));
        let now = || clock.get();
        let both = FirstCalls::new(Order::BaselineFirst, &now);
        both.call(|| pass(7), || pass(5));
        assert_eq!(both.time(), Duration::from_nanos(12));
        let alone = FirstCalls::new(Order::CandidateFirst, &now);
        alone.only(|| pass(7));
        assert_eq!(alone.time(), Duration::from_nanos(14));
    }
}
