//! The duo sampler: measures two functions in interleaved slots.

use crate::clock::Clock;
use crate::coin::Chance;
use crate::duo::{Duo, Order};
use crate::error::MeasureError;
use crate::pair::{Functions, Pair};
use crate::slot::{Side, Times};
use crate::stack;
use crate::warmup::median;

/// Duos between two looks at the data. Within a block nothing is judged, printed, written or allocated.
pub const BLOCK: usize = 8;

/// The shortest slot that is measured, unless one call takes longer, in nanoseconds.
///
/// Doubling stops below twice this, or below twice [`STEPS_PER_SLOT`] where those are longer: slots stay below 50 us only
/// on a clock of steps up to 125 ns. A CPU clock that takes 300 ns to read makes slots of 60 to 120 us. What interrupts a
/// slot spoils it in proportion to its length, so slots are as short as the clock allows.
const SHORTEST_SLOT: u64 = 10_000;

/// A slot lasts at least this many steps of the clock.
const STEPS_PER_SLOT: u64 = 200;

/// A slot lasts at least this many times as long as it takes to start and to end one, where that takes time.
const STARTS_PER_SLOT: u64 = 10;

/// The longest slot that this asks for, in nanoseconds. What takes longer to start waits for the cores of a busy machine.
const LONGEST_FOR_STARTS: u64 = 10_000_000;

/// The duos in a row that have to confirm the length of a slot, and of one that takes time by itself: how much that is
/// can change with every lend, as with the core that a thread is given.
const CONFIRMATIONS: usize = 2;
const CONFIRMATIONS_OF_STARTS: usize = 8;

/// The empty slots whose median tells how long that takes.
const STARTS: usize = 15;

/// Calls after which a function that still takes no measurable time is given up.
const MOST_ITERATIONS: u64 = 1 << 24;

/// The longest time that making the inputs of a slot may take, in nanoseconds.
///
/// It bounds the memory that they occupy, of which nobody knows how much hangs on a value: 10 GB/s are about the most that
/// one thread writes, so they stay below 100 MB.
const LONGEST_PREPARATION: u64 = 10_000_000;

/// What a sampler measured, in the order in which it was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Samples {
    /// The duos of the pair.
    pub(crate) duos: Vec<Duo>,
    /// The empty slots, in nanoseconds.
    pub(crate) empty: Vec<u64>,
}

/// Measures duos of the functions of a pair, each slot of the same number of calls.
pub(crate) struct Sampler<'c, 'p, C> {
    clock: &'c C,
    pair: &'p mut dyn Pair,
    iterations: u64,
    /// Whether slots would be longer if there were room and time for more inputs.
    pub(crate) limited_by_inputs: bool,
    /// Whether each block ends with an empty slot.
    has_empty_slots: bool,
}

/// The slots of the first half of a duo, in nanoseconds.
#[cfg(any(feature = "full", test))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfDuo {
    /// The slot of the candidate.
    pub(crate) candidate: u64,
    /// The slot of the baseline.
    pub(crate) baseline: u64,
}

impl<'c, 'p, C: Clock> Sampler<'c, 'p, C> {
    /// A sampler whose slots are one call long and whose blocks have no empty slots.
    pub(crate) fn new(clock: &'c C, pair: &'p mut dyn Pair) -> Self {
        Self { clock, pair, iterations: 1, limited_by_inputs: false, has_empty_slots: false }
    }

    /// The same functions with as many calls in a slot, timed by another clock.
    pub(crate) fn on<D: Clock>(self, clock: &'c D) -> Sampler<'c, 'p, D> {
        let Self { pair, iterations, limited_by_inputs, has_empty_slots, .. } = self;
        Sampler { clock, pair, iterations, limited_by_inputs, has_empty_slots }
    }

    /// Says whether blocks end with an empty slot from now on.
    pub(crate) fn set_empty_slots(&mut self, has_empty_slots: bool) {
        self.has_empty_slots = has_empty_slots;
    }

    /// The same functions with so many calls in a slot, which are then not to be calibrated.
    #[cfg(any(feature = "full", test))]
    pub(crate) fn with_iterations(self, iterations: u64) -> Self {
        Self { iterations, ..self }
    }

    /// The calls in every slot, of both functions alike.
    pub(crate) fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Doubles the calls of a slot until the slots of the faster function are long enough for a clock of this step, and
    /// for the time that a slot takes by itself. To the clock waiting for others does not count, since on a busy machine it
    /// comes and goes.
    ///
    /// A length is believed only when several duos in a row confirm it, since the first calls of a function are slow. Slots
    /// stay shorter where the inputs of longer ones take too much time or memory.
    ///
    /// # Errors
    ///
    /// [`MeasureError::NoTime`] where even 2^24 calls take too little time.
    pub(crate) fn calibrate(&mut self, chance: &mut Chance, step: u64) -> Result<(), MeasureError> {
        let against_clock = SHORTEST_SLOT.max(STEPS_PER_SLOT.saturating_mul(step));
        let mut start = self.time_of_start();
        let needed = if start.is_some() { CONFIRMATIONS_OF_STARTS } else { CONFIRMATIONS };
        let mut confirmations = 0;
        loop {
            let (clock, iterations) = (self.clock, self.iterations);
            let (_, slots) = self.first_slots::<4, _>(chance, |side| side.slot_and_rest(clock, iterations));
            let against_start =
                start.map_or(0, |start| STARTS_PER_SLOT.saturating_mul(start).min(LONGEST_FOR_STARTS));
            let is_long_enough =
                |slot: &Times| slot.without_rest >= against_clock && slot.whole >= against_start;
            start = start.and_then(|_| self.time_of_start());
            if slots.iter().all(is_long_enough) {
                confirmations += 1;
                if confirmations == needed {
                    return Ok(());
                }
            } else if self.iterations >= MOST_ITERATIONS {
                return Err(MeasureError::NoTime);
            } else if !self.can_prepare(2 * self.iterations) {
                self.limited_by_inputs = true;
                return Ok(());
            } else {
                confirmations = 0;
                self.iterations *= 2;
            }
        }
    }

    /// The time of a slot that does nothing, where one call is a whole slot.
    fn time_of_start(&mut self) -> Option<u64> {
        let (clock, mut start) = (self.clock, None);
        self.lend(1, &mut |functions| {
            let Functions { empty, .. } = functions;
            if empty.rest.is_some() {
                start = Some(median((0..STARTS).map(|_| empty.slot(clock, 1)).collect()));
            }
        });
        start
    }

    fn can_prepare(&mut self, iterations: u64) -> bool {
        let (clock, mut prepared) = (self.clock, true);
        self.lend(1, &mut |functions| {
            let Functions { candidate, baseline, .. } = functions;
            prepared = [candidate, baseline]
                .into_iter()
                .all(|side| side.can_prepare(clock, iterations, LONGEST_PREPARATION));
        });
        prepared
    }

    /// Measures up to [`BLOCK`] duos, and an empty slot where there is one, and adds them to `samples`.
    pub(crate) fn block(&mut self, chance: &mut Chance, length: usize, samples: &mut Samples) {
        let length = length.min(BLOCK);
        let Samples { duos, empty: empty_slots } = samples;
        duos.reserve(length);
        empty_slots.reserve(1);

        let (clock, iterations) = (self.clock, self.iterations);
        let mut left = length;
        let has_empty_slots = self.has_empty_slots;
        stack::with_offset(chance.stack.next(), &mut || {
            self.lend(length, &mut |functions| {
                let Functions { candidate, baseline, empty } = functions;
                duos.push(duo(chance.order.flip(), |is_candidate| {
                    let side = if is_candidate { &mut *candidate } else { &mut *baseline };
                    side.slot(clock, iterations)
                }));
                left -= 1;
                // With the inputs that are there, since others would have to be made for it.
                if has_empty_slots && left == 0 {
                    empty_slots.push(empty.slot(clock, iterations));
                }
            });
        });
    }

    /// Measures up to [`BLOCK`] duos of the baseline and itself, in which chance alone says which slot is whose.
    pub(crate) fn control_block(&mut self, chance: &mut Chance, length: usize, duos: &mut Vec<Duo>) {
        let length = length.min(BLOCK);
        duos.reserve(length);
        let (clock, iterations) = (self.clock, self.iterations);
        stack::with_offset(chance.stack.next(), &mut || {
            self.lend(length, &mut |functions| {
                duos.push(duo(chance.order.flip(), |_| functions.baseline.slot(clock, iterations)));
            });
        });
    }

    /// Measures the first half of a duo, a slot of the candidate and one of the baseline: what an odd number of slots
    /// leaves over.
    #[cfg(any(feature = "full", test))]
    pub(crate) fn half_duo(&mut self, chance: &mut Chance) -> HalfDuo {
        let (clock, iterations) = (self.clock, self.iterations);
        let (order, [first, second]) = self.first_slots(chance, |side| side.slot(clock, iterations));
        match order {
            Order::CandidateFirst => HalfDuo { candidate: first, baseline: second },
            Order::BaselineFirst => HalfDuo { candidate: second, baseline: first },
        }
    }

    /// Measures the first slots of a duo, up to all four, each with `slot`.
    fn first_slots<const N: usize, T: Copy + Default>(
        &mut self,
        chance: &mut Chance,
        slot: impl Fn(&mut Side<'_>) -> T,
    ) -> (Order, [T; N]) {
        let order = chance.order.flip();
        let mut times = [T::default(); N];
        stack::with_offset(chance.stack.next(), &mut || {
            self.lend(1, &mut |functions| {
                let Functions { candidate, baseline, .. } = functions;
                times = slots(order, |is_candidate| slot(if is_candidate { candidate } else { baseline }));
            });
        });
        (order, times)
    }

    /// Has the functions used so many times, each time with a fresh input where they have one.
    fn lend(&mut self, times: usize, measure: &mut dyn FnMut(&mut Functions<'_>)) {
        if self.pair.has_fresh_inputs() {
            (0..times).for_each(|_| self.pair.lend(&mut |mut functions| measure(&mut functions)));
        } else {
            self.pair.lend(&mut |mut functions| (0..times).for_each(|_| measure(&mut functions)));
        }
    }
}

/// Measures a duo, each slot with `slot`, which is told whether it is the candidate's.
fn duo(order: Order, slot: impl FnMut(bool) -> u64) -> Duo {
    let [first, second, third, fourth] = slots(order, slot);
    let (outer, inner) = ([first, fourth], [second, third]);
    match order {
        Order::CandidateFirst => Duo { order, candidate: outer, baseline: inner },
        Order::BaselineFirst => Duo { order, candidate: inner, baseline: outer },
    }
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

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;
    use crate::coin::{Coin, OrderPolicy, Seed};
    use crate::pair::Closures;
    use crate::slot::Chores;

    const SEED: Seed = Seed(3);

    fn block(clock: &ManualClock, pair: &mut dyn Pair, has_empty_slots: bool, length: usize) -> Samples {
        let mut samples = Samples::default();
        let mut sampler = Sampler::new(clock, pair);
        sampler.set_empty_slots(has_empty_slots);
        sampler.block(&mut Chance::new(OrderPolicy::Coin, SEED), length, &mut samples);
        samples
    }

    #[test]
    fn duos_are_palindromes_in_the_order_of_the_coin() {
        let (clock, calls) = (ManualClock::new(), RefCell::new(String::new()));
        let call = |name, nanoseconds| {
            calls.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(nanoseconds));
        };
        let mut pair = Closures::new(|| call('C', 7), || call('B', 5));
        let duos = block(&clock, &mut pair, false, BLOCK).duos;

        let mut expected = Coin::new(OrderPolicy::Coin, SEED);
        for (duo, called) in duos.iter().zip(calls.borrow().as_bytes().chunks(4)) {
            assert_eq!(duo.order, expected.flip());
            assert_eq!(called, if duo.order == Order::BaselineFirst { b"BCCB" } else { b"CBBC" });
            assert_eq!((duo.candidate, duo.baseline), ([7, 7], [5, 5]));
        }
        assert_eq!(duos.len(), BLOCK);
    }

    #[test]
    fn half_a_duo_is_its_first_two_slots() {
        let (clock, calls) = (ManualClock::new(), RefCell::new(String::new()));
        let call = |name, nanoseconds| {
            calls.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(nanoseconds));
        };
        let mut pair = Closures::new(|| call('C', 7), || call('B', 5));
        let mut sampler = Sampler::new(&clock, &mut pair).with_iterations(2);
        let mut chance = Chance::new(OrderPolicy::Coin, SEED);
        let mut expected = Coin::new(OrderPolicy::Coin, SEED);
        for _ in 0..20 {
            calls.borrow_mut().clear();
            assert_eq!(sampler.half_duo(&mut chance), HalfDuo { candidate: 14, baseline: 10 });
            let first = expected.flip();
            assert_eq!(*calls.borrow(), if first == Order::BaselineFirst { "BBCC" } else { "CCBB" });
        }
    }

    #[test]
    fn a_linear_drift_cancels_in_every_duo() {
        let (clock, slots) = (ManualClock::new(), Cell::new(0));
        let call = || {
            slots.set(slots.get() + 1);
            clock.advance(Duration::from_nanos(1_000_000 + 100 * slots.get()));
        };
        for duo in block(&clock, &mut Closures::new(call, call), false, BLOCK).duos {
            // One step of the drift is 1e-4 of a slot.
            assert!(duo.contrast().abs() < 1e-7, "{}", duo.contrast());
        }
    }

    fn calibrated(
        candidate: impl Fn(u64) -> u64,
        baseline: impl Fn(u64) -> u64,
        step: u64,
    ) -> Result<u64, MeasureError> {
        let (clock, calls) = (ManualClock::new(), Cell::new(0));
        let pass = |latency: &dyn Fn(u64) -> u64| {
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_nanos(latency(calls.get())));
        };
        let mut pair = Closures::new(|| pass(&candidate), || pass(&baseline));
        let mut sampler = Sampler::new(&clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), step)?;
        Ok(sampler.iterations())
    }

    #[test]
    fn slots_are_long_enough_for_the_faster_function() {
        assert_eq!(calibrated(|_| 100, |_| 100, 1), Ok(128), "12.8 us");
        assert_eq!(calibrated(|_| 5_000, |_| 100, 1), Ok(128), "the slower one is no excuse");
        assert_eq!(calibrated(|_| 10_000, |_| 20_000, 1), Ok(1), "long enough already");
        assert_eq!(calibrated(|_| 2_000_000, |_| 2_000_000, 1), Ok(1));
        assert_eq!(calibrated(|_| 100, |_| 100, 100), Ok(256), "200 steps of a coarse clock are 20 us");
    }

    #[test]
    fn slots_of_short_calls_take_200_to_400_steps_of_the_clock_and_at_least_10_us() {
        for (step, shortest) in [(1, 10_000), (100, 20_000), (300, 60_000)] {
            for call in (1..10_000).step_by(7) {
                let slot = call * calibrated(|_| call, |_| call, step).unwrap();
                assert!((shortest..2 * shortest).contains(&slot), "{slot} ns of calls of {call} ns");
            }
        }
    }

    #[test]
    fn a_slow_start_is_not_believed() {
        let cold = |calls| if calls < 4 { 50_000 } else { 100 };
        assert_eq!(calibrated(cold, cold, 1), Ok(128));
    }

    #[test]
    fn functions_without_time_are_given_up() {
        assert_eq!(calibrated(|_| 0, |_| 0, 1), Err(MeasureError::NoTime));
        assert_eq!(calibrated(|_| 0, |_| 1_000, 1), Err(MeasureError::NoTime));
    }

    /// Notes what happens around slots and lends, none of which is to be timed.
    struct Log<'a>(&'a RefCell<String>, &'a ManualClock);

    impl Log<'_> {
        fn log(&self, what: &str) {
            self.0.borrow_mut().push_str(what);
            self.1.advance(Duration::from_millis(1));
        }
    }

    impl Chores for Log<'_> {
        fn before_slot(&mut self, iterations: u64) {
            self.log(&format!("<{iterations}"));
        }
        fn after_slot(&mut self) {
            self.log(">");
        }
        fn note(&self) -> &'static str {
            "logged"
        }
    }

    struct Logged<'a> {
        log: Log<'a>,
        fresh: bool,
    }

    impl Pair for Logged<'_> {
        fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let Log(log, clock) = self.log;
            let call = |name| {
                move || {
                    log.borrow_mut().push(name);
                    clock.advance(Duration::from_nanos(9));
                }
            };
            self.log.log("(");
            measure(Functions {
                candidate: Side::with_chores(&mut call('.'), &mut Log(log, clock)),
                baseline: Side::with_chores(&mut call('.'), &mut Log(log, clock)),
                empty: Side::plain(&mut call('e')),
            });
            self.log.log(")");
        }

        fn has_fresh_inputs(&self) -> bool {
            self.fresh
        }
    }

    #[test]
    fn chores_and_inputs_are_not_timed() {
        for (fresh, expected) in
            [(false, "(<1.><1.><1.><1.><1.><1.><1.><1.>)"), (true, "(<1.><1.><1.><1.>)(<1.><1.><1.><1.>)")]
        {
            let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
            let mut pair = Logged { log: Log(&log, &clock), fresh };
            let duos = block(&clock, &mut pair, false, 2).duos;
            assert_eq!(*log.borrow(), expected);
            assert!(duos.iter().all(|duo| (duo.candidate, duo.baseline) == ([9, 9], [9, 9])));
        }
    }

    /// Two functions without chores of 100 ns, and inputs that take `each` nanoseconds, of which `room` can be made.
    struct Costly<'a> {
        clock: &'a ManualClock,
        each: u64,
        room: u64,
        stall: Cell<u64>,
    }

    impl Chores for &Costly<'_> {
        fn before_slot(&mut self, iterations: u64) {
            self.clock.advance(Duration::from_nanos(self.each * iterations + self.stall.take()));
        }
        fn after_slot(&mut self) {}
        fn most_calls(&self) -> u64 {
            self.room
        }
        fn note(&self) -> &'static str {
            "inputs are made"
        }
    }

    impl Pair for Costly<'_> {
        fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let this = &*self;
            let call = || this.clock.advance(Duration::from_nanos(100));
            measure(Functions {
                candidate: Side::with_chores(&mut { call }, &mut { this }),
                baseline: Side::with_chores(&mut { call }, &mut { this }),
                empty: Side::plain(&mut || ()),
            });
        }
    }

    fn calls_of_costly(each: u64, room: u64, stall: u64) -> (u64, bool) {
        let clock = ManualClock::new();
        let mut pair = Costly { clock: &clock, each, room, stall: Cell::new(stall) };
        let mut sampler = Sampler::new(&clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
        (sampler.iterations(), sampler.limited_by_inputs)
    }

    #[test]
    fn inputs_limit_a_slot_before_they_fill_the_memory() {
        let anything = u64::MAX;
        assert_eq!(calls_of_costly(10, anything, 0), (128, false), "cheap inputs");
        assert_eq!(calls_of_costly(80_000, anything, 0), (64, true), "128 inputs take 10.24 ms");
        assert_eq!(calls_of_costly(20_000_000, anything, 0), (1, true), "one is always made");
        assert_eq!(calls_of_costly(10, 50, 0), (32, true), "no room for 64");
        assert_eq!(calls_of_costly(10, 128, 0), (128, false), "just enough room");
        assert_eq!(calls_of_costly(10, anything, 30_000_000), (128, false), "an interruption is no limit");
    }

    /// A function that makes the calls of a slot by itself, which takes a while to begin with, and waits for others.
    struct Whole<'a> {
        clock: &'a ManualClock,
        start: u64,
        wait: u64,
        calls: Cell<u64>,
    }

    impl<'a> Whole<'a> {
        fn new(clock: &'a ManualClock, start: u64) -> Self {
            Self { clock, start, wait: 0, calls: Cell::new(0) }
        }

        fn calibrated(mut self) -> u64 {
            let mut sampler = Sampler::new(self.clock, &mut self);
            sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
            sampler.iterations()
        }
    }

    impl Chores for &Whole<'_> {
        fn before_slot(&mut self, iterations: u64) {
            self.calls.set(iterations);
        }
        fn after_slot(&mut self) {}
        fn note(&self) -> &'static str {
            "it counts the calls"
        }
    }

    impl Pair for Whole<'_> {
        fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let this = &*self;
            let slot =
                |each| move || this.clock.advance(Duration::from_nanos(this.start + each * this.calls.get()));
            let wait = || this.clock.advance(Duration::from_nanos(this.wait));
            measure(Functions {
                candidate: Side::whole_slot(&mut slot(200), &mut { wait }, &mut { this }),
                baseline: Side::whole_slot(&mut slot(100), &mut { wait }, &mut { this }),
                empty: Side::whole_slot(&mut slot(1), &mut || (), &mut { this }),
            });
        }
    }

    #[test]
    fn one_call_may_be_a_whole_slot() {
        let clock = ManualClock::new();
        let mut pair = Whole { wait: 30, ..Whole::new(&clock, 7) };
        let mut sampler = Sampler::new(&clock, &mut pair);
        let (mut chance, mut samples) = (Chance::new(OrderPolicy::Coin, SEED), Samples::default());
        sampler.calibrate(&mut chance, 1).unwrap();
        assert_eq!(sampler.iterations(), 128);
        sampler.set_empty_slots(true);
        sampler.block(&mut chance, 1, &mut samples);
        assert_eq!((samples.duos[0].candidate, samples.duos[0].baseline), ([25_637; 2], [12_837; 2]));
        assert_eq!(samples.empty, [7 + 128]);
    }

    #[test]
    fn slots_are_long_against_the_time_that_they_take_by_themselves() {
        let clock = ManualClock::new();
        let iterations = |start| Whole::new(&clock, start).calibrated();
        assert_eq!(iterations(900), 128, "9 us are less than any slot");
        assert_eq!(iterations(5_000), 512, "56.2 us are 11 times as long as 5 us, 30.6 us only 6 times");
        assert_eq!(iterations(8_000_000), 32_768, "11.3 ms are enough on a busy machine, 9.6 ms are not");
    }

    #[test]
    fn waiting_for_others_makes_no_slot_long_enough() {
        let clock = ManualClock::new();
        let pair = Whole { wait: 4_000_000, ..Whole::new(&clock, 0) };
        assert_eq!(pair.calibrated(), 128, "of 12.8 us");
    }

    #[test]
    fn a_start_that_is_slow_for_a_while_is_not_believed() {
        let (clock, lends) = (ManualClock::new(), Cell::new(0));
        struct Moody<'a>(Whole<'a>, &'a Cell<u64>);
        impl Pair for Moody<'_> {
            fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
                self.1.set(self.1.get() + 1);
                // Fast when the start is timed, and then slow.
                self.0.start = if (2..7).contains(&self.1.get()) { 20_000 } else { 0 };
                self.0.lend(measure);
            }
        }
        let mut pair = Moody(Whole::new(&clock, 0), &lends);
        let mut sampler = Sampler::new(&clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
        assert_eq!(sampler.iterations(), 128);
    }

    #[test]
    fn an_empty_slot_comes_after_the_duos_and_has_the_input_of_the_last() {
        for (fresh, ends) in [(false, "e)"), (true, ">e)")] {
            let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
            let mut pair = Logged { log: Log(&log, &clock), fresh };
            let samples = block(&clock, &mut pair, true, 3);
            assert_eq!((samples.duos.len(), samples.empty), (3, vec![9]));
            let log = log.borrow();
            assert!(log.ends_with(ends) && log.matches('e').count() == 1, "{log}");
            assert_eq!(log.matches('(').count(), if fresh { 3 } else { 1 }, "{log}");
        }
    }

    #[test]
    fn empty_slots_do_not_move_the_coin() {
        let clock = ManualClock::new();
        let call = || clock.advance(Duration::from_nanos(9));
        let orders = |has_empty_slots| {
            let duos = block(&clock, &mut Closures::new(call, call), has_empty_slots, BLOCK).duos;
            duos.iter().map(|duo| duo.order).collect::<Vec<_>>()
        };
        assert_eq!(orders(false), orders(true));
    }

    #[test]
    fn a_control_calls_the_baseline_alone() {
        let (clock, log) = (ManualClock::new(), RefCell::new(String::new()));
        let call = |name, nanoseconds| {
            log.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(nanoseconds));
        };
        let mut pair = Closures::new(|| call('C', 7), || call('B', 5));
        let (mut chance, mut duos) = (Chance::new(OrderPolicy::Coin, SEED), Vec::new());
        Sampler::new(&clock, &mut pair).control_block(&mut chance, BLOCK, &mut duos);
        assert!(duos.iter().all(|duo| (duo.candidate, duo.baseline) == ([5, 5], [5, 5])), "{duos:?}");
        assert_eq!(*log.borrow(), "B".repeat(4 * BLOCK));
        let orders: Vec<Order> = duos.iter().map(|duo| duo.order).collect();
        assert!(orders.contains(&Order::BaselineFirst) && orders.contains(&Order::CandidateFirst));
    }
}
