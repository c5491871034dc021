//! Two functions, called on the measuring thread.

use std::cell::Cell;

use bench_diff_core::{Call, Functions, Hooks, Pair, Side};

use super::passing::{Calls, Passing, timed, timed_empty};
use super::results::{Compare, Results};
use super::source::{Batch, Source, Supply};
use super::{Check, Comparison, FirstCalls, Settings};
use crate::call::value::Compared;

/// The most memory for the inputs and outputs of a slot, not counting memory that they own, in bytes.
const MOST_MEMORY: u64 = 64 << 20;

/// Two functions, an empty call, and the comparison of their outputs.
///
/// The functions take an input `I`, and return a `V` and a `W`. Only the calls in a slot know the functions
/// themselves, so all other code is compiled once for all functions of these types.
pub(super) struct SingleThreaded<'a, I, V, W> {
    /// The source of their inputs, if they take inputs.
    pub(super) source: Option<Source<'a, I>>,
    candidate: &'a mut dyn Call,
    baseline: &'a mut dyn Call,
    empty: &'a mut dyn Call,
    compare: Compare<'a, I, V, W>,
    batch: &'a Batch<I>,
    room: &'a Room<V, W>,
    has_baseline: bool,
    /// The most calls that a slot may contain, on each thread.
    pub(super) most_calls: u64,
}

/// Passes two functions, called in this way, to `work`.
pub(super) fn with_pair<P, I, C, B, V, W>(
    passing: &P,
    (candidate, baseline): &(C, B),
    Settings { futures, has_baseline, .. }: Settings,
    source: Option<Source<'_, I>>,
    compare: Compare<'_, I, V, W>,
    work: impl FnOnce(&mut SingleThreaded<'_, I, V, W>),
) where
    P: Calls<C, I, V> + Calls<B, I, W>,
{
    let (batch, room) = (Batch::default(), Room::<V, W>::default());
    work(&mut SingleThreaded {
        source,
        candidate: &mut timed(passing, candidate, &batch, &room.of_candidate),
        baseline: &mut timed(passing, baseline, &batch, &room.of_baseline),
        empty: &mut timed_empty(passing, futures, &batch, &room.of_baseline),
        compare,
        batch: &batch,
        room: &room,
        has_baseline,
        most_calls: u64::MAX,
    });
}

/// Passes one function to `work`. It takes its inputs from the batch and leaves its outputs in the room. A
/// slot has at most `most_calls` calls, and at least one.
pub(super) fn with_routine<P: Passing<I>, I, V>(
    passing: &P,
    in_room: (&Batch<I>, &Room<V, ()>),
    routine: &mut dyn Call,
    source: Option<Source<'_, I>>,
    most_calls: u64,
    work: impl FnOnce(&mut SingleThreaded<'_, I, V, ()>),
) {
    let empty = &mut timed_empty(passing, false, in_room.0, &in_room.1.of_candidate);
    alone([routine, empty], in_room, source, most_calls.max(1), work);
}

/// Passes one function without a baseline to `work`, and the empty function for it.
pub(super) fn alone<I, V>(
    [candidate, empty]: [&mut dyn Call; 2],
    (batch, room): (&Batch<I>, &Room<V, ()>),
    source: Option<Source<'_, I>>,
    most_calls: u64,
    work: impl FnOnce(&mut SingleThreaded<'_, I, V, ()>),
) {
    work(&mut SingleThreaded {
        source,
        candidate,
        baseline: &mut || (),
        empty,
        compare: Compare { outputs: &|_, _| Compared::Off, inputs: None },
        batch,
        room,
        has_baseline: false,
        most_calls,
    });
}

/// Room for the outputs of a slot, beside its inputs.
pub(super) struct Room<V, W> {
    pub(super) of_candidate: Results<V>,
    pub(super) of_baseline: Results<W>,
}

impl<V, W> Default for Room<V, W> {
    fn default() -> Self {
        Self { of_candidate: Results::default(), of_baseline: Results::default() }
    }
}

impl<V, W> Room<V, W> {
    const OUTPUTS_ARE_KEPT: bool = Results::<V>::ARE_KEPT || Results::<W>::ARE_KEPT;

    /// The most calls of a slot with inputs `I` that the memory allows.
    pub(super) const fn most_calls<I>() -> u64 {
        let size = size_of::<I>() + size_of::<V>() + size_of::<W>();
        if size == 0 { MOST_MEMORY } else { MOST_MEMORY / size as u64 }
    }

    pub(super) fn reserve(&self, iterations: u64) {
        self.of_candidate.reserve(iterations);
        self.of_baseline.reserve(iterations);
    }

    pub(super) fn clear(&self) {
        self.of_candidate.clear();
        self.of_baseline.clear();
    }

    /// The first error that a function returned, if any did.
    pub(super) fn take_error(&self) -> Option<String> {
        let of_candidate = self.of_candidate.take_error("candidate");
        let of_baseline = self.of_baseline.take_error("baseline");
        of_candidate.or(of_baseline)
    }
}

impl<I, V, W> SingleThreaded<'_, I, V, W> {
    /// Calls a single function once.
    fn call_once(&mut self, first: &FirstCalls<'_>) -> Result<Check, String> {
        let Self { source, candidate, batch, room, .. } = self;
        if let Some(source) = source {
            batch.put(source.one());
        }
        let output = first.only(|| room.of_candidate.of_call("function", *candidate));
        // Before the input, which it may refer to.
        let check = output.map(|_| Check::None);
        drop(batch.take_left());
        check
    }
}

impl<I, V, W> Pair for SingleThreaded<'_, I, V, W> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { source, candidate, baseline, empty, batch, room, has_baseline, most_calls, .. } = self;
        let exists = |_: &Side<'_>| *has_baseline;
        if source.is_none() && !Room::<V, W>::OUTPUTS_ARE_KEPT {
            measure(Functions {
                candidate: Side::plain(*candidate),
                baseline: Some(Side::plain(*baseline)).filter(exists),
                empty: Side::plain(*empty),
            });
            return;
        }
        let inputs = source.as_ref().map(Source::supply);
        let hooks = |uses_inputs| {
            let inputs = inputs.as_ref();
            Around { inputs, batch, room, most_calls: *most_calls, uses_inputs }
        };
        measure(Functions {
            candidate: Side::with_hooks(*candidate, &mut hooks(true)),
            baseline: Some(Side::with_hooks(*baseline, &mut hooks(true))).filter(exists),
            empty: Side::with_hooks(*empty, &mut hooks(false)),
        });
    }

    fn has_fresh_inputs(&self) -> bool {
        self.source.is_some()
    }

    fn times_itself(&self) -> bool {
        self.candidate.times_itself()
    }

    fn has_baseline(&self) -> bool {
        self.has_baseline
    }

    fn entries(&self) -> Option<[usize; 2]> {
        let candidate = self.candidate.entry();
        Some([candidate, if self.has_baseline { self.baseline.entry() } else { candidate }])
    }
}

impl<I, V, W> Comparison for SingleThreaded<'_, I, V, W> {
    fn check(&mut self, first: &FirstCalls<'_>) -> Result<Check, String> {
        if !self.has_baseline {
            return self.call_once(first);
        }
        let Self { source, candidate, baseline, compare, batch, room, .. } = self;
        let (earlier, later) = source.as_ref().map(Source::two).unzip();
        let put = |input: Option<I>| input.into_iter().for_each(|input| batch.put(input));
        put(earlier);
        let later = Cell::new(later);
        let input_left = || {
            let left = batch.take_left();
            put(later.take());
            left
        };
        // The check calls the timed code, since that must have no second caller.
        let (candidate, baseline) = first.call(
            || (room.of_candidate.of_call("candidate", *candidate), input_left()),
            || (room.of_baseline.of_call("baseline", *baseline), input_left()),
        );
        compare.compare((&candidate.0?, candidate.1), (&baseline.0?, baseline.1))
    }

    fn take_error(&mut self) -> Option<String> {
        self.room.take_error()
    }
}

/// The work around a slot, the same for both functions.
struct Around<'a, I, V, W> {
    /// The inputs, if the functions take any.
    inputs: Option<&'a Supply<'a, I>>,
    batch: &'a Batch<I>,
    room: &'a Room<V, W>,
    most_calls: u64,
    /// False for the empty function.
    uses_inputs: bool,
}

impl<I, V, W> Around<'_, I, V, W> {
    fn end(&self, are_used: bool) {
        self.room.clear();
        let keeps = !are_used && self.inputs.is_some_and(Supply::is_one_by_one);
        if keeps { self.batch.rewind() } else { self.batch.clear() }
    }
}

impl<I, V, W> Hooks for Around<'_, I, V, W> {
    fn make_inputs(&mut self, iterations: u64) {
        if let Some(inputs) = self.inputs {
            self.batch.fill(iterations, inputs);
        }
    }

    fn make_room(&mut self, iterations: u64) {
        self.room.reserve(iterations);
    }

    fn after_slot(&mut self) {
        self.end(self.uses_inputs);
    }

    fn after_making(&mut self) {
        self.end(false);
    }

    fn most_calls(&self) -> u64 {
        Room::<V, W>::most_calls::<I>().min(self.most_calls)
    }

    fn note(&self) -> &'static str {
        match (self.inputs.is_some(), Room::<V, W>::OUTPUTS_ARE_KEPT) {
            (false, _) => "outputs are dropped after each slot, untimed",
            (true, false) => "inputs are made before each slot, untimed",
            (true, true) => "inputs are made before each slot and outputs dropped after it, untimed",
        }
    }
}
