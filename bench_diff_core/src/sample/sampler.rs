//! The duo sampler: measures two functions in interleaved slots.

use super::functions::{Functions, Pair};
use super::slot::Side;
use super::stack;
use super::stand_in::StandIn;
use crate::clock::Clock;
use crate::coin::Chance;
use crate::duo::{Duo, Order};

/// Duos between two looks at the data. Within a block nothing is judged, printed, written or allocated.
pub const BLOCK: usize = 8;

/// The slots of a sampler, in the order of measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// The duos of the pair.
    pub duos: Vec<Duo>,
    /// The empty slots, in nanoseconds.
    pub empty: Vec<u64>,
}

/// Measures duos of the functions of a pair, each slot of the same number of calls.
pub struct Sampler<'c, 'p, C> {
    pub(super) clock: &'c C,
    pub(super) pair: &'p mut dyn Pair,
    pub(super) iterations: u64,
    /// Set if slots would be longer with room and time for more inputs.
    pub(crate) limited_by_inputs: bool,
    /// Set if each block ends with an empty slot.
    has_empty_slots: bool,
    /// The stand-in for both functions in a self-test.
    stand_in: Option<StandIn>,
}

/// The slots of the first half of a duo, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfDuo {
    /// The slot of the candidate.
    pub candidate: u64,
    /// The slot of the baseline.
    pub baseline: u64,
}

impl<'c, 'p, C: Clock> Sampler<'c, 'p, C> {
    /// A sampler whose slots are one call long and whose blocks have no empty slots.
    #[must_use]
    pub fn new(clock: &'c C, pair: &'p mut dyn Pair) -> Self {
        Self { clock, pair, iterations: 1, limited_by_inputs: false, has_empty_slots: false, stand_in: None }
    }

    /// Keeps the functions and the number of calls in a slot, and takes another clock.
    pub(crate) fn on<D: Clock>(self, clock: &'c D) -> Sampler<'c, 'p, D> {
        let Self { pair, iterations, limited_by_inputs, has_empty_slots, stand_in, .. } = self;
        Sampler { clock, pair, iterations, limited_by_inputs, has_empty_slots, stand_in }
    }

    /// Puts a stand-in in the places of both functions, if there is one.
    pub(crate) fn with_stand_in(self, stand_in: Option<StandIn>) -> Self {
        Self { stand_in, ..self }
    }

    /// Says what has the places of both functions from now on.
    pub(crate) fn set_stand_in(&mut self, stand_in: StandIn) {
        self.stand_in = Some(stand_in);
    }

    /// Says whether blocks end with an empty slot from now on: a slot of as many calls of nothing.
    pub fn set_empty_slots(&mut self, has_empty_slots: bool) {
        self.has_empty_slots = has_empty_slots;
    }

    /// Sets the number of calls in a slot.
    #[must_use]
    pub fn with_iterations(self, iterations: u64) -> Self {
        Self { iterations, ..self }
    }

    pub(crate) fn clock(&self) -> &'c C {
        self.clock
    }

    /// The calls in every slot, of both functions alike.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Measures up to [`BLOCK`] duos, and an empty slot where there is one, and adds them to `samples`.
    pub fn block(&mut self, chance: &mut Chance, length: usize, samples: &mut Samples) {
        let length = length.min(BLOCK);
        let Samples { duos, empty: empty_slots } = samples;
        duos.reserve(length);
        empty_slots.reserve(1);

        let (clock, iterations) = (self.clock, self.iterations);
        let mut left = length;
        let (has_empty_slots, stand_in) = (self.has_empty_slots, self.stand_in);
        stack::with_offset(chance.stack.draw(), &mut || {
            self.with_functions(length, &mut |functions| {
                let stand_in = stand_in.map(|stand_in| stand_in.of_duo(chance.extra_work.draw()));
                duos.push(duo(chance.order.flip(), |is_candidate| {
                    let side = functions.side(is_candidate && stand_in.is_none());
                    match stand_in {
                        None => side.slot(clock, iterations),
                        Some(stand_in) => stand_in.slot(side, clock, iterations, is_candidate),
                    }
                }));
                left -= 1;
                // It has the inputs that are there, since others would have to be made for it.
                if has_empty_slots && left == 0 {
                    empty_slots.push(functions.empty.slot(clock, iterations));
                }
            });
        });
    }

    /// Measures an empty slot by itself.
    pub fn empty_slot(&mut self) -> u64 {
        let (clock, iterations, mut time) = (self.clock, self.iterations, 0);
        self.with_functions(1, &mut |functions| time = functions.empty.slot(clock, iterations));
        time
    }

    /// Measures the first half of a duo, a slot of the candidate and one of the baseline: what an odd number
    /// of slots leaves over, and the first call of functions that may be long.
    pub fn half_duo(&mut self, chance: &mut Chance) -> HalfDuo {
        let (clock, iterations) = (self.clock, self.iterations);
        let (order, [first, second]) = self.first_slots(chance, |side| side.slot(clock, iterations));
        match order {
            Order::CandidateFirst => HalfDuo { candidate: first, baseline: second },
            Order::BaselineFirst => HalfDuo { candidate: second, baseline: first },
        }
    }

    /// Measures the first slots of a duo, up to all four, each with `slot`.
    pub(super) fn first_slots<const N: usize, T: Copy + Default>(
        &mut self,
        chance: &mut Chance,
        slot: impl Fn(&mut Side<'_>) -> T,
    ) -> (Order, [T; N]) {
        let (order, stands_in) = (chance.order.flip(), self.stand_in.is_some());
        let mut times = [T::default(); N];
        stack::with_offset(chance.stack.draw(), &mut || {
            self.with_functions(1, &mut |functions| {
                times = slots(order, |is_candidate| slot(functions.side(is_candidate && !stands_in)));
            });
        });
        (order, times)
    }

    /// Has the functions used this many times, each time with a fresh input where they have one.
    pub(super) fn with_functions(&mut self, times: usize, measure: &mut dyn FnMut(&mut Functions<'_>)) {
        if self.pair.has_fresh_inputs() {
            (0..times).for_each(|_| self.pair.with_functions(&mut |mut functions| measure(&mut functions)));
        } else {
            self.pair.with_functions(&mut |mut functions| (0..times).for_each(|_| measure(&mut functions)));
        }
    }
}

/// Measures a duo, each slot with `slot`, which is told whether it is the candidate's.
fn duo(order: Order, slot: impl FnMut(bool) -> u64) -> Duo {
    Duo::measured(order, slots(order, slot))
}

/// Measures the first slots of a duo, up to all four.
fn slots<const N: usize, T: Copy + Default>(order: Order, mut slot: impl FnMut(bool) -> T) -> [T; N] {
    let candidate_first = order == Order::CandidateFirst;
    let mut times = [T::default(); N];
    for (position, time) in times.iter_mut().enumerate() {
        let outer = position == 0 || position == 3;
        *time = slot(outer == candidate_first);
    }
    times
}
