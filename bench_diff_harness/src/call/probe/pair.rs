//! Two functions, called on the thread that measures.

use bench_diff_core::{Call, Functions, Hooks, Pair, Side};

use super::batch::Batch;
use super::passing::{Calls, timed, timed_empty};
use super::results::{Left, Results};
use super::source::Source;
use super::{Check, Comparison, TimedFirst};

/// The most memory for the inputs and outputs of a slot, not counting what hangs on them, in bytes.
const MOST_MEMORY: u64 = 64 << 20;

/// Two functions, what is left of a call of them where they do nothing, and what compares what they did.
///
/// `P` is how they are passed an input `I`; they return a `V` and a `W`.
pub(super) struct Alone<'a, P, I, C, B, E, K, V, W> {
    pub(super) passing: P,
    pub(super) source: Source<'a, I>,
    pub(super) candidate: C,
    pub(super) baseline: B,
    pub(super) empty: E,
    compare: K,
    batch: Batch<I>,
    room: Room<I, V, W>,
}

/// Room for what the calls of a slot leave behind.
pub(super) struct Room<I, V, W> {
    pub(super) of_candidate: Results<V>,
    pub(super) of_baseline: Results<W>,
    /// The inputs that empty calls leave behind.
    pub(super) left_behind: Results<I>,
}

impl<I, V, W> Default for Room<I, V, W> {
    fn default() -> Self {
        Self {
            of_candidate: Results::default(),
            of_baseline: Results::default(),
            left_behind: Results::default(),
        }
    }
}

impl<I, V, W> Room<I, V, W> {
    const OUTPUTS_ARE_KEPT: bool = Results::<V>::ARE_KEPT || Results::<W>::ARE_KEPT;

    /// The most calls of a slot for which there is memory.
    pub(super) const fn most_calls() -> u64 {
        let size = size_of::<I>() + size_of::<V>() + size_of::<W>();
        if size == 0 { MOST_MEMORY } else { MOST_MEMORY / size as u64 }
    }

    pub(super) fn reserve(&self, iterations: u64) {
        self.of_candidate.reserve(iterations);
        self.of_baseline.reserve(iterations);
        self.left_behind.reserve(iterations);
    }

    pub(super) fn clear(&self) {
        self.of_candidate.clear();
        self.of_baseline.clear();
        self.left_behind.clear();
    }

    /// The first error that a function returned, if any did.
    pub(super) fn take_error(&self) -> Option<String> {
        let of_candidate = self.of_candidate.take_error("candidate");
        let of_baseline = self.of_baseline.take_error("baseline");
        of_candidate.or(of_baseline)
    }
}

impl<'a, P, I, C, B, E, K, V, W> Alone<'a, P, I, C, B, E, K, V, W>
where
    P: Calls<C, I, V> + Calls<B, I, W>,
    E: Fn(),
    K: Fn(&Left<V, I>, &Left<W, I>) -> Result<Check, String>,
{
    pub(super) fn new(
        passing: P,
        source: Source<'a, I>,
        (candidate, baseline): (C, B),
        empty: E,
        compare: K,
    ) -> Self {
        Self {
            passing,
            source,
            candidate,
            baseline,
            empty,
            compare,
            batch: Batch::default(),
            room: Room::default(),
        }
    }
}

impl<P, I, C, B, E, K, V, W> Pair for Alone<'_, P, I, C, B, E, K, V, W>
where
    P: Calls<C, I, V> + Calls<B, I, W>,
    E: Fn(),
{
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let Self { passing, source, candidate, baseline, empty, batch, room, .. } = &*self;
        let mut candidate = timed(*passing, candidate, batch, &room.of_candidate);
        let mut baseline = timed(*passing, baseline, batch, &room.of_baseline);
        let mut empty = timed_empty(*passing, empty, batch, &room.left_behind, &room.of_baseline);
        if !P::HAS_INPUT && !Room::<I, V, W>::OUTPUTS_ARE_KEPT {
            measure(Functions {
                candidate: Side::plain(&mut candidate),
                baseline: Side::plain(&mut baseline),
                empty: Side::plain(&mut empty),
            });
            return;
        }
        let next = source.supply();
        let make: Option<&dyn Fn() -> I> = P::HAS_INPUT.then_some(&next);
        let hooks = || Around { make, batch, room };
        measure(Functions {
            candidate: Side::with_hooks(&mut candidate, &mut hooks()),
            baseline: Side::with_hooks(&mut baseline, &mut hooks()),
            empty: Side::with_hooks(&mut empty, &mut hooks()),
        });
    }

    fn has_fresh_inputs(&self) -> bool {
        P::HAS_INPUT
    }

    fn entries(&self) -> Option<[usize; 2]> {
        let Self { passing, candidate, baseline, batch, room, .. } = self;
        let candidate = timed(*passing, candidate, batch, &room.of_candidate);
        let baseline = timed(*passing, baseline, batch, &room.of_baseline);
        Some([candidate.entry(), baseline.entry()])
    }
}

impl<P, I, C, B, E, K, V, W> Comparison for Alone<'_, P, I, C, B, E, K, V, W>
where
    P: Calls<C, I, V> + Calls<B, I, W>,
    E: Fn(),
    K: Fn(&Left<V, I>, &Left<W, I>) -> Result<Check, String>,
{
    fn check(&mut self, first: &TimedFirst<'_>) -> Result<Check, String> {
        let (earlier, later) = self.source.two();
        let Self { passing, candidate, baseline, room: Room { of_candidate, of_baseline, .. }, .. } = &*self;
        let (for_candidate, for_baseline) = first.share(Batch::of(earlier), Batch::of(later));
        let mut candidate = timed(*passing, candidate, &for_candidate, of_candidate);
        let mut baseline = timed(*passing, baseline, &for_baseline, of_baseline);
        // By the code that is timed: there is no other.
        let (candidate, baseline) = first.call(
            || of_candidate.of_call("candidate", || Call::call(&mut candidate)),
            || of_baseline.of_call("baseline", || Call::call(&mut baseline)),
        );
        (self.compare)(
            &Left { output: candidate?, input: for_candidate.pop() },
            &Left { output: baseline?, input: for_baseline.pop() },
        )
    }

    fn take_error(&mut self) -> Option<String> {
        self.room.take_error()
    }
}

/// What is done around a slot, the same for both functions.
struct Around<'a, I, V, W> {
    /// Makes inputs, where there are some.
    make: Option<&'a dyn Fn() -> I>,
    batch: &'a Batch<I>,
    room: &'a Room<I, V, W>,
}

impl<I, V, W> Hooks for Around<'_, I, V, W> {
    fn make_inputs(&mut self, iterations: u64) {
        if let Some(make) = self.make {
            self.batch.fill(iterations, make);
        }
    }

    fn make_room(&mut self, iterations: u64) {
        self.room.reserve(iterations);
    }

    fn after_slot(&mut self) {
        self.room.clear();
        self.batch.clear();
    }

    fn most_calls(&self) -> u64 {
        Room::<I, V, W>::most_calls()
    }

    fn note(&self) -> &'static str {
        match (self.make.is_some(), Room::<I, V, W>::OUTPUTS_ARE_KEPT) {
            (false, _) => "outputs are dropped after each slot, untimed",
            (true, false) => "inputs are made before each slot, untimed",
            (true, true) => "inputs are made before each slot and outputs dropped after it, untimed",
        }
    }
}
