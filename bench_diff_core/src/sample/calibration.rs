//! The number of calls in a slot.

use std::time::Duration;

use super::functions::Functions;
use super::sampler::Sampler;
use super::slot::{LONGEST_FOR_INPUTS, SlotTime};
use crate::coin::Chance;
use crate::error::MeasureError;
use crate::stats::median_time;

/// The shortest slot, in nanoseconds, unless one call takes longer.
///
/// Doubling ends below twice this, or below twice [`STEPS_PER_SLOT`] if those are longer, so slots stay below
/// 50 us only if the clock steps by 125 ns at most. A CPU clock that takes 300 ns to read makes slots of 60
/// to 120 us. The longer a slot, the more likely an interruption spoils it, so slots are as short as the
/// clock allows.
const SHORTEST_SLOT: u64 = 10_000;

/// The shortest slot of functions that time themselves, in nanoseconds. They may build something from the
/// calls of a slot, such as a map, which has to become large. Criterion lets it grow further, in 8 seconds.
const SHORTEST_REPORTED: u64 = 200_000;

/// A slot lasts at least this many steps of the clock.
const STEPS_PER_SLOT: u64 = 200;

/// If starting and ending a slot takes time, or functions that time themselves report a fixed part, the slot
/// lasts at least this many times as long.
const STARTS_PER_SLOT: u64 = 10;

/// The longest slot required for that reason, in nanoseconds. A start that takes longer is waiting for the
/// cores of a busy machine.
pub(crate) const LONGEST_FOR_STARTS: u64 = 10_000_000;

/// How many duos in a row have to confirm the length of a slot. More are needed if starting a slot takes
/// time, because that time can change with every slot, for example with the core that a thread gets.
const CONFIRMATIONS: usize = 2;
const CONFIRMATIONS_OF_STARTS: usize = 8;

/// The number of empty slots whose median is that time.
const STARTS: usize = 15;

/// How many times as many calls a slot gets while it takes less than a quarter longer for twice as many. No
/// slot becomes five times as long by that.
const TIMES_IF_FIXED: u64 = 16;

/// A function that takes less than a quarter longer for twice as many calls as these ignores their number.
const ENOUGH_TO_TELL: u64 = 1 << 20;

/// A function that takes no measurable time in this many calls is given up.
const MOST_ITERATIONS: u64 = 1 << 24;

/// The longest duo of functions that time themselves if it takes this many times as long as they report,
/// because they prepare each call. If they are in other processes, each turn has a slot that is not reported.
const LONGEST_UNREPORTED: Duration = Duration::from_millis(80);
const TIMES_UNREPORTED: u32 = 8;

/// How long the slower function's slot may become because the faster function needs more calls, in
/// nanoseconds.
const LONGEST_FOR_OTHER: u64 = 500_000_000;

/// How many duos in a row have to be too long before doubling ends. A call may be slow once, or be
/// interrupted.
const REFUSALS: usize = 3;

impl Sampler<'_, '_> {
    /// Doubles the calls of a slot until the faster function's slots are long enough for a clock of this
    /// step, and for the fixed time of a slot. Waiting for other threads does not count as length for the
    /// clock, since it comes and goes on a busy machine. Functions that time themselves and ignore the number
    /// of calls get one.
    ///
    /// Several duos in a row have to confirm a length, since the first calls of a function are slow. Slots
    /// stay shorter if the inputs of longer ones take too much time or memory, if the slower function takes
    /// too long, or if functions that time themselves take long for what they don't report.
    ///
    /// # Errors
    ///
    /// [`MeasureError::NoTime`] if even 2^24 calls take too little time, or if the calls of one function take
    /// no time while those of the other take too much.
    pub(crate) fn calibrate(&mut self, chance: &mut Chance, step: u64) -> Result<(), MeasureError> {
        let against_clock = SHORTEST_SLOT.max(STEPS_PER_SLOT.saturating_mul(step));
        let shortest =
            if self.pair.times_itself() { against_clock.max(SHORTEST_REPORTED) } else { against_clock };
        let mut start = self.time_of_start();
        let needed = if start.is_some() { CONFIRMATIONS_OF_STARTS } else { CONFIRMATIONS };
        let (mut confirmations, mut refusals) = (0, 0);
        loop {
            let (iterations, elapsed) = (self.iterations, self.clock.stopwatch());
            let slots = self.slots_of(chance, iterations);
            let unreported_too_long = self.pair.times_itself() && {
                let reported = Duration::from_nanos(slots.iter().map(|slot| slot.wall).sum());
                2 * elapsed() > LONGEST_UNREPORTED.max(2 * TIMES_UNREPORTED * reported)
            };
            let [shorter, longer] = sides(slots.map(|slot| slot.without_rest));
            let reported = self.fixed_part(chance, shorter);
            let is_all_fixed = reported.is_some_and(|reported| reported.is_all_fixed);
            let fixed = start.or(reported.map(|reported| reported.fixed));
            let against_start =
                fixed.map_or(0, |fixed| STARTS_PER_SLOT.saturating_mul(fixed).min(LONGEST_FOR_STARTS));
            let is_long_enough = |slot: &SlotTime| {
                // If waiting makes slots this long again and again, that is not chance, and they are long
                // enough.
                let by_waiting = start.is_some() && slot.wall >= LONGEST_FOR_STARTS;
                by_waiting || slot.without_rest >= shortest && slot.wall >= against_start
            };
            if slots.iter().all(is_long_enough) {
                confirmations += 1;
                if confirmations == needed {
                    return Ok(());
                }
            } else if is_all_fixed && iterations >= ENOUGH_TO_TELL {
                self.iterations = 1;
                return Ok(());
            } else if iterations >= MOST_ITERATIONS {
                let is_enough = reported.is_some() && shorter >= against_clock;
                return if is_enough { Ok(()) } else { Err(MeasureError::NoTime) };
            } else {
                confirmations = 0;
                let limited_by_other = 2 * longer > LONGEST_FOR_OTHER;
                let limited_by_inputs =
                    !limited_by_other && (unreported_too_long || !self.can_keep(2 * iterations, 2 * longer));
                if !limited_by_other && !limited_by_inputs {
                    refusals = 0;
                    self.iterations *= if is_all_fixed { TIMES_IF_FIXED } else { 2 };
                } else if refusals + 1 < REFUSALS {
                    refusals += 1;
                } else if shorter == 0 {
                    return Err(MeasureError::NoTime);
                } else {
                    self.limited_by_inputs = limited_by_inputs;
                    return Ok(());
                }
            }
            start = start.and_then(|_| self.time_of_start());
        }
    }

    /// Doubles the calls of a slot until it has `times` as many or there is no room for more. `longer` is the
    /// present slot of the slower function, in nanoseconds. `None` if there is no room for any more calls.
    pub(crate) fn lengthen(&mut self, times: u64, longer: u64) -> Option<u64> {
        let before = self.iterations;
        let mut longer = longer;
        if self.limited_by_inputs && self.pair.times_itself() {
            // They took too long for what they do not report, which `longer` does not contain.
            return None;
        }
        while self.iterations < before.saturating_mul(times) && self.iterations < MOST_ITERATIONS {
            let limited_by_other = 2 * longer > LONGEST_FOR_OTHER;
            self.limited_by_inputs = !limited_by_other && !self.can_keep(2 * self.iterations, 2 * longer);
            if limited_by_other || self.limited_by_inputs {
                break;
            }
            self.iterations *= 2;
            longer *= 2;
        }
        (self.iterations > before).then_some(self.iterations)
    }

    /// The time of an empty slot, if one call is a whole slot.
    fn time_of_start(&mut self) -> Option<u64> {
        let (clock, mut start) = (self.clock, None);
        self.with_functions(1, &mut |functions| {
            let Functions { empty, .. } = functions;
            if empty.rest.is_some() {
                start = Some(median_time((0..STARTS).map(|_| empty.slot(clock, 1)).collect()));
            }
        });
        start
    }

    /// The fixed part in the slots of the faster function, which take this many nanoseconds. `None` if the
    /// functions don't time themselves, or if the slots are long enough anyway.
    fn fixed_part(&mut self, chance: &mut Chance, slot: u64) -> Option<Reported> {
        if !self.pair.times_itself() || slot >= LONGEST_FOR_STARTS {
            return None;
        }
        let mut least = self.reported(chance, slot);
        // An interruption looks like a fixed part, but hardly three times.
        for _ in 1..REFUSALS {
            if STARTS_PER_SLOT.saturating_mul(least.fixed) <= slot {
                break;
            }
            let [again, _] = sides(self.slots_of(chance, self.iterations).map(|slot| slot.without_rest));
            let reported = self.reported(chance, again);
            least = if reported.fixed < least.fixed { reported } else { least };
        }
        Some(least)
    }

    /// What functions report that take this many nanoseconds for a slot, by a slot of twice as many calls.
    fn reported(&mut self, chance: &mut Chance, slot: u64) -> Reported {
        let twice_as_many = self.slots_of(chance, 2 * self.iterations);
        let [twice, _] = sides(twice_as_many.map(|slot| slot.without_rest));
        Reported {
            fixed: (2 * slot).saturating_sub(twice),
            is_all_fixed: 4 * twice.saturating_sub(slot) < slot,
        }
    }

    /// The slots of a duo with this many calls in each.
    fn slots_of(&mut self, chance: &mut Chance, iterations: u64) -> [SlotTime; 4] {
        let clock = self.clock;
        self.first_slots(chance, |side| side.slot_and_rest(clock, iterations)).1
    }

    /// Returns whether there is room for the inputs and outputs of this many calls, which take up to this
    /// time in nanoseconds.
    fn can_keep(&mut self, iterations: u64, time: u64) -> bool {
        let (clock, mut can) = (self.clock, true);
        self.with_functions(1, &mut |functions| {
            let Functions { candidate, baseline, .. } = functions;
            can = [Some(candidate), baseline.as_mut()].into_iter().flatten().all(|side| {
                let needs_room = side.hooks.as_ref().is_some_and(|hooks| hooks.needs_room());
                let may_grow = needs_room && side.rest.is_none();
                !(may_grow && time > LONGEST_FOR_INPUTS) && side.can_make_inputs(clock, iterations)
            });
        });
        can
    }
}

/// What functions report that time themselves.
#[derive(Clone, Copy)]
struct Reported {
    /// The part of a slot that does not depend on the number of calls, in nanoseconds.
    fixed: u64,
    /// Set if nearly all of the slot is this part.
    is_all_fixed: bool,
}

/// The slots of both functions, the faster function first. Of the two slots of each, the shorter one counts.
fn sides([first, second, third, fourth]: [u64; 4]) -> [u64; 2] {
    let (outer, inner) = (first.min(fourth), second.min(third));
    [outer.min(inner), outer.max(inner)]
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;
    use crate::coin::{OrderPolicy, Seed};
    use crate::sample::functions::{Closures, Pair};
    use crate::sample::sampler::Samples;
    use crate::sample::slot::{Hooks, Side};
    use crate::simulation::Reporting;

    const SEED: Seed = Seed(3);

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
        Ok(sampler.iterations)
    }

    #[test]
    fn slots_are_long_enough_for_the_faster_function() {
        assert_eq!(calibrated(|_| 100, |_| 100, 1), Ok(128), "12.8 us");
        assert_eq!(calibrated(|_| 5_000, |_| 100, 1), Ok(128), "as many as the faster one needs");
        assert_eq!(calibrated(|_| 10_000, |_| 20_000, 1), Ok(1), "long enough already");
        assert_eq!(calibrated(|_| 2_000_000, |_| 2_000_000, 1), Ok(1));
        assert_eq!(calibrated(|_| 100, |_| 100, 100), Ok(256), "200 steps of a coarse clock are 20 us");
    }

    #[test]
    fn the_slower_function_limits_how_long_a_slot_gets() {
        assert_eq!(calibrated(|_| 1_000_000, |_| 4, 1), Ok(256), "slots of 0.256 s");
        assert_eq!(calibrated(|_| 5, |_| 1_500_000_000, 1), Ok(1));
        assert_eq!(calibrated(|_| 5_000_000_000, |_| 5_000_000_000, 1), Ok(1), "long by itself");
    }

    #[test]
    fn a_single_slow_call_limits_nothing() {
        for slow in [1, 2, 5, 40, 200] {
            let late = |calls| if calls == slow { 700_000_000 } else { 100 };
            assert_eq!(calibrated(late, late, 1), Ok(128), "call {slow}");
        }
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

    /// The calls of a slot of functions that report this time, and all calls of the calibration.
    fn calls_of_reporting(time: impl Fn(u64) -> u64, step: u64) -> Result<(u64, u64), MeasureError> {
        let (clock, all) = (ManualClock::new(), Cell::new(0));
        let reported = |calls| {
            all.set(all.get() + calls);
            time(calls)
        };
        let mut pair = Reporting(reported, reported);
        let mut sampler = Sampler::new(&clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), step)?;
        Ok((sampler.iterations, all.get()))
    }

    #[test]
    fn slots_are_long_against_the_fixed_part_of_what_a_function_reports() {
        let calls = |time: &dyn Fn(u64) -> u64| calls_of_reporting(time, 1).unwrap().0;
        assert_eq!(
            calls(&|calls| 200_000 + 50 * (calls / 4)),
            262_144,
            "3.5 ms are 17 times as long as 200 us"
        );
        assert_eq!(calls(&|calls| 200 + 50 * calls), 4_096, "205 us");
        assert_eq!(calls(&|calls| 3_000_000 + 100_000 * calls), 128, "15.8 ms are enough on a busy machine");
        assert_eq!(calls(&|calls| 12_000_000 + calls), 1, "and so are 12 ms");
        assert_eq!(calls(&|calls| 60_000 + calls / 48), 1 << 24, "there are no more");
    }

    #[test]
    fn a_function_that_times_itself_makes_no_more_calls_than_it_has_to() {
        assert_eq!(calls_of_reporting(|calls| 300 * calls, 1).unwrap().0, 1_024, "307 us");
        // Twice a duo, and one of twice as many calls.
        assert_eq!(calls_of_reporting(|calls| 1_000_000 * calls, 1), Ok((1, 2 * (4 + 8))));
        assert_eq!(calls_of_reporting(|calls| 10_000_000 * calls, 1), Ok((1, 2 * 4)), "long by themselves");
    }

    #[test]
    fn what_functions_do_unreported_limits_their_slots() {
        let calls_that_prepare = |preparing: u64| {
            let clock = ManualClock::new();
            let reported = |calls| {
                clock.advance(Duration::from_nanos(preparing * calls));
                100 * calls
            };
            let mut pair = Reporting(reported, reported);
            let mut sampler = Sampler::new(&clock, &mut pair);
            sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
            (sampler.iterations, sampler.lengthen(2, 1_000).is_none())
        };
        assert_eq!(calls_that_prepare(700), (2_048, false), "205 us");
        assert_eq!(calls_that_prepare(10_000), (1_024, true), "four slots take 41 ms");
        assert_eq!(calls_that_prepare(1_000_000), (16, true), "64 ms");
        assert_eq!(calls_that_prepare(1_000_000_000), (1, true));
    }

    #[test]
    fn a_slot_of_a_function_that_ignores_the_number_of_calls_is_one_call() {
        for time in [5_000, 60_000, 9_000_000] {
            assert_eq!(calls_of_reporting(|_| time, 1).unwrap().0, 1, "{time} ns");
        }
        assert_eq!(calls_of_reporting(|_| 0, 1), Err(MeasureError::NoTime));
    }

    /// A candidate of `call` nanoseconds and a baseline of 100. Their inputs take `each` nanoseconds, and
    /// there is memory for `room` of them.
    struct Costly<'a> {
        clock: &'a ManualClock,
        call: u64,
        each: u64,
        room: u64,
        stall: Cell<u64>,
    }

    impl Hooks for &Costly<'_> {
        fn make_inputs(&mut self, iterations: u64) {
            self.clock.advance(Duration::from_nanos(self.each * iterations + self.stall.take()));
        }
        fn make_room(&mut self, _: u64) {
            // Time spent elsewhere does not count as time for inputs.
            self.clock.advance(Duration::from_millis(20));
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
        fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let this = &*self;
            let call = |nanoseconds| move || this.clock.advance(Duration::from_nanos(nanoseconds));
            measure(Functions {
                candidate: Side::with_hooks(&mut call(this.call), &mut { this }),
                baseline: Some(Side::with_hooks(&mut call(100), &mut { this })),
                empty: Side::plain(&mut || ()),
            });
        }
    }

    fn calls_of_costly(each: u64, room: u64, stall: u64) -> (u64, bool) {
        calls_of(Costly { clock: &ManualClock::new(), call: 100, each, room, stall: Cell::new(stall) })
    }

    fn calls_of(mut pair: Costly<'_>) -> (u64, bool) {
        let clock = pair.clock;
        let mut sampler = Sampler::new(clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
        (sampler.iterations, sampler.limited_by_inputs)
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

    #[test]
    fn outputs_of_a_slow_function_limit_a_slot_as_well() {
        let clock = ManualClock::new();
        let calls =
            |call| calls_of(Costly { clock: &clock, call, each: 0, room: u64::MAX, stall: Cell::new(0) });
        assert_eq!(calls(50_000), (128, false), "6.4 ms");
        assert_eq!(calls(1_000_000), (8, true), "16 would be 16 ms");
        assert_eq!(calls(20_000_000), (1, true), "one call is always allowed");
    }

    /// A function that makes the calls of a slot by itself, needs time to start, and waits for other threads.
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
            sampler.iterations
        }
    }

    impl Hooks for &Whole<'_> {
        fn make_room(&mut self, iterations: u64) {
            self.calls.set(iterations);
        }
        fn after_slot(&mut self) {}
        fn note(&self) -> &'static str {
            "it counts the calls"
        }
    }

    impl Pair for Whole<'_> {
        fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let this = &*self;
            let slot =
                |each| move || this.clock.advance(Duration::from_nanos(this.start + each * this.calls.get()));
            let wait = || this.clock.advance(Duration::from_nanos(this.wait));
            measure(Functions {
                candidate: Side::whole_slot(&mut slot(200), &mut { wait }, &mut { this }),
                baseline: Some(Side::whole_slot(&mut slot(100), &mut { wait }, &mut { this })),
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
        assert_eq!(sampler.iterations, 128);
        sampler.set_empty_slots(true);
        sampler.block(&mut chance, 1, &mut samples);
        assert_eq!((samples.duos[0].candidate, samples.duos[0].baseline), ([25_637; 2], [12_837; 2]));
        assert_eq!(samples.empty, [7 + 128]);
    }

    #[test]
    fn slots_are_long_against_their_fixed_time() {
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
    fn slots_that_waiting_always_makes_long_are_long_enough() {
        let clock = ManualClock::new();
        let pair = Whole { wait: 20_000_000, ..Whole::new(&clock, 0) };
        assert_eq!(pair.calibrated(), 1);
    }

    #[test]
    fn a_start_that_is_slow_for_a_while_does_not_count() {
        let (clock, lends) = (ManualClock::new(), Cell::new(0));
        struct Moody<'a>(Whole<'a>, &'a Cell<u64>);
        impl Pair for Moody<'_> {
            fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
                self.1.set(self.1.get() + 1);
                // Fast when the start is timed, slow for a while after that.
                self.0.start = if (2..7).contains(&self.1.get()) { 20_000 } else { 0 };
                self.0.with_functions(measure);
            }
        }
        let mut pair = Moody(Whole::new(&clock, 0), &lends);
        let mut sampler = Sampler::new(&clock, &mut pair);
        sampler.calibrate(&mut Chance::new(OrderPolicy::Coin, SEED), 1).unwrap();
        assert_eq!(sampler.iterations, 128);
    }
}
