//! Two processes on a manual clock, whose functions take a fixed time.

use std::time::Duration;

use super::*;
use crate::clock::{Activity, ClockCost, ClockKind, Clocks, Instruments, ManualClock};
use crate::coin::{Chance, Coin, OrderPolicy, Seed};
use crate::duo::Order;
use crate::gate::Gate;
use crate::judge::{Rounds, Verdict};
use crate::measure::{Round, measure_round};
use crate::plan::Plan;
use crate::sample::{Closures, LONGEST_FOR_INPUTS, Pair, Recording, SlotTime, Turn};

/// The time that handing over from one process to the other takes.
const HANDED_OVER: u64 = 3_300;

/// The duos of an ordinary round.
const DUOS: usize = 24;

/// Two processes whose calls take this many nanoseconds.
struct Processes<'c> {
    clock: &'c ManualClock,
    calls: [u64; 2],
    /// The fixed time of a slot, in nanoseconds.
    start: u64,
    inputs: u64,
    /// The inputs of each function that are made and not used.
    made: [u64; 2],
    /// The voluntary switches of each turn.
    switches: u64,
    activities: [Activity; 2],
    /// The number of turns after which a process is gone.
    ends_after: usize,
    taken: Vec<(Function, Turn, bool)>,
}

impl<'c> Processes<'c> {
    fn new(clock: &'c ManualClock, calls: [u64; 2]) -> Self {
        let activities = Default::default();
        let (ends_after, taken) = (usize::MAX, Vec::new());
        let (inputs, made) = (0, [0; 2]);
        Self { clock, calls, start: 0, inputs, made, switches: 0, activities, ends_after, taken }
    }

    /// Records a round of functions that share the properties of `like`, apart from their times.
    fn recorded(&mut self, plan: &Plan, number: usize, duos: usize, like: FunctionApart) -> Recording {
        let clocks = ClocksApart::new(self.clock, true);
        let functions =
            self.calls.map(|call| FunctionApart { first_call: Duration::from_nanos(call), ..like });
        recorded(self, &clocks, functions, plan, Round { number, duos, ..ROUND })
    }
}

impl Turns for Processes<'_> {
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken> {
        self.taken.push((function, turn, renews));
        self.made[function as usize] = 0;
        if self.taken.len() > self.ends_after {
            return None;
        }
        let call = if turn.is_empty { 1 } else { self.calls[function as usize] };
        let slot = self.start + turn.iterations * call;
        let all = HANDED_OVER + slot * (turn.uncounted + turn.counted);
        self.clock.advance(Duration::from_nanos(all));
        let activity = &mut self.activities[function as usize];
        activity.voluntary_switches += self.switches;
        let cpu = turn.by_cpu.then_some(slot);
        Some(Taken { time: SlotTime { wall: slot, without_rest: slot, cpu }, activity: Some(*activity) })
    }

    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64> {
        let made = &mut self.made[function as usize];
        let time = self.inputs * iterations.saturating_sub(*made);
        *made = if time <= LONGEST_FOR_INPUTS { iterations } else { 0 };
        Some(time)
    }
}

pub(super) const LIKE: FunctionApart = FunctionApart {
    first_call: Duration::ZERO,
    has_fresh_inputs: false,
    needs_room: false,
    most_calls: u64::MAX,
    is_whole_slot: false,
    times_itself: false,
    entry: None,
};

pub(super) const ROUND: Round = Round {
    number: 0,
    stack_place: None,
    iterations: 1,
    duos: DUOS,
    preparing: Duration::ZERO,
    first_calls: Duration::ZERO,
    is_of_four: false,
};

/// Records a round of two functions, which have just been called for the first time.
pub(super) fn recorded(
    turns: &mut dyn Turns,
    clocks: &ClocksApart<'_>,
    functions: [FunctionApart; 2],
    plan: &Plan,
    round: Round,
) -> Recording {
    let wall = ClockCost { resolution: 1, reading: 25 };
    let cpu = clocks.cpu().map(|_| ClockCost { reading: 300, ..wall });
    let instruments = Instruments { clocks, wall, cpu, empty_call: 1.0 };
    let mut pair = Apart::new(turns, clocks, functions);
    let round = Round { first_calls: pair.first_calls(), ..round };
    measure_round(&instruments, &mut pair, plan, &round).unwrap()
}

fn plan() -> Plan {
    Plan { seed: Seed(7), ..Plan::default() }
}

#[test]
fn a_round_of_turns_does_not_count_the_time_between_them() {
    let clock = ManualClock::new();
    for calls in [[150, 100], [100, 150], [30_000, 20_000], [3_000_000, 2_000_000]] {
        let mut processes = Processes::new(&clock, calls);
        let recording = processes.recorded(&plan(), 0, DUOS, LIKE);
        let (iterations, [candidate, baseline]) = (recording.warmup.iterations, calls);
        assert!(iterations * baseline.min(candidate) >= 10_000, "{iterations}");
        assert!(!recording.duos.is_empty());
        for duo in &recording.duos {
            assert_eq!(
                (duo.candidate, duo.baseline),
                ([iterations * candidate; 2], [iterations * baseline; 2])
            );
        }
        let kind = if iterations * 20 >= 60_000 { ClockKind::Cpu } else { recording.warmup.clock };
        assert_eq!(recording.warmup.clock, kind);
    }
}

#[test]
fn the_coin_decides_who_takes_the_first_turn_of_a_duo() {
    let clock = ManualClock::new();
    let mut processes = Processes::new(&clock, [100, 100]);
    let number = 5;
    let recording = processes.recorded(&plan(), number, DUOS, LIKE);
    let mut coin = Coin::new(OrderPolicy::Coin, plan().seed.for_round(number));
    assert!(recording.duos.iter().all(|duo| duo.order == coin.flip()));
    let turns: Vec<Function> = processes
        .taken
        .iter()
        .filter(|(_, turn, _)| !turn.is_empty)
        .map(|(function, ..)| *function)
        .collect();
    let last = &turns[turns.len() - 4 * recording.duos.len()..];
    for (duo, turns) in recording.duos.iter().zip(last.chunks(4)) {
        use Function::{Baseline, Candidate};
        let outer = if duo.order == Order::CandidateFirst { Candidate } else { Baseline };
        let inner = if outer == Candidate { Baseline } else { Candidate };
        assert_eq!(turns, [outer, inner, inner, outer]);
    }
}

#[test]
fn the_activity_of_both_processes_decides_which_clock_is_used() {
    let clock = ManualClock::new();
    let clock_of = |switches| {
        let mut processes = Processes { switches, ..Processes::new(&clock, [100_000, 100_000]) };
        let recording = processes.recorded(&plan(), 1, DUOS, LIKE);
        let last = processes.taken.iter().rfind(|(_, turn, _)| !turn.is_empty).unwrap().1;
        assert_eq!(last.by_cpu, recording.warmup.clock == ClockKind::Cpu);
        recording.warmup.clock
    };
    assert_eq!(clock_of(0), ClockKind::Cpu);
    assert_eq!(clock_of(1), ClockKind::Wall, "one that waits");
}

#[test]
fn only_short_slots_follow_uncounted_ones() {
    let clock = ManualClock::new();
    let last = |calls| {
        let mut processes = Processes::new(&clock, calls);
        processes.recorded(&plan(), 1, DUOS, LIKE);
        let (_, Turn { iterations, uncounted, counted, .. }, _) = *processes.taken.last().unwrap();
        (iterations, uncounted, counted)
    };
    assert_eq!(last([100, 100]), (128, 1, 3));
    assert_eq!(last([300_000, 400_000]), (1, 1, 1), "calls may differ");
    assert_eq!(last([11_000_000, 1_500_000]), (1, 0, 1));
}

/// The verdict on functions whose calls take this many milliseconds, and the turns of each round.
fn judged(calls: [u64; 2]) -> (Verdict, Vec<Vec<Turn>>) {
    let (zone, max_rounds) = (Gate::MaxSlowdown(0.02).zone(), Some(40));
    let plan = Plan { zone, alpha: 0.01, max_rounds, max_time: Duration::from_secs(600), ..plan() };
    let (clock, mut judge) = (ManualClock::new(), Rounds::new(&plan));
    let (mut rounds, mut turns) = (Vec::new(), Vec::new());
    while let Some(duos) = judge.next() {
        let calls = calls.map(|call| call * 1_000_000);
        let mut processes = Processes::new(&clock, calls);
        let recording = processes.recorded(&plan, rounds.len(), duos, LIKE);
        let [candidate, baseline] = calls.map(|call| [call; 2]);
        assert!(recording.duos.iter().all(|duo| (duo.candidate, duo.baseline) == (candidate, baseline)));
        turns.push(processes.taken.iter().map(|(_, turn, _)| *turn).collect());
        rounds.push(vec![recording]);
        judge.add(rounds.last().unwrap()).unwrap();
    }
    (judge.verdict().unwrap(), turns)
}

#[test]
fn functions_that_take_a_second_are_called_a_few_times() {
    for [candidate, baseline] in [[100, 100], [105, 100], [1_000, 1_000], [2_500, 1_000], [1_000, 2_500]] {
        let (verdict, rounds) = judged([candidate, baseline]);
        let expected = if candidate > baseline { Verdict::Fail } else { Verdict::Pass };
        assert_eq!(verdict, expected, "{candidate} ms against {baseline} ms");
        assert!(rounds.len() <= 12, "{}", rounds.len());
        for turns in rounds {
            assert_eq!(turns.len(), 2, "half a duo without a warm-up");
            assert!(
                turns.iter().all(|turn| (turn.iterations, turn.uncounted, turn.counted) == (1, 0, 1)),
                "{turns:?}"
            );
        }
    }
}

#[test]
fn both_functions_get_a_new_input_for_every_duo() {
    let clock = ManualClock::new();
    let fresh = FunctionApart { has_fresh_inputs: true, needs_room: true, ..LIKE };
    let mut processes = Processes::new(&clock, [100, 100]);
    let duos = processes.recorded(&plan(), 1, DUOS, fresh).duos.len();
    let turns: Vec<bool> =
        processes.taken.iter().filter(|(_, turn, _)| !turn.is_empty).map(|(.., renews)| *renews).collect();
    for duo in turns[turns.len() - 4 * duos..].chunks(4) {
        assert_eq!(duo, [true, true, false, false]);
    }
    let mut costly = Processes { inputs: 80_000, ..Processes::new(&clock, [100, 100]) };
    let recording = costly.recorded(&plan(), 1, DUOS, fresh);
    assert!(recording.limited_by_inputs && recording.warmup.iterations == 64, "128 inputs take 10.24 ms");
    for (inputs, most_calls, expected) in
        [(0, 1, 50), (1_000_000, 1, 10), (30_000_000, 1, 1), (1_000_000, 2, 5)]
    {
        let mut processes = Processes { inputs, ..Processes::new(&clock, [200, 200]) };
        processes.recorded(&plan(), 1, DUOS, FunctionApart { most_calls, ..fresh });
        let (_, turn, _) = processes.taken.iter().rfind(|(_, turn, _)| !turn.is_empty).unwrap();
        assert_eq!(
            (turn.iterations, turn.uncounted),
            (most_calls, expected),
            "each uncounted slot takes inputs"
        );
    }
}

#[test]
fn slots_are_long_against_the_fixed_part_of_what_the_functions_report() {
    let clock = ManualClock::new();
    for times_itself in [true, false] {
        let mut processes = Processes { start: 200_000, ..Processes::new(&clock, [100, 50]) };
        let recording = processes.recorded(&plan(), 1, DUOS, FunctionApart { times_itself, ..LIKE });
        let expected = if times_itself { 65_536 } else { 1 };
        assert_eq!(recording.warmup.iterations, expected, "3.5 ms are 17 times as long as 200 us");
    }
}

#[test]
fn a_process_that_is_gone_ends_a_round_soon() {
    let clock = ManualClock::new();
    for ends_after in [0, 1, 7, 100] {
        let mut processes = Processes { ends_after, ..Processes::new(&clock, [100, 100]) };
        processes.recorded(&plan(), 0, DUOS, LIKE);
        assert!(processes.taken.len() < ends_after + 1000, "{}", processes.taken.len());
    }
}

#[test]
fn a_slot_with_other_threads_ends_with_the_last_of_them() {
    let clock = ManualClock::new();
    struct Team<'c>(Processes<'c>);
    impl Turns for Team<'_> {
        fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken> {
            let mut taken = self.0.turn(function, turn, renews)?;
            taken.time.without_rest = taken.time.wall / 2;
            Some(taken)
        }
        fn time_of_inputs(&mut self, _: Function, _: u64) -> Option<u64> {
            None
        }
    }
    let clocks = ClocksApart::new(&clock, false);
    let mut team = Team(Processes::new(&clock, [300, 200]));
    let whole = FunctionApart { is_whole_slot: true, ..LIKE };
    let recording = recorded(&mut team, &clocks, [whole; 2], &plan(), Round { number: 1, duos: 8, ..ROUND });
    let iterations = recording.warmup.iterations;
    assert!(iterations * 100 >= 10_000, "half of the shorter slot is without waiting");
    assert_eq!(recording.duos[0].candidate, [300 * iterations; 2]);
    assert_eq!(clocks.activity().unwrap(), Activity::default());
    let slots = |turn: &Turn| turn.uncounted + turn.counted;
    assert!(team.0.taken.iter().all(|(_, turn, _)| slots(turn) == 2), "starting a slot takes time");
}

/// Two processes that take turns as real ones do. Every 16th call of the candidate is slow.
struct EachSixteenth<'c> {
    clock: &'c ManualClock,
    chances: [Chance; 2],
    calls: [u64; 2],
}

impl Turns for EachSixteenth<'_> {
    fn turn(&mut self, function: Function, turn: Turn, _: bool) -> Option<Taken> {
        let Self { clock, chances, calls } = self;
        let side = function as usize;
        let call = || {
            calls[side] += 1;
            let is_slow = function == Function::Candidate && calls[side].is_multiple_of(16);
            clock.advance(Duration::from_micros(if is_slow { 200 } else { 20 }));
        };
        let mut time = SlotTime::default();
        Closures::new(call, || panic!("it is in another process")).with_functions(&mut |mut functions| {
            time = turn.measure(*clock, &mut functions, &mut chances[side]);
        });
        Some(Taken { time, activity: None })
    }

    fn time_of_inputs(&mut self, _: Function, _: u64) -> Option<u64> {
        None
    }
}

#[test]
fn periodically_slow_calls_are_counted_as_often_as_they_come() {
    let (clock, plan) = (ManualClock::new(), Plan { warmup: Duration::ZERO, ..plan() });
    let chance = |seed| Chance::new(OrderPolicy::Coin, Seed(seed));
    let mut processes = EachSixteenth { clock: &clock, chances: [chance(1), chance(2)], calls: [1; 2] };
    let clocks = ClocksApart::new(&clock, false);
    let like = FunctionApart { first_call: Duration::from_micros(20), ..LIKE };
    let recording = recorded(&mut processes, &clocks, [like; 2], &plan, Round { duos: 512, ..ROUND });
    let slow = recording.duos.iter().flat_map(|duo| duo.candidate).filter(|slot| *slot > 100_000).count();
    assert_eq!((recording.warmup.iterations, recording.duos.len()), (1, 512));
    assert!((32..=96).contains(&slow), "{slow} of 1024, of which 64 are expected");
}
