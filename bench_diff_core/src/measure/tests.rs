//! A whole measurement of simulated functions: the length of its warm-up, and when it starts again.

use std::cell::Cell;
use std::rc::Rc;

use super::*;
use crate::clock::{Activity, Clock, ClockCost, ClockKind, ClockPolicy, Clocks, ManualClock, SlotClock};
use crate::gate::Gate;
use crate::judge::{Judgement, Rounds, Verdict};
use crate::note::Note;
use crate::sample::{Closures, Functions, Hooks, Side};
use crate::simulation::{ManualClocks, Noise, Reporting, plan, simulate, simulate_pair};

#[test]
fn a_warm_up_has_its_duos_and_its_time() {
    let warmup = |latency: f64, warmup| {
        let plan = Plan { slots: 4, warmup, ..plan() };
        simulate(&plan, || latency, || latency).unwrap().rounds[0][0].warmup.duos.len()
    };
    assert_eq!(warmup(20_000.0, Duration::ZERO), 16);
    // The first duos that last 10 ms are 2 of calibration and 123 of the first half, each of 80 us.
    assert_eq!(warmup(20_000.0, Duration::from_millis(10)), 123 + 8);
    assert_eq!(warmup(100e6, Duration::ZERO), 2, "long functions need no practice");
    assert_eq!(warmup(1e9, Duration::from_secs(3)), 2);
}

#[test]
fn every_execution_counts_and_an_odd_one_is_completed() {
    for (slots, duos) in [(2, 1), (3, 2), (10, 5), (50, 25), (99, 50)] {
        let plan = Plan { slots, ..plan() };
        assert_eq!(simulate(&plan, || 20e3, || 20e3).unwrap().rounds[0][0].duos.len(), duos, "{slots}");
    }
}

#[test]
fn slots_that_the_warm_up_shows_to_be_short_are_made_longer() {
    for slow_calls in [8, 20] {
        let calls = Cell::new(0);
        let after_a_while = || {
            calls.set(calls.get() + 1);
            if calls.get() <= slow_calls { 10_000.0 } else { 40.0 }
        };
        let measurement = simulate(&plan(), after_a_while, after_a_while).unwrap();
        assert_eq!(
            measurement.rounds[0][0].warmup.iterations, 256,
            "{slow_calls}: the first power of two of 10 us"
        );
        assert!(measurement.rounds[0][0].duos.iter().all(|duo| duo.total() == 4 * 256 * 40), "{slow_calls}");
    }
}

#[test]
fn a_function_that_turns_fast_gets_longer_slots() {
    for fast_after in [60, 1000] {
        let calls = Cell::new(0);
        let cached = || {
            calls.set(calls.get() + 1);
            if calls.get() <= fast_after { 14_000.0 } else { 30.0 }
        };
        let plan = Plan { slots: 10_000, ..plan() };
        let measurement = simulate(&plan, || 14_000.0, cached).unwrap();
        let recording = &measurement.rounds[0][0];
        let shortest = recording.duos.iter().map(|duo| duo.baseline[0]).min().unwrap();
        assert!(shortest >= 10_000, "{fast_after}: {shortest}");
        assert_eq!(measurement.judgement.verdict, Some(Verdict::Fail), "it is hundreds of times as slow");
    }
}

#[test]
fn a_slot_that_is_too_short_and_cannot_be_longer_is_an_error() {
    // The slower function rules out slots with more calls.
    let calls = Cell::new(0);
    let fast_later = || {
        calls.set(calls.get() + 1);
        if calls.get() <= 200 { 300_000_000.0 } else { 5.0 }
    };
    let error = simulate(&plan(), || 300_000_000.0, fast_later).unwrap_err();
    assert_eq!(
        error,
        MeasureError::ClockTooCoarse { slot: 5, steps: 10, resolution: 1, limited_by_inputs: false }
    );
    assert!(error.to_string().contains("clock too coarse"), "{error}");
}

/// Functions that get their inputs one by one. A call of each takes this many nanoseconds.
struct OneByOne<'c> {
    clock: &'c ManualClock,
    call: u64,
    empty: u64,
}

impl Hooks for &OneByOne<'_> {
    fn make_room(&mut self, _: u64) {}
    fn after_slot(&mut self) {}
    fn most_calls(&self) -> u64 {
        1
    }
    fn note(&self) -> &'static str {
        "inputs are made"
    }
}

impl Pair for OneByOne<'_> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        let this = &*self;
        let call = |time| move || this.clock.advance(Duration::from_nanos(time));
        measure(Functions {
            candidate: Side::with_hooks(&mut call(this.call), &mut { this }),
            baseline: Some(Side::with_hooks(&mut call(this.call), &mut { this })),
            empty: Side::with_hooks(&mut call(this.empty), &mut { this }),
        });
    }
}

#[test]
fn a_short_call_that_is_a_slot_by_itself_is_inconclusive() {
    let clock = ManualClock::new();
    let mut pair = OneByOne { clock: &clock, call: 30, empty: 25 };
    let measurement = simulate_pair(&clock, &plan(), &mut pair).unwrap();
    let Judgement { verdict, notes, .. } = measurement.judgement;
    assert_eq!(verdict, Some(Verdict::Inconclusive));
    assert!(notes.iter().any(|note| matches!(note, Note::TooShort { .. })), "{notes:?}");
    let recording = &measurement.rounds[0][0];
    assert!(recording.limited_by_inputs && recording.warmup.iterations == 1);
}

#[test]
fn a_short_call_on_a_coarse_clock_is_left_to_a_judge_that_knows_steps() {
    let clock = ManualClock::new();
    let ends = |call: u64, plan: &Plan| {
        let mut pair = OneByOne { clock: &clock, call, empty: 1 };
        let instruments =
            Instruments { wall: ClockCost { resolution: 10, reading: 0 }, ..Instruments::new(&clock) };
        measure_round(&instruments, &mut pair, plan, &first_round(8)).map(|recording| recording.duos.len())
    };
    let rounds = Plan { warmup: Duration::ZERO, ..Plan::default() };
    assert_eq!(ends(450, &rounds), Ok(8));
    assert_eq!(
        ends(30, &rounds),
        Err(MeasureError::ClockTooCoarse { slot: 30, steps: 4, resolution: 10, limited_by_inputs: true })
    );
    let duos = Plan { max_rounds: None, zone: Gate::MaxSlowdown(0.02).zone(), ..rounds };
    assert!(ends(450, &duos).is_err());
    assert_eq!(ends(450, &Plan { zone: None, ..duos }), Ok(8), "nothing is judged");
}

#[test]
fn the_coin_of_the_counted_duos_does_not_depend_on_the_warm_up() {
    let orders = |warmup| {
        let plan = Plan { warmup, ..plan() };
        let duos = simulate(&plan, || 20e3, || 20e3).unwrap().rounds.remove(0).remove(0).duos;
        duos.iter().map(|duo| duo.order).collect::<Vec<_>>()
    };
    assert_eq!(orders(Duration::ZERO), orders(Duration::from_millis(20)));
}

#[test]
fn the_elapsed_time_includes_everything() {
    let plan = Plan { slots: 10, ..plan() };
    let measurement = simulate(&plan, || 20e3, || 20e3).unwrap();
    // 2 duos of calibration, 16 of the warm-up, 5 that count.
    assert_eq!(measurement.elapsed(), Duration::from_micros(23 * 80));
}

/// A round of a pair on these clocks, with this many requested duos.
fn round_of(
    clocks: &ManualClocks,
    number: usize,
    duos: usize,
    first_calls: Duration,
    call: impl FnMut() + Clone,
) -> Recording {
    let plan = Plan { warmup: Duration::from_millis(2), ..Plan::default() };
    let round = Round { number, first_calls, ..first_round(duos) };
    let mut pair = Closures::new(call.clone(), call);
    measure_round(&Instruments::new(clocks), &mut pair, &plan, &round).unwrap()
}

/// The first round, with this many requested duos, of functions that nothing is known of.
fn first_round(duos: usize) -> Round {
    Round {
        number: 1,
        duos,
        stack_place: None,
        iterations: 1,
        preparing: Duration::ZERO,
        first_calls: Duration::ZERO,
        is_of_four: false,
    }
}

#[test]
fn a_round_has_the_requested_duos() {
    for duos in [1, 8, 20] {
        let clocks = ManualClocks::new();
        let recording =
            round_of(&clocks, 0, duos, Duration::ZERO, || clocks.compute(Duration::from_micros(20)));
        assert_eq!(recording.duos.len(), duos);
        assert_eq!((recording.warmup.iterations, recording.empty.len()), (1, 0));
        assert!(recording.elapsed >= Duration::from_millis(2), "warm-up included: {:?}", recording.elapsed);
    }
}

#[test]
fn only_the_first_process_records_its_warm_up() {
    for (number, duos) in [(0, 8), (1, 0), (39, 0)] {
        let clocks = ManualClocks::new();
        let recording =
            round_of(&clocks, number, 8, Duration::ZERO, || clocks.compute(Duration::from_micros(100)));
        assert_eq!(recording.warmup.duos.len(), duos);
        assert_eq!(recording.warmup.empty.len(), duos);
    }
}

#[test]
fn rounds_flip_different_coins() {
    let orders = |number| {
        let clocks = ManualClocks::new();
        let recording =
            round_of(&clocks, number, 32, Duration::ZERO, || clocks.compute(Duration::from_micros(20)));
        recording.duos.iter().map(|duo| duo.order).collect::<Vec<_>>()
    };
    assert_eq!(orders(0), orders(0));
    assert_ne!(orders(0), orders(1));
    assert_ne!(orders(1), orders(2));
}

#[test]
fn a_long_function_is_called_no_more_often_than_it_counts() {
    for number in [0, 7] {
        let (clocks, calls) = (ManualClocks::new(), Cell::new(0));
        let second = Duration::from_secs(1);
        let call = || {
            calls.set(calls.get() + 1);
            clocks.compute(second);
        };
        let recording = round_of(&clocks, number, 8, 2 * second, call);
        assert_eq!((recording.duos.len(), calls.get()), (1, 2), "instead of the eight that were requested");
        assert_eq!(recording.warmup.clock, ClockKind::Cpu);
        assert_eq!(recording.duos[0].total(), 2_000_000_000);
    }
}

#[test]
fn a_long_function_that_waits_is_timed_by_the_wall_clock() {
    let clocks = ManualClocks::new();
    let (work, pause) = (Duration::from_millis(5), Duration::from_millis(20));
    let recording = round_of(&clocks, 0, 1, 2 * (work + pause), || {
        clocks.compute(work);
        clocks.wait(pause);
    });
    assert_eq!((recording.warmup.clock, recording.duos[0].candidate), (ClockKind::Wall, [25_000_000; 2]));
    let busy = round_of(&clocks, 0, 1, 2 * (work + pause), || {
        clocks.compute(work);
        clocks.interrupt(pause);
    });
    assert_eq!((busy.warmup.clock, busy.duos[0].candidate), (ClockKind::Cpu, [5_000_000; 2]));
}

#[test]
fn one_coin_decides_the_orders_of_the_halves_of_four_processes() {
    let second = Duration::from_secs(1);
    let is_candidate_first = |number, is_of_four| {
        let clocks = ManualClocks::new();
        let round = Round { number, first_calls: 2 * second, is_of_four, ..first_round(8) };
        let call = || clocks.compute(second);
        let mut pair = Closures::new(call, call);
        let recording = measure_round(&Instruments::new(&clocks), &mut pair, &plan(), &round).unwrap();
        assert!(recording.duos[0].order.is_half());
        recording.duos[0].order.is_candidate_first()
    };
    let rounds: Vec<bool> = (0..64)
        .map(|round| {
            let [one, two, three, four] =
                [0, 1, 2, 3].map(|process| is_candidate_first(4 * round + process, true));
            assert_eq!([two, three, four], [!one, !one, one], "round {round}");
            one
        })
        .collect();
    let alone: Vec<bool> = (0..64).map(|number| is_candidate_first(number, false)).collect();
    for drawn in [rounds, alone] {
        let heads = drawn.iter().filter(|is_first| **is_first).count();
        assert!((16..48).contains(&heads), "{heads} of 64");
    }
}

#[test]
fn preparing_is_at_most_four_fifths_of_a_process() {
    let duos = |preparing, first_call| {
        let clocks = ManualClocks::new();
        let round = Round {
            first_calls: Duration::from_millis(first_call),
            preparing: Duration::from_millis(preparing),
            ..first_round(8)
        };
        let call = || clocks.compute(Duration::from_millis(10));
        let mut pair = Closures::new(call, call);
        measure_round(&Instruments::new(&clocks), &mut pair, &plan(), &round).unwrap().duos
    };
    assert!(matches!(&duos(80, 20)[..], [first] if first.order.is_half()));
    for first_call in [20, 200] {
        let [first, rest @ ..] = &duos(200, first_call)[..] else { panic!() };
        assert!(first.order.is_half() && rest.len() == 4, "five of 40 ms");
        assert!(rest.iter().all(|duo| !duo.order.is_half()));
    }
}

#[test]
fn a_function_whose_first_call_alone_is_long_gets_slots_of_many_calls() {
    let clocks = ManualClocks::new();
    let recording = round_of(&clocks, 0, 8, Duration::from_millis(80), || {
        clocks.compute(Duration::from_nanos(100));
    });
    assert_eq!((recording.warmup.iterations, recording.duos.len()), (128, 8));
}

#[test]
fn the_fixed_part_of_what_functions_report_hides_no_slowdown() {
    let started = |call: u64| move |calls: u64| 60_000 + call * calls;
    let verdict = |candidate, baseline| {
        let mut pair = Reporting(started(candidate), started(baseline));
        simulate_pair(&ManualClock::new(), &plan(), &mut pair).unwrap().judgement.verdict
    };
    assert_eq!(verdict(100, 50), Some(Verdict::Fail));
    assert_eq!(verdict(50, 50), Some(Verdict::Pass));
}

#[test]
fn a_long_call_of_a_function_that_times_itself_may_have_a_fixed_part() {
    let measured = |fixed: u64, call: u64| {
        let all = Cell::new(0);
        let reported = |calls: u64| {
            all.set(all.get() + calls);
            fixed + call * calls
        };
        let round = Round { first_calls: 2 * Duration::from_nanos(fixed + call), ..first_round(8) };
        let mut pair = Reporting(reported, reported);
        let plan = Plan { warmup: Duration::ZERO, ..Plan::default() };
        let recording = measure_round(&Instruments::new(&ManualClock::new()), &mut pair, &plan, &round);
        let recording = recording.unwrap();
        (recording.warmup.iterations, all.get())
    };
    assert_eq!(measured(2_000_000, 50).0, 1 << 18, "15 ms");
    assert_eq!(measured(0, 2_000_000).0, 1);
    assert_eq!(measured(0, 200_000_000), (1, 2), "no more calls than count");
}

/// Functions that get new inputs for each duo. Making them takes this long.
struct Prepared<'c, P> {
    clocks: &'c ManualClocks,
    setup: Duration,
    pair: P,
}

impl<P: Pair> Pair for Prepared<'_, P> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        self.clocks.compute(self.setup);
        self.pair.with_functions(measure);
    }

    fn has_fresh_inputs(&self) -> bool {
        true
    }
}

#[test]
fn functions_are_measured_for_as_long_as_preparing_them_took() {
    let duos = |preparing, setup, call| {
        let clocks = ManualClocks::new();
        let plan = Plan::default();
        let round = Round { preparing, first_calls: 2 * call, ..first_round(8) };
        let call = || clocks.compute(call);
        let mut pair = Prepared { clocks: &clocks, setup, pair: Closures::new(call, call) };
        let recording = measure_round(&Instruments::new(&clocks), &mut pair, &plan, &round).unwrap();
        recording.duos.len()
    };
    let (short, long) = (Duration::from_micros(25), Duration::from_millis(5));
    assert_eq!(duos(Duration::from_micros(200), Duration::ZERO, short), 8);
    assert_eq!(duos(Duration::from_millis(10), Duration::ZERO, short), 100, "of 100 us");
    assert_eq!(duos(Duration::from_secs(10), Duration::ZERO, short), 256, "but no more");
    assert_eq!(duos(Duration::from_millis(200), Duration::ZERO, long), 10, "of 20 ms");
    assert_eq!(duos(Duration::from_millis(200), Duration::from_millis(80), long), 2, "of 100 ms with inputs");
}

/// A function without a baseline.
struct Alone<F>(F);

impl<F: FnMut()> Pair for Alone<F> {
    fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
        measure(Functions {
            candidate: Side::plain(&mut self.0),
            baseline: None,
            empty: Side::plain(&mut || ()),
        });
    }

    fn has_baseline(&self) -> bool {
        false
    }

    fn entries(&self) -> Option<[usize; 2]> {
        Some([17; 2])
    }
}

#[test]
fn a_function_without_a_baseline_is_measured_by_itself_until_its_latency_is_known() {
    let latency_of = |latency: f64, spread: f64, max_rounds| {
        let (clocks, calls, noise) = (ManualClocks::new(), Cell::new(0), Noise::new(7));
        let plan = Plan { zone: None, max_rounds: Some(max_rounds), ..Plan::default() };
        let (mut judge, mut rounds) = (Rounds::new(&plan), Vec::new());
        while let Some(duos) = judge.next() {
            let pace = noise.log_normal(latency, spread);
            let mut function = Alone(|| {
                calls.set(calls.get() + 1);
                clocks.compute(Duration::from_nanos(pace as u64));
            });
            let number = rounds.len();
            let round = Round { number, ..first_round(duos) };
            calls.set(0);
            let recording = measure_round(&Instruments::new(&clocks), &mut function, &plan, &round).unwrap();
            assert!(!recording.has_baseline && !recording.is_one_function);
            assert!(calls.get() >= 4 * recording.warmup.iterations * recording.duos.len() as u64);
            judge.add(std::slice::from_ref(&recording)).unwrap();
            rounds.push(vec![recording]);
        }
        let measurement = Measurement::of(&plan, rounds).unwrap();
        let Judgement { verdict, ratio, interval, .. } = measurement.judgement;
        assert_eq!(verdict, None);
        assert!(interval.low <= ratio && ratio <= interval.high, "{interval:?}");
        (ratio, measurement.rounds.len())
    };
    let (latency, rounds) = latency_of(20e3, 0.0, 10);
    assert!((latency - 20_000.0).abs() < 1.0, "{latency} ns");
    assert_eq!(rounds, 5, "with fewer, there is no interval");
    let (latency, _) = latency_of(50e6, 0.0, 10);
    assert!((latency / 50e6 - 1.0).abs() < 1e-9, "{latency} ns");
    let (latency, rounds) = latency_of(200.0, 0.02, 10);
    assert!((latency / 200.0 - 1.0).abs() < 0.04 && rounds == 10, "{latency} ns in {rounds} rounds");
}

/// A machine whose clocks step by a nanosecond and take time to read.
struct SlowClocks {
    wall: SlowClock,
    cpu: Option<SlowClock>,
}

struct SlowClock {
    now: Rc<Cell<u64>>,
    reading: u64,
}

impl SlowClocks {
    fn new(wall: u64, cpu: Option<u64>) -> Self {
        let now = Rc::default();
        let clock = |reading| SlowClock { now: Rc::clone(&now), reading };
        Self { wall: clock(wall), cpu: cpu.map(clock) }
    }

    fn compute(&self, nanoseconds: u64) {
        let now = &self.wall.now;
        now.set(now.get() + nanoseconds);
    }
}

impl Clock for SlowClock {
    type Moment = u64;

    fn now(&self) -> u64 {
        self.now.set(self.now.get() + self.reading);
        self.now.get()
    }

    fn nanoseconds(&self, start: u64, end: u64) -> u64 {
        end - start
    }

    fn resolution(&self) -> u64 {
        1
    }
}

impl Clocks for SlowClocks {
    fn wall(&self) -> &dyn SlotClock {
        &self.wall
    }

    fn cpu(&self) -> Option<&dyn SlotClock> {
        self.cpu.as_ref().map(|cpu| cpu as &dyn SlotClock)
    }

    fn activity(&self) -> Option<Activity> {
        Some(Activity::default())
    }
}

/// A later process of a pair whose functions are both this one.
fn later_round(clocks: &SlowClocks, plan: &Plan, call: impl FnMut() + Clone) -> Recording {
    let round = first_round(32);
    let mut pair = Closures::new(call.clone(), call);
    measure_round(&Instruments::new(clocks), &mut pair, plan, &round).unwrap()
}

#[test]
fn a_function_of_two_speeds_has_slots_that_are_long_enough() {
    for start in 0..40 {
        let (clocks, calls) = (SlowClocks::new(230, None), Cell::new(start * 97));
        let recording = later_round(&clocks, &Plan::default(), || {
            calls.set(calls.get() + 1);
            let is_slow = calls.get() / 400 % 3 == 0;
            clocks.compute(if is_slow { 4_300 } else { 680 });
        });
        let [shorter, _] = typical_slots(&recording.duos);
        assert!(shorter >= 100 * 230, "{shorter}");
    }
}

/// Slots of 55 us suit a CPU clock that is read in 230 ns. When the functions become faster, slots of 14 us
/// don't.
#[test]
fn slots_that_get_too_short_for_the_cpu_clock_are_measured_on_the_wall_clock() {
    let measured = |policy| {
        let (clocks, calls) = (SlowClocks::new(22, Some(230)), Cell::new(0));
        let plan = Plan { clock: policy, warmup: Duration::ZERO, ..Plan::default() };
        let recording = later_round(&clocks, &plan, || {
            calls.set(calls.get() + 1);
            clocks.compute(if calls.get() < 30 { 55_000 } else { 14_000 });
        });
        (recording.warmup.clock, recording.warmup.iterations)
    };
    assert_eq!(measured(ClockPolicy::Auto), (ClockKind::Wall, 1));
    let (clock, iterations) = measured(ClockPolicy::Cpu);
    assert_eq!(clock, ClockKind::Cpu, "as demanded");
    assert!(iterations > 1, "so that slots are longer");
}
