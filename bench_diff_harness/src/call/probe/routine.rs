//! A single function, which may change its captured variables.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use bench_diff_core::{Call, SelfTimed};

use super::Probe;
use super::passing::{ByMut, ByValue, Given};
use super::results::Results;
use super::single_threaded::{Room, alone, with_routine};
use super::source::{Batch, Source};
use crate::call::work::Work;

impl Probe<'_> {
    /// Sets the bytes and the items that one call works on; 0 means none. Call it before the methods below.
    pub fn throughput(&mut self, bytes: Option<u64>, items: Option<u64>) {
        self.work_of_call = Ok(Work::unless_zero(bytes, items));
    }

    /// Measures a function, including the drop of its output.
    pub fn iter<V>(&mut self, mut routine: impl FnMut() -> V) {
        let mut call = || drop(black_box(routine()));
        let room = Room::<(), ()>::default();
        self.without_inputs(&room, &mut call);
    }

    /// Measures a function by its own clock: it gets a number of calls to make, and returns the time that
    /// they took.
    pub fn iter_custom(&mut self, routine: impl FnMut(u64) -> Duration) {
        // The time of the routine includes no part of a call, so the empty function takes no time either.
        let functions: [&mut dyn Call; 2] = [&mut SelfTimed(routine), &mut SelfTimed(|_| Duration::ZERO)];
        let room = (&Batch::<()>::default(), &Room::<(), ()>::default());
        alone(functions, room, None, u64::MAX, |pair| (self.work)(pair));
    }

    /// Measures a function without the drop of its outputs, which are dropped after each slot.
    pub fn iter_with_large_drop<V>(&mut self, mut routine: impl FnMut() -> V) {
        let room = Room::<V, ()>::default();
        let outputs = &room.of_candidate;
        let mut call = || outputs.keep(Ok(routine()));
        self.without_inputs(&room, &mut call);
    }

    /// Measures a function that takes an input. Inputs are made before a slot of at most `most_calls` calls,
    /// and outputs are dropped after it.
    pub fn iter_batched<I, V>(
        &mut self,
        setup: impl FnMut() -> I,
        mut routine: impl FnMut(I) -> V,
        most_calls: u64,
    ) {
        let setup = RefCell::new(setup);
        let make = || (setup.borrow_mut())();
        let room = (&Batch::default(), &Room::<V, ()>::default());
        let (batch, outputs): (&Batch<I>, &Results<V>) = (room.0, &room.1.of_candidate);
        let mut call = || outputs.keep(Ok(routine(black_box(batch.take()))));
        let source = Some(Source::made_anew(&make));
        with_routine(&ByValue, room, &mut call, source, most_calls, |pair| (self.work)(pair));
    }

    /// Like [`iter_batched`](Self::iter_batched), for a function that borrows its input.
    pub fn iter_batched_ref<I, V>(
        &mut self,
        setup: impl FnMut() -> I,
        mut routine: impl FnMut(&mut I) -> V,
        most_calls: u64,
    ) {
        let setup = RefCell::new(setup);
        let make = || (setup.borrow_mut())();
        let room = (&Batch::default(), &Room::<V, ()>::default());
        let (batch, outputs): (&Batch<I>, &Results<V>) = (room.0, &room.1.of_candidate);
        let mut call = || batch.with_next(|input| outputs.keep(Ok(routine(black_box(input)))));
        let source = Some(Source::made_anew(&make));
        let same = ByMut::new(|input: &mut I| input);
        with_routine(&same, room, &mut call, source, most_calls, |pair| (self.work)(pair));
    }

    fn without_inputs<V>(&mut self, room: &Room<V, ()>, routine: &mut dyn Call) {
        let room = (&Batch::default(), room);
        with_routine(&Given(|| ()), room, routine, None, u64::MAX, |pair| (self.work)(pair));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use bench_diff_core::{Instruments, ManualClock, Order, Round, measure_round};

    use super::super::{Check, FirstCalls, work_on};
    use super::*;
    use crate::fixture::{entry_alone, planned};

    /// The duration of a call, and of making an input or dropping an output, in nanoseconds.
    const CALL: Duration = Duration::from_nanos(1000);
    const AROUND: Duration = Duration::from_nanos(70);

    struct Output<'c>(&'c ManualClock);

    impl Drop for Output<'_> {
        fn drop(&mut self) {
            self.0.advance(AROUND);
        }
    }

    /// The number of calls in a slot, and the time of one call in nanoseconds, which is the same in all
    /// slots.
    fn call(clock: &ManualClock, run: impl FnOnce(&mut Probe<'_>)) -> (u64, u64) {
        let plan = planned("", &[entry_alone("a", 1)]).pairs[0].plan;
        let round = Round {
            number: 0,
            stack_place: None,
            duos: 10,
            iterations: 1,
            preparing: Duration::ZERO,
            first_calls: Duration::ZERO,
            is_of_four: false,
        };
        let alone = |probe: &mut Probe<'_>| {
            probe.without_baseline();
            run(probe);
        };
        let recording = work_on(alone, |pair| {
            assert_eq!(
                pair.check(&FirstCalls::new(Order::CandidateFirst, &|| Duration::ZERO)),
                Ok(Check::None)
            );
            measure_round(&Instruments::new(clock), pair, &plan, &round).unwrap()
        });
        let recording = recording.unwrap();
        let calls = recording.warmup.iterations;
        let times: Vec<u64> = recording.duos.iter().flat_map(|duo| duo.candidate).collect();
        assert!(times.iter().all(|time| *time == times[0]), "{times:?}");
        (calls, times[0] / calls)
    }

    #[test]
    fn an_output_is_dropped_in_what_is_timed_or_after_it() {
        let clock = ManualClock::new();
        let routine = || {
            clock.advance(CALL);
            Output(&clock)
        };
        assert_eq!(call(&clock, |probe| probe.iter(routine)).1, 1070);
        assert_eq!(call(&clock, |probe| probe.iter_with_large_drop(routine)).1, 1000);
    }

    #[test]
    fn inputs_are_made_before_a_slot_of_so_many_calls() {
        let clock = ManualClock::new();
        let made = Cell::new(0_u64);
        let setup = || {
            clock.advance(AROUND);
            made.set(made.get() + 1);
            Output(&clock)
        };
        let batched = |probe: &mut Probe<'_>| {
            let keep = |input| {
                clock.advance(CALL);
                input
            };
            probe.iter_batched(setup, keep, 1);
        };
        assert_eq!(call(&clock, batched), (1, 1000));
        let borrowed = |probe: &mut Probe<'_>| {
            probe.iter_batched_ref(setup, |_| clock.advance(CALL), 4);
        };
        assert_eq!(call(&clock, borrowed), (4, 1000));
        assert!(made.get() > 20);
    }

    #[test]
    fn the_first_output_is_dropped_before_its_input_as_later_ones_are() {
        struct Value<'d>(&'d RefCell<String>, char);

        impl Drop for Value<'_> {
            fn drop(&mut self) {
                self.0.borrow_mut().push(self.1);
            }
        }

        let (clock, dropped) = (ManualClock::new(), RefCell::default());
        let routine = |_: &mut Value<'_>| {
            clock.advance(CALL);
            Value(&dropped, 'o')
        };
        call(&clock, |probe| probe.iter_batched_ref(|| Value(&dropped, 'i'), routine, 1));
        let dropped = dropped.into_inner();
        assert!(dropped.starts_with("oioi") && !dropped.contains("ii"), "{dropped}");
    }

    #[test]
    fn each_input_is_used_once_in_the_order_in_which_they_are_made() {
        let clock = ManualClock::new();
        let (made, used) = (Cell::new(0_u64), Cell::new(0_u64));
        let setup = || {
            made.set(made.get() + 1);
            made.get()
        };
        let in_order = |number: u64| {
            clock.advance(CALL);
            used.set(used.get() + 1);
            assert_eq!(number, used.get());
        };
        let (calls, _) = call(&clock, |probe| probe.iter_batched(setup, in_order, u64::MAX));
        let left = made.get() - used.get();
        assert!(calls > 1 && left <= calls, "{left} inputs are left, and a slot has {calls}");
        made.set(0);
        used.set(0);
        call(&clock, |probe| probe.iter_batched_ref(setup, |number| in_order(*number), u64::MAX));
        assert!(made.get() - used.get() <= calls);
    }

    #[test]
    fn a_function_may_change_captured_variables() {
        let (clock, mut calls) = (ManualClock::new(), 0_u64);
        call(&clock, |probe| {
            probe.iter(|| {
                clock.advance(CALL);
                calls += 1;
            });
        });
        assert!(calls > 20);
    }

    #[test]
    fn a_function_may_time_itself() {
        let clock = ManualClock::new();
        let own = |calls: u64| {
            clock.advance(CALL);
            Duration::from_nanos(300 * calls)
        };
        assert_eq!(call(&clock, |probe| probe.iter_custom(own)).1, 300);
    }

    #[test]
    fn a_function_that_times_itself_has_no_overhead() {
        let own_time = work_on(
            |probe| probe.iter_custom(|_| CALL),
            |pair| {
                let mut own_time = None;
                pair.with_functions(&mut |functions| own_time = functions.empty.call.own_time(7));
                own_time
            },
        );
        assert_eq!(own_time, Some(Some(0)));
    }
}
