//! The duo sampler: measures two functions in interleaved slots.

use super::functions::{Functions, Pair};
use super::slot::Side;
use super::stack;
use crate::clock::SlotClock;
use crate::coin::Chance;
use crate::duo::{Duo, Order};

/// The duos between two looks at the data. Nothing is judged, printed, written or allocated within a block.
pub const BLOCK: usize = 8;

/// The slots of a sampler, in the order of measurement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// The duos of the pair.
    pub duos: Vec<Duo>,
    /// The empty slots, in nanoseconds.
    pub empty: Vec<u64>,
}

/// Measures duos of a pair. All slots have the same number of calls.
pub struct Sampler<'c, 'p> {
    pub(crate) clock: &'c dyn SlotClock,
    pub(super) pair: &'p mut dyn Pair,
    pub(crate) iterations: u64,
    /// Set if slots would be longer if there were room and time for more inputs.
    pub(crate) limited_by_inputs: bool,
    /// Set if each block ends with an empty slot.
    has_empty_slots: bool,
}

impl<'c, 'p> Sampler<'c, 'p> {
    /// A sampler whose slots have one call and whose blocks have no empty slots.
    #[must_use]
    pub fn new(clock: &'c dyn SlotClock, pair: &'p mut dyn Pair) -> Self {
        Self { clock, pair, iterations: 1, limited_by_inputs: false, has_empty_slots: false }
    }

    /// Sets whether blocks end with an empty slot from now on: a slot with as many calls of an empty
    /// function.
    pub fn set_empty_slots(&mut self, has_empty_slots: bool) {
        self.has_empty_slots = has_empty_slots;
    }

    /// Sets the number of calls in a slot, at least 1: a slot without calls times only the clock.
    #[must_use]
    pub fn with_iterations(self, iterations: u64) -> Self {
        Self { iterations, ..self }
    }

    /// Measures up to [`BLOCK`] duos and the empty slot, if blocks have one, and adds them to `samples`.
    pub fn block(&mut self, chance: &mut Chance, length: usize, samples: &mut Samples) {
        let length = length.min(BLOCK);
        let Samples { duos, empty: empty_slots } = samples;
        duos.reserve(length);
        empty_slots.reserve(1);

        let (clock, iterations) = (self.clock, self.iterations);
        let mut left = length;
        let has_empty_slots = self.has_empty_slots;
        stack::with_offset(chance.stack_offset(), &mut || {
            self.with_functions(length, &mut |functions| {
                let order = chance.order.flip();
                let slot = |is_candidate| functions.side(is_candidate).slot(clock, iterations);
                duos.push(Duo::measured(order, slots(order, slot)));
                left -= 1;
                // The empty slot uses the existing inputs, since it would otherwise need its own.
                if has_empty_slots && left == 0 {
                    empty_slots.push(functions.empty.slot(clock, iterations));
                }
            });
        });
    }

    /// Measures a single empty slot and returns its time in nanoseconds.
    pub fn empty_slot(&mut self) -> u64 {
        let (clock, iterations, mut time) = (self.clock, self.iterations, 0);
        self.with_functions(1, &mut |functions| time = functions.empty.slot(clock, iterations));
        time
    }

    /// Measures the first half of a duo and returns the times of the candidate's slot and the baseline's, in
    /// this order and in nanoseconds: for the remainder of an odd number of slots.
    pub fn half_duo(&mut self, chance: &mut Chance) -> [u64; 2] {
        let (clock, iterations) = (self.clock, self.iterations);
        let (order, [first, second]) = self.first_slots(chance, |side| side.slot(clock, iterations));
        if order.is_candidate_first() { [first, second] } else { [second, first] }
    }

    /// Measures half a duo in this order.
    pub(crate) fn half_in(&mut self, order: Order, chance: &mut Chance) -> Duo {
        let (clock, iterations) = (self.clock, self.iterations);
        Duo::half(order, self.slots_in(order, chance, |side| side.slot(clock, iterations)))
    }

    /// Measures the first slots of a duo, up to all four, using `slot`.
    pub(super) fn first_slots<const N: usize, T: Copy + Default>(
        &mut self,
        chance: &mut Chance,
        slot: impl Fn(&mut Side<'_>) -> T,
    ) -> (Order, [T; N]) {
        let order = chance.order.flip();
        (order, self.slots_in(order, chance, slot))
    }

    fn slots_in<const N: usize, T: Copy + Default>(
        &mut self,
        order: Order,
        chance: &mut Chance,
        slot: impl Fn(&mut Side<'_>) -> T,
    ) -> [T; N] {
        let mut times = [T::default(); N];
        stack::with_offset(chance.stack_offset(), &mut || {
            self.with_functions(1, &mut |functions| {
                times = slots(order, |is_candidate| slot(functions.side(is_candidate)));
            });
        });
        times
    }

    /// Uses the functions this many times, each time with a new input if they have inputs per duo.
    pub(super) fn with_functions(&mut self, times: usize, measure: &mut dyn FnMut(&mut Functions<'_>)) {
        if self.pair.has_fresh_inputs() {
            (0..times).for_each(|_| self.pair.with_functions(&mut |mut functions| measure(&mut functions)));
        } else {
            self.pair.with_functions(&mut |mut functions| (0..times).for_each(|_| measure(&mut functions)));
        }
    }
}

/// Measures the first slots of a duo, up to all four, using `slot`, whose argument says whether the slot is
/// the candidate's.
fn slots<const N: usize, T: Copy + Default>(order: Order, mut slot: impl FnMut(bool) -> T) -> [T; N] {
    let candidate_first = order.is_candidate_first();
    let mut times = [T::default(); N];
    for (position, time) in times.iter_mut().enumerate() {
        let outer = position == 0 || position == 3;
        *time = slot(outer == candidate_first);
    }
    times
}
