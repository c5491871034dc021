//! An input for every call, made before the slot.

use bench_diff_core::{Functions, Hooks, Pair, Side};

use super::batch::Batch;
use super::passing::Passing;
use super::results::Results;
use super::{Check, Comparison, TimedFirst, code};
use crate::call::value::Duplicate;

/// The most memory for the inputs and outputs of a slot, not counting what hangs on them, in bytes.
pub(super) const MOST_MEMORY: u64 = 64 << 20;

/// Makes another input of one.
type Duplicating<'a, I> = &'a dyn Fn(&I) -> Option<I>;

/// Where inputs come from.
pub(super) struct Source<'a, I> {
    /// Makes one.
    make: &'a dyn Fn() -> I,
    /// Makes another one of it, where there is a way to.
    duplicate: Option<Duplicating<'a, I>>,
}

impl<'a, I> Source<'a, I> {
    /// Inputs that `make` makes, and duplicates of these where `duplicate` is one of `H`, which knows how.
    pub(super) fn new<H: Duplicate<I>>(make: &'a dyn Fn() -> I, duplicate: Duplicating<'a, I>) -> Self {
        Self { make, duplicate: H::CAN_DUPLICATE.then_some(duplicate) }
    }

    /// Makes equal inputs, as far as there is a way to.
    pub(super) fn supply(&self) -> impl Fn() -> I {
        let value = self.duplicate.map(|duplicate| (duplicate, (self.make)()));
        move || value.as_ref().and_then(|(duplicate, value)| duplicate(value)).unwrap_or_else(self.make)
    }

    /// Two inputs, the later one equal to the earlier one as far as there is a way to.
    fn two(&self) -> (I, I) {
        let earlier = (self.make)();
        let later = self.duplicate.and_then(|duplicate| duplicate(&earlier)).unwrap_or_else(self.make);
        (earlier, later)
    }
}

/// Two functions that take their inputs out of a batch.
pub(super) struct Batched<'a, P, I, V> {
    pub(super) source: Source<'a, I>,
    pub(super) functions: P,
    batch: Batch<I>,
    results: Results<V>,
    left_behind: Results<I>,
}

impl<'a, P: Passing<I, V>, I, V> Batched<'a, P, I, V> {
    pub(super) fn new(source: Source<'a, I>, functions: P) -> Self {
        Self {
            source,
            functions,
            batch: Batch::default(),
            results: Results::default(),
            left_behind: Results::default(),
        }
    }
}

impl<P: Passing<I, V>, I, V> Pair for Batched<'_, P, I, V> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { source, functions, batch, results, left_behind } = &*self;
        let (candidate, baseline, empty) = (functions.candidate(), functions.baseline(), functions.empty());
        let next = source.supply();
        let hooks = || MakeInputs { make: &next, batch, results };
        measure(Functions {
            candidate: Side::with_hooks(&mut || results.keep("candidate", candidate(batch)), &mut hooks()),
            baseline: Side::with_hooks(&mut || results.keep("baseline", baseline(batch)), &mut hooks()),
            empty: Side::with_hooks(
                &mut || {
                    if let Some(input) = empty(batch) {
                        left_behind.keep("", Ok(input));
                    }
                    results.keep_nothing();
                },
                &mut LeaveBehind { inputs: hooks(), left_behind },
            ),
        });
    }

    fn has_fresh_inputs(&self) -> bool {
        true
    }

    fn is_one_function(&self) -> bool {
        code::address_1(&self.functions.candidate()) == code::address_1(&self.functions.baseline())
    }
}

impl<P: Passing<I, V>, I, V> Comparison for Batched<'_, P, I, V> {
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String> {
        let (earlier, later) = self.source.two();
        let (of_candidate, of_baseline) = first.share(earlier, later);
        self.functions.check(of_candidate, of_baseline, first)
    }

    fn take_error(&mut self) -> Option<String> {
        self.results.take_error()
    }
}

struct MakeInputs<'a, I, V> {
    make: &'a dyn Fn() -> I,
    batch: &'a Batch<I>,
    results: &'a Results<V>,
}

impl<I, V> Hooks for MakeInputs<'_, I, V> {
    fn make_inputs(&mut self, iterations: u64) {
        self.batch.fill(iterations, self.make);
    }

    fn make_room(&mut self, iterations: u64) {
        self.results.reserve(iterations);
    }

    fn after_slot(&mut self) {
        self.results.clear();
        self.batch.clear();
    }

    fn most_calls(&self) -> u64 {
        MOST_MEMORY / (size_of::<I>() + size_of::<V>()).max(1) as u64
    }

    fn note(&self) -> &'static str {
        if Results::<V>::ARE_KEPT {
            "inputs are made before each slot and outputs dropped after it, untimed"
        } else {
            "inputs are made before each slot, untimed"
        }
    }
}

/// The hooks of empty calls, which leave their inputs behind.
struct LeaveBehind<'a, I, V> {
    inputs: MakeInputs<'a, I, V>,
    left_behind: &'a Results<I>,
}

impl<I, V> Hooks for LeaveBehind<'_, I, V> {
    fn make_inputs(&mut self, iterations: u64) {
        self.inputs.make_inputs(iterations);
    }

    fn make_room(&mut self, iterations: u64) {
        self.inputs.make_room(iterations);
        self.left_behind.reserve(iterations);
    }

    fn after_slot(&mut self) {
        self.inputs.after_slot();
        self.left_behind.clear();
    }

    fn note(&self) -> &'static str {
        self.inputs.note()
    }
}
