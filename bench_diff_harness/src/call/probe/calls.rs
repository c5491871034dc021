//! Functions that get what they need by themselves.

use bench_diff_core::{Functions, Hooks, Pair, Side};

use super::batched::MOST_MEMORY;
use super::results::{OUTPUTS, Results, compare, conclude};
use super::{Check, Comparison, TimedFirst, code};
use crate::call::value::Compared;

/// Two functions, and what is left of a call of them where they do nothing.
pub(super) struct Calls<C, B, E, K, V> {
    candidate: C,
    baseline: B,
    empty: E,
    compare: K,
    results: Results<V>,
}

impl<C, B, E, K, V> Calls<C, B, E, K, V> {
    pub(super) fn new(candidate: C, baseline: B, empty: E, compare: K) -> Self {
        Self { candidate, baseline, empty, compare, results: Results::default() }
    }
}

impl<C, B, E, K, V> Pair for Calls<C, B, E, K, V>
where
    C: Fn() -> Result<V, String>,
    B: Fn() -> Result<V, String>,
    E: Fn(),
{
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { candidate, baseline, empty, results, .. } = self;
        let results = &*results;
        let mut candidate = || results.keep("candidate", candidate());
        let mut baseline = || results.keep("baseline", baseline());
        let mut empty = || {
            empty();
            results.keep_nothing();
        };
        if Results::<V>::ARE_KEPT {
            measure(Functions {
                candidate: Side::with_hooks(&mut candidate, &mut DropOutputs(results)),
                baseline: Side::with_hooks(&mut baseline, &mut DropOutputs(results)),
                empty: Side::with_hooks(&mut empty, &mut DropOutputs(results)),
            });
        } else {
            measure(Functions {
                candidate: Side::plain(&mut candidate),
                baseline: Side::plain(&mut baseline),
                empty: Side::plain(&mut empty),
            });
        }
    }

    fn is_one_function(&self) -> bool {
        code::address_0(&self.candidate) == code::address_0(&self.baseline)
    }
}

impl<C, B, E, K, V> Comparison for Calls<C, B, E, K, V>
where
    C: Fn() -> Result<V, String>,
    B: Fn() -> Result<V, String>,
    E: Fn(),
    K: Fn(&V, &V) -> Compared,
{
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String> {
        let (candidate, baseline) = first.call(&self.candidate, &self.baseline);
        conclude(OUTPUTS, compare(candidate, baseline, &self.compare)?)
    }

    fn take_error(&mut self) -> Option<String> {
        self.results.take_error()
    }
}

struct DropOutputs<'a, V>(&'a Results<V>);

impl<V> Hooks for DropOutputs<'_, V> {
    fn make_room(&mut self, iterations: u64) {
        self.0.reserve(iterations);
    }

    fn after_slot(&mut self) {
        self.0.clear();
    }

    fn most_calls(&self) -> u64 {
        MOST_MEMORY / size_of::<V>().max(1) as u64
    }

    fn note(&self) -> &'static str {
        "outputs are dropped after each slot, untimed"
    }
}
