//! Serves one function in a process that takes turns, from its first call to its last turn.

use std::mem;
use std::process;

use bench_diff_core::apart::Taken;
use bench_diff_core::{
    Activity, CACHE_LINE, Chance, Clocks, Functions, Order, OrderPolicy, Seed, Turn, saturating_nanoseconds,
};
use bench_diff_system::exit::Exit;
use bench_diff_system::{affinity, lifeline};

use super::answer::{Answer, Ready};
use super::channel::Channel;
use super::instruction::{CallsRequest, Instruction};
use crate::call::allocations::{Count, counted};
use crate::call::heap;
use crate::call::probe::{Comparison, FirstCalls};
use crate::call::work::Work;
use crate::register::MeasurePair;
use crate::run::one_pair::{MEASURES_NOTHING, with_functions_of};

/// What a serving process needs.
pub(in crate::run) struct Serving<'a> {
    pub(in crate::run) clocks: &'a dyn Clocks,
    /// The counter of allocations, if counts are requested.
    pub(in crate::run) count: Count,
    pub(in crate::run) request: &'a CallsRequest,
    /// The address of a block that was allocated before anything of the function.
    pub(in crate::run) since: usize,
    /// True if the pair has another name in this process than the run knows.
    pub(in crate::run) is_renamed: bool,
}

/// Calls the candidate of a pair once, and then whenever it is its turn. Returns the work of one call.
///
/// # Errors
///
/// If it cannot be measured, because of a panic or an `Err`.
pub(in crate::run) fn serve(
    run: &mut MeasurePair<'_>,
    serving: &Serving<'_>,
    channel: &mut Channel,
) -> Result<Work, String> {
    let mut is_served = false;
    let served = with_functions_of(run, true, |functions| match mem::replace(&mut is_served, true) {
        true => Err(MEASURES_TWICE.into()),
        false => serving.serve(functions, channel),
    });
    served.map(|((), work)| work)
}

const MEASURES_TWICE: &str =
    "it calls `iter`, or another such method, more than once, and a comparison needs one call";

impl Serving<'_> {
    fn serve(&self, functions: &mut dyn Comparison, channel: &mut Channel) -> Result<(), String> {
        let process = process::id();
        let answer = |channel: &mut Channel, answer: Answer| {
            lifeline::end_copy_of(process);
            if answer.send(channel).is_err() {
                // The run is gone.
                Exit::Error.leave();
            }
        };
        answer(channel, Answer::Ready(Box::new(self.ready(functions)?)));
        let mut turns = OwnTurns {
            clocks: self.clocks,
            chance: Chance::new(OrderPolicy::Coin, Seed(self.request.stacks))
                .with_stack_place(self.request.stack),
            begin: self.clocks.activity(),
            voluntary_switches: 0,
        };
        let mut instruction = Instruction::receive(channel);
        while instruction != Instruction::End {
            let (mut is_called, mut is_new) = (false, true);
            functions.with_functions(&mut |mut functions| {
                is_called = true;
                loop {
                    match instruction {
                        Instruction::End => return,
                        Instruction::Confine { cpu } => affinity::confine(&[cpu]),
                        // `functions` makes another input after this returns.
                        Instruction::Turn { renews: true, .. } if !is_new => return,
                        Instruction::Turn { turn, .. } => {
                            is_new = false;
                            answer(channel, Answer::Taken(turns.take(turn, &mut functions)));
                        }
                        Instruction::Inputs { calls } => {
                            let time = functions.candidate.time_of_inputs(self.clocks.wall(), calls);
                            answer(channel, Answer::Inputs(time));
                        }
                    }
                    instruction = Instruction::receive(channel);
                }
            });
            if !is_called {
                return Err(MEASURES_NOTHING.into());
            }
        }
        functions.take_error().map_or(Ok(()), Err)
    }

    /// Calls the function for the first time.
    fn ready(&self, functions: &mut dyn Comparison) -> Result<Ready, String> {
        let (now, before) = (self.clocks.wall().stopwatch(), self.clocks.activity());
        let first = FirstCalls::new(Order::CandidateFirst, &*now);
        functions.check(&first)?;
        // Only the first process counts allocations, so that is no part of preparing.
        let preparing = now();
        let fewest = self.request.counted;
        let heap = self.request.shows_heap.then(|| heap::digest(self.since));
        let allocations =
            (fewest > 0).then(|| counted(functions, Order::CandidateFirst, fewest, self.count)).flatten();
        let mut ready = Ready {
            // The measured time counts a single function for both.
            first_call: saturating_nanoseconds(first.time() / 2),
            preparing: saturating_nanoseconds(preparing),
            has_fresh_inputs: functions.has_fresh_inputs(),
            needs_room: false,
            most_calls: u64::MAX,
            is_whole_slot: false,
            times_itself: functions.times_itself(),
            place: functions.entries().map(|[candidate, _]| candidate % CACHE_LINE),
            allocations: allocations.map(|found| (found.counted, found.candidate)),
            heap,
            has_threads: false,
            is_renamed: self.is_renamed,
            call_note: None,
        };
        functions.with_functions(&mut |functions| {
            ready.is_whole_slot = functions.candidate.rest.is_some();
            if let Some(hooks) = functions.candidate.hooks {
                (ready.needs_room, ready.most_calls) = (hooks.needs_room(), hooks.most_calls());
                ready.call_note = Some(hooks.note().to_owned());
            }
        });
        let activity = self.clocks.activity().zip(before).map(|(after, before)| after.since(before));
        ready.has_threads = activity.is_some_and(Activity::may_be_of_several_threads);
        Ok(ready)
    }
}

/// The turns of this process so far.
struct OwnTurns<'c> {
    clocks: &'c dyn Clocks,
    chance: Chance,
    /// The activity before the first turn, if it can be read.
    begin: Option<Activity>,
    /// The switches during turns; between turns, the thread waits for the next one.
    voluntary_switches: u64,
}

impl OwnTurns<'_> {
    fn take(&mut self, turn: Turn, functions: &mut Functions<'_>) -> Taken {
        let before = self.clocks.activity();
        let time = turn.measure(self.clocks, functions, &mut self.chance);
        let after = before.and_then(|_| self.clocks.activity());
        let activity = self.begin.zip(before).zip(after).map(|((begin, before), after)| {
            self.voluntary_switches += after.since(before).voluntary_switches;
            Activity { voluntary_switches: self.voluntary_switches, ..after.since(begin) }
        });
        Taken { time, activity }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ops::ControlFlow;
    use std::time::Duration;

    use bench_diff_core::{ManualClock, SlotClock, SlotTime};

    use super::*;
    use crate::call::allocations::MANY;
    use crate::call::probe::Probe;
    use crate::call::value::ByClone;
    use crate::fixture::{Allocator, CLOCK, add, allocating, count, entry, ok, owned, panicking, pass, same};
    use crate::register::{Cases, visit};
    use crate::run::turns::channel;

    const TURN: Turn = Turn { is_empty: false, iterations: 10, uncounted: 1, counted: 3, by_cpu: false };

    /// The answers of a process with this pair to these requests.
    fn served(cases: fn(&mut Cases<'_>), wishes: &[Instruction]) -> Vec<Answer> {
        CLOCK.with(|clock| served_on(clock, cases, wishes))
    }

    fn served_on(clocks: &dyn Clocks, cases: fn(&mut Cases<'_>), wishes: &[Instruction]) -> Vec<Answer> {
        let (mut run, mut process) = channel::both();
        wishes.iter().chain(&[Instruction::End]).for_each(|instruction| instruction.send(&mut run).unwrap());
        let request = CallsRequest { stack: None, stacks: 3, counted: MANY, shows_heap: false };
        let serving = Serving { clocks, count, request: &request, since: 0, is_renamed: false };
        let mut done = Err(String::new());
        visit(&entry("a", 1, cases), &mut |_, run| {
            done = serve(run, &serving, &mut process);
            ControlFlow::Break(())
        })
        .unwrap();
        Answer::Done(done).send(&mut process).unwrap();
        drop(process);
        std::iter::from_fn(|| Answer::receive(&mut run, &mut || Ok(())).unwrap()).collect()
    }

    fn slot(answer: &Answer) -> u64 {
        match answer {
            Answer::Taken(Taken { time: SlotTime { wall, without_rest, cpu: None }, .. })
                if wall == without_rest =>
            {
                *wall
            }
            other => panic!("{other:?}"),
        }
    }

    fn of_100_ns(cases: &mut Cases<'_>) {
        add(cases, || pass(100), || panic!("the baseline is not called"));
    }

    #[test]
    fn a_function_is_called_once_and_then_in_turns() {
        let empty = Turn { is_empty: true, ..TURN };
        let single = Turn { iterations: 1, uncounted: 0, counted: 1, ..TURN };
        let wishes = [TURN, empty, single].map(|turn| Instruction::Turn { turn, renews: false });
        let answers = served(of_100_ns, &wishes);
        let [Answer::Ready(ready), turns @ .., Answer::Done(Ok(work))] = &answers[..] else {
            panic!("{answers:?}")
        };
        assert_eq!(ready.first_call, 100);
        assert!(!ready.has_fresh_inputs && !ready.needs_room && !ready.is_whole_slot && !ready.times_itself);
        assert!(ready.place.is_some_and(|place| place < 64));
        assert_eq!(*work, Work::default());
        assert_eq!(turns.iter().map(slot).collect::<Vec<_>>(), [1_000, 0, 100]);
    }

    #[test]
    fn a_function_may_time_itself() {
        fn own(cases: &mut Cases<'_>) {
            cases.add(|probe| probe.iter_custom(Duration::from_micros));
        }
        let answers = served(own, &[Instruction::Turn { turn: TURN, renews: false }]);
        let [Answer::Ready(ready), turn, Answer::Done(Ok(_))] = &answers[..] else { panic!("{answers:?}") };
        assert!(ready.times_itself && ready.function().times_itself);
        assert_eq!(slot(turn), 10_000);
    }

    /// A process whose other threads worked for a second before.
    struct Busy(ManualClock);

    impl Clocks for Busy {
        fn wall(&self) -> &dyn SlotClock {
            self.0.wall()
        }

        fn activity(&self) -> Option<Activity> {
            Some(Activity { voluntary_switches: 5, other_threads_cpu: Duration::from_secs(1) })
        }
    }

    #[test]
    fn activity_before_the_turns_does_not_count() {
        let answers = served_on(
            &Busy(ManualClock::new()),
            of_100_ns,
            &[Instruction::Turn { turn: TURN, renews: false }],
        );
        let activity = answers.iter().find_map(|answer| match answer {
            Answer::Taken(taken) => taken.activity,
            _ => None,
        });
        assert_eq!(activity, Some(Activity::default()));
    }

    /// A process whose other threads work for a few microseconds between two readings.
    struct StartsThreads(ManualClock, Cell<Duration>);

    impl Clocks for StartsThreads {
        fn wall(&self) -> &dyn SlotClock {
            self.0.wall()
        }

        fn activity(&self) -> Option<Activity> {
            self.1.set(self.1.get() + Duration::from_micros(7));
            Some(Activity { voluntary_switches: 0, other_threads_cpu: self.1.get() })
        }
    }

    #[test]
    fn threads_that_work_briefly_in_the_first_calls_are_told() {
        let has_threads = |clocks: &dyn Clocks| match &served_on(clocks, of_100_ns, &[])[..] {
            [Answer::Ready(ready), Answer::Done(Ok(_))] => ready.has_threads,
            other => panic!("{other:?}"),
        };
        assert!(has_threads(&StartsThreads(ManualClock::new(), Cell::default())));
        assert!(!has_threads(&Busy(ManualClock::new())), "they worked before");
        assert!(!has_threads(&ManualClock::new()));
    }

    #[test]
    fn each_duo_may_have_its_own_input() {
        fn fresh(cases: &mut Cases<'_>) {
            cases.add(|probe| {
                let make = || {
                    CLOCK.with(|clock| clock.advance(Duration::from_nanos(7)));
                    vec![1]
                };
                let take = |input: Vec<u64>| {
                    pass(100);
                    Ok(input)
                };
                probe.by_value(take, take, make, |_| ByClone, same);
            });
        }
        let wishes = [
            Instruction::Turn { turn: TURN, renews: true },
            Instruction::Turn { turn: TURN, renews: false },
            Instruction::Inputs { calls: 3 },
            Instruction::Turn { turn: TURN, renews: true },
        ];
        let answers = served(fresh, &wishes);
        let [Answer::Ready(ready), one, two, Answer::Inputs(0), three, Answer::Done(Ok(_))] = &answers[..]
        else {
            panic!("{answers:?}")
        };
        assert!(ready.has_fresh_inputs && ready.needs_room);
        assert_eq!([one, two, three].map(slot), [1_000; 3], "inputs are made around slots");
        let outputs = served(owned, &[]);
        let Answer::Ready(ready) = &outputs[0] else { panic!("{outputs:?}") };
        assert!(!ready.has_fresh_inputs && ready.needs_room);
    }

    /// A maker of inputs may leave something in a map that the call with its input removes.
    #[test]
    fn each_input_has_one_call_in_the_order_in_which_they_are_made() {
        fn in_order(cases: &mut Cases<'_>) {
            cases.add(|probe| {
                let (mut made, mut called) = (0, 0);
                let make = || {
                    made += 1;
                    made
                };
                let take = |number: u64| {
                    pass(100);
                    called += 1;
                    assert_eq!(number, called);
                };
                probe.without_baseline();
                probe.iter_batched(make, take, u64::MAX);
            });
        }
        let turn = |is_empty| Instruction::Turn { turn: Turn { is_empty, ..TURN }, renews: is_empty };
        let inputs = Instruction::Inputs { calls: TURN.iterations };
        let answers = served(in_order, &[inputs, turn(false), turn(true), inputs, turn(true), turn(false)]);
        let turns: Vec<u64> =
            answers.iter().filter(|answer| matches!(answer, Answer::Taken(_))).map(slot).collect();
        assert_eq!(turns, [1_000, 0, 0, 1_000], "{answers:?}");
        assert!(matches!(answers.last(), Some(Answer::Done(Ok(_)))), "{answers:?}");
    }

    #[test]
    fn inputs_that_take_too_long_do_not_stay_for_the_next_try() {
        fn dear(cases: &mut Cases<'_>) {
            cases.add(|probe| {
                probe.without_baseline();
                let make = || CLOCK.with(|clock| clock.advance(Duration::from_millis(6)));
                probe.iter_batched(make, |()| pass(100), u64::MAX);
            });
        }
        let of = |calls| Instruction::Inputs { calls };
        let answers = served(dear, &[of(2), of(2), of(1), of(1)]);
        let times = [12_000_000, 12_000_000, 6_000_000, 0].map(Answer::Inputs);
        assert_eq!(answers[1..5], times, "{answers:?}");
    }

    #[test]
    fn errors_end_the_turns() {
        fn late(cases: &mut Cases<'_>) {
            let calls = Cell::new(0);
            let call = move || {
                pass(100);
                calls.set(calls.get() + 1);
                if calls.get() > 20 { Err("too often".to_owned()) } else { Ok(()) }
            };
            cases.add(move |probe| probe.compare_0(&call, ok(|| ()), same));
        }
        let wishes = [
            Instruction::Turn { turn: TURN, renews: false },
            Instruction::Turn { turn: TURN, renews: false },
        ];
        let answers = served(panicking, &wishes);
        assert!(
            matches!(&answers[..], [Answer::Done(Err(failed))] if failed.starts_with("panicked at ")),
            "{answers:?}"
        );
        let answers = served(late, &wishes);
        let Some(Answer::Done(Err(failed))) = answers.last() else { panic!("{answers:?}") };
        assert!(failed.ends_with("returned an error: too often"), "{failed:?}");
        fn twice(probe: &mut Probe<'_>) {
            (0..2).for_each(|_| probe.iter(|| pass(100)));
        }
        let answers = served(|cases| cases.add(twice), &wishes);
        let Some(Answer::Done(Err(failed))) = answers.last() else { panic!("{answers:?}") };
        assert_eq!(failed, MEASURES_TWICE);
        let answers = served(|cases| cases.add(|_| {}), &wishes);
        assert!(
            matches!(&answers[..], [Answer::Done(Err(failed))] if failed == MEASURES_NOTHING),
            "{answers:?}"
        );
    }

    #[test]
    fn only_allocations_of_the_function_count() {
        let _allocator = Allocator::new();
        let answers = served(allocating, &[]);
        let Some(Answer::Ready(ready)) = answers.first() else { panic!("{answers:?}") };
        let (counted, allocations) = ready.allocations.unwrap();
        assert!(counted == MANY && allocations.calls > 0, "{allocations:?}");
    }
}
