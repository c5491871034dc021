//! An input for every call, made before the slot.

use std::hint::black_box;

use bench_diff_core::{Functions, Hooks, Pair, Side};

use super::batch::Batch;
use super::results::{INPUTS, OUTPUTS, Results, compare, compare_outputs, conclude};
use super::{Check, Comparison, First, code, empty_call};
use crate::call::value::{Compared, Duplicate};

/// The most memory for the inputs and outputs of a slot, not counting what hangs on them, in bytes.
pub(super) const MOST_MEMORY: u64 = 64 << 20;

/// Where inputs come from.
pub(super) struct Source<M, H> {
    /// Makes one.
    pub(super) make: M,
    /// Makes another one of it.
    pub(super) how: H,
    /// Whether the functions that take them return futures.
    pub(super) futures: bool,
}

impl<M, H> Source<M, H> {
    /// Makes equal inputs, as far as there is a way to.
    pub(super) fn supply<I>(&self) -> impl Fn() -> I
    where
        M: Fn() -> I,
        H: Duplicate<I>,
    {
        let value = H::CAN_DUPLICATE.then(&self.make);
        move || value.as_ref().and_then(|value| self.how.duplicate(value)).unwrap_or_else(&self.make)
    }
}

/// Two functions that take their inputs out of a batch.
pub(super) struct Batched<M, H, C, B, E, K, I, V> {
    pub(super) source: Source<M, H>,
    pub(super) candidate: C,
    pub(super) baseline: B,
    /// What is left of a call where the function does nothing, and the input that it leaves behind.
    pub(super) empty: E,
    /// Calls both with inputs of their own, and compares.
    check: K,
    batch: Batch<I>,
    results: Results<V>,
    left_behind: Results<I>,
}

/// Functions that get what they need by themselves.
#[expect(clippy::type_complexity, reason = "the types of the functions tell whether they are `Sync`")]
pub(super) fn without_inputs<M: Fn(), H: Duplicate<()>, V>(
    source: Source<M, H>,
    candidate: impl Fn() -> Result<V, String> + Copy,
    baseline: impl Fn() -> Result<V, String> + Copy,
    empty: impl Fn(),
    compare_outputs: impl Fn(&V, &V) -> Compared,
) -> Batched<
    M,
    H,
    impl Fn(&Batch<()>) -> Result<V, String>,
    impl Fn(&Batch<()>) -> Result<V, String>,
    impl Fn(&Batch<()>) -> Option<()>,
    impl Fn((), (), First) -> Result<Check, String>,
    (),
    V,
> {
    Batched {
        source,
        candidate: move |_: &Batch<()>| candidate(),
        baseline: move |_: &Batch<()>| baseline(),
        empty: move |_: &Batch<()>| {
            empty();
            None
        },
        check: move |(), (), first: First| {
            let (candidate, baseline) = first.call(candidate, baseline);
            conclude(OUTPUTS, compare(candidate, baseline, &compare_outputs)?)
        },
        batch: Batch::default(),
        results: Results::default(),
        left_behind: Results::default(),
    }
}

/// Functions that take an input for good.
#[expect(clippy::type_complexity, reason = "the types of the functions tell whether they are `Sync`")]
pub(super) fn by_value<M: Fn() -> I, H: Duplicate<I>, I, V>(
    source: Source<M, H>,
    candidate: impl Fn(I) -> Result<V, String> + Copy,
    baseline: impl Fn(I) -> Result<V, String> + Copy,
    compare_outputs: impl Fn(&V, &V) -> Compared,
) -> Batched<
    M,
    H,
    impl Fn(&Batch<I>) -> Result<V, String>,
    impl Fn(&Batch<I>) -> Result<V, String>,
    impl Fn(&Batch<I>) -> Option<I>,
    impl Fn(I, I, First) -> Result<Check, String>,
    I,
    V,
> {
    let futures = source.futures;
    Batched {
        source,
        candidate: move |batch: &Batch<I>| candidate(batch.take()),
        baseline: move |batch: &Batch<I>| baseline(batch.take()),
        empty: move |batch: &Batch<I>| {
            empty_call(futures);
            Some(black_box(batch.take()))
        },
        check: move |of_candidate, of_baseline, first: First| {
            let (candidate, baseline) = first.call(|| candidate(of_candidate), || baseline(of_baseline));
            conclude(OUTPUTS, compare(candidate, baseline, &compare_outputs)?)
        },
        batch: Batch::default(),
        results: Results::default(),
        left_behind: Results::default(),
    }
}

/// Functions that change an input.
#[expect(clippy::type_complexity, reason = "the types of the functions tell whether they are `Sync`")]
pub(super) fn by_mut<M: Fn() -> I, H: Duplicate<I>, I, V>(
    source: Source<M, H>,
    candidate: impl Fn(&mut I) -> Result<V, String> + Copy,
    baseline: impl Fn(&mut I) -> Result<V, String> + Copy,
    outputs: impl Fn(&V, &V) -> Compared,
    inputs: impl Fn(&I, &I) -> Compared,
) -> Batched<
    M,
    H,
    impl Fn(&Batch<I>) -> Result<V, String>,
    impl Fn(&Batch<I>) -> Result<V, String>,
    impl Fn(&Batch<I>) -> Option<I>,
    impl Fn(I, I, First) -> Result<Check, String>,
    I,
    V,
> {
    let futures = source.futures;
    Batched {
        source,
        candidate: move |batch: &Batch<I>| batch.with_next(candidate),
        baseline: move |batch: &Batch<I>| batch.with_next(baseline),
        empty: move |batch: &Batch<I>| {
            empty_call(futures);
            batch.with_next(|input| _ = black_box(input));
            None
        },
        check: move |mut of_candidate, mut of_baseline, first: First| {
            let (candidate, baseline) =
                first.call(|| candidate(&mut of_candidate), || baseline(&mut of_baseline));
            let outputs = conclude(OUTPUTS, compare_outputs(candidate, baseline, &outputs)?)?;
            let inputs = conclude(INPUTS, inputs(&of_candidate, &of_baseline))?;
            // Outputs that are nothing are equal here: what such functions do is in the inputs.
            Ok(match (outputs, inputs) {
                (Check::Off, other) | (other, Check::Off) => other,
                (Check::Equal, Check::Equal) => Check::Equal,
                (Check::None, _) | (_, Check::None) => Check::None,
            })
        },
        batch: Batch::default(),
        results: Results::default(),
        left_behind: Results::default(),
    }
}

impl<M, H, C, B, E, K, I, V> Pair for Batched<M, H, C, B, E, K, I, V>
where
    M: Fn() -> I,
    H: Duplicate<I>,
    C: Fn(&Batch<I>) -> Result<V, String>,
    B: Fn(&Batch<I>) -> Result<V, String>,
    E: Fn(&Batch<I>) -> Option<I>,
{
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { source, candidate, baseline, empty, batch, results, left_behind, .. } = self;
        let (batch, results, left_behind) = (&*batch, &*results, &*left_behind);
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
        code::address_1(&self.candidate) == code::address_1(&self.baseline)
    }
}

impl<M, H, C, B, E, K, I, V> Comparison for Batched<M, H, C, B, E, K, I, V>
where
    Self: Pair,
    M: Fn() -> I,
    H: Duplicate<I>,
    C: Fn(&Batch<I>) -> Result<V, String>,
    B: Fn(&Batch<I>) -> Result<V, String>,
    K: Fn(I, I, First) -> Result<Check, String>,
{
    fn check(&mut self, first: First) -> Result<Check, String> {
        let Source { make, how, .. } = &self.source;
        let earlier = make();
        let later = how.duplicate(&earlier).unwrap_or_else(make);
        let (of_candidate, of_baseline) = first.share(earlier, later);
        (self.check)(of_candidate, of_baseline, first)
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
