//! Why a turn reports the median of three slots: two processes on a manual clock, whose slots vary or are
//! interrupted.

use std::cell::Cell;
use std::time::Duration;

use super::tests::{LIKE, ROUND, recorded};
use super::*;
use crate::clock::ManualClock;
use crate::coin::{Chance, OrderPolicy, Seed};
use crate::gate::Gate;
use crate::judge::{Rounds, Verdict};
use crate::measure::Round;
use crate::plan::Plan;
use crate::sample::{Closures, Pair, Recording, SlotTime, Turn};
use crate::simulation::Noise;

const RUNS: u64 = 40;

/// The processes of a round.
const PROGRAMS: usize = 4;

/// The slots of a function: the typical call in nanoseconds, the standard deviation of the logarithm of a
/// slot, and the share of slots that are interrupted, each by a third of its time on average.
#[derive(Clone, Copy)]
struct Slots {
    call: f64,
    spread: f64,
    interrupted: f64,
}

/// What a turn reports about its slots.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reported {
    /// As in [`Turn`]: the median of three.
    ByTurn,
    ShorterOfTwo,
    MeanOfTwo,
}

/// Two processes that take turns as real ones do.
struct Processes<'a> {
    clock: &'a ManualClock,
    noise: &'a Noise,
    sides: [Slots; 2],
    reported: Reported,
    chance: Chance,
}

impl Turns for Processes<'_> {
    fn turn(&mut self, function: Function, turn: Turn, _: bool) -> Option<Taken> {
        let Slots { call, spread, interrupted } = self.sides[function as usize];
        let Self { clock, noise, .. } = *self;
        let (calls, pace) = (Cell::new(0), Cell::new(0.0));
        let function = || {
            if calls.get() % turn.iterations == 0 {
                pace.set(noise.log_normal(call, spread));
                if noise.uniform() < interrupted {
                    let slot = call * turn.iterations as f64;
                    clock.advance(Duration::from_nanos((slot / -3.0 * noise.uniform().ln()) as u64));
                }
            }
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_nanos(pace.get() as u64));
        };
        let mut pair = Closures::new(function, || panic!("it is in another process"));
        let mut taken = |turn: Turn| {
            let mut time = SlotTime::default();
            pair.with_functions(&mut |mut functions| {
                time = turn.measure(clock, &mut functions, &mut self.chance);
            });
            time.wall
        };
        let mut single = || taken(Turn { uncounted: 0, counted: 1, ..turn });
        let wall = match self.reported {
            Reported::ByTurn => taken(turn),
            Reported::ShorterOfTwo => single().min(single()),
            Reported::MeanOfTwo => (single() as f64 * single() as f64).sqrt().round() as u64,
        };
        Some(Taken { time: SlotTime { wall, without_rest: wall, cpu: None }, activity: None })
    }

    fn time_of_inputs(&mut self, _: Function, _: u64) -> Option<u64> {
        None
    }
}

/// The verdicts of all runs, and the contrasts of their processes.
#[derive(Default)]
struct Tally {
    failed: usize,
    passed: usize,
    contrasts: Vec<f64>,
}

impl Tally {
    fn of(sides: [Slots; 2], reported: Reported) -> Self {
        let mut tally = Self::default();
        (1..=RUNS).for_each(|seed| tally.run(sides, reported, Seed(seed)));
        tally
    }

    fn run(&mut self, sides: [Slots; 2], reported: Reported, seed: Seed) {
        let zone = Gate::MaxSlowdown(0.02).zone();
        let (max_time, warmup) = (Duration::from_secs(3600), Duration::ZERO);
        let plan =
            Plan { zone, alpha: 0.01, seed, max_rounds: Some(40), max_time, warmup, ..Plan::default() };
        let (clock, noise, mut judge) = (ManualClock::new(), Noise::new(seed.0), Rounds::new(&plan));
        let mut rounds = Vec::new();
        while let Some(duos) = judge.next() {
            let first = 1 + rounds.len() * PROGRAMS;
            let round: Vec<Recording> = (first..first + PROGRAMS)
                .map(|number| {
                    let chance = Chance::new(OrderPolicy::Coin, seed.for_round(number).for_pair("turns"));
                    let mut processes = Processes { clock: &clock, noise: &noise, sides, reported, chance };
                    processes.recorded(&plan, number, duos.div_ceil(PROGRAMS))
                })
                .collect();
            self.contrasts.extend(round.iter().filter_map(Recording::contrast));
            judge.add(&round).unwrap();
            rounds.push(round);
        }
        match judge.verdict() {
            Some(Verdict::Fail) => self.failed += 1,
            Some(Verdict::Pass) => self.passed += 1,
            _ => {}
        }
    }

    fn mean(&self) -> f64 {
        self.contrasts.iter().sum::<f64>() / self.contrasts.len() as f64
    }

    fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.contrasts.iter().map(|contrast| (contrast - mean).powi(2));
        (squares.sum::<f64>() / self.contrasts.len() as f64).sqrt()
    }
}

impl Processes<'_> {
    fn recorded(&mut self, plan: &Plan, number: usize, duos: usize) -> Recording {
        let clocks = ClocksApart::new(self.clock, false);
        let function = FunctionApart { first_call: Duration::from_micros(2), ..LIKE };
        recorded(self, &clocks, [function; 2], plan, Round { number, duos, iterations: 8, ..ROUND })
    }
}

fn slots(call: f64, spread: f64, interrupted: f64) -> Slots {
    Slots { call, spread, interrupted }
}

/// The shorter of two normal slots lies 0.56 standard deviations below their mean.
#[test]
fn more_variation_is_not_taken_for_a_difference() {
    let (varies, steady) = (slots(2_000.0, 0.06, 0.0), slots(2_000.0, 0.01, 0.0));
    for sides in [[varies, steady], [steady, varies]] {
        let by_turn = Tally::of(sides, Reported::ByTurn);
        assert!(by_turn.mean().abs() < 0.003, "{}", by_turn.mean());
        assert_eq!((by_turn.failed, by_turn.passed), (0, RUNS as usize));
        let bias = Tally::of(sides, Reported::ShorterOfTwo).mean().abs();
        assert!((0.025..0.031).contains(&bias), "{bias}");
    }
}

#[test]
fn an_interruption_of_one_slot_makes_no_difference() {
    for share in [0.02, 0.1] {
        let sides = [slots(2_000.0, 0.01, share); 2];
        let [by_turn, mean] =
            [Reported::ByTurn, Reported::MeanOfTwo].map(|reported| Tally::of(sides, reported));
        assert_eq!((by_turn.failed, by_turn.passed), (0, RUNS as usize), "{share}");
        assert!(by_turn.deviation() < 0.7 * mean.deviation(), "{share}");
    }
    // Slower slots are interrupted more often.
    let more = [slots(2_000.0, 0.01, 0.12), slots(2_000.0, 0.01, 0.1)];
    let [by_turn, mean] = [Reported::ByTurn, Reported::MeanOfTwo].map(|reported| Tally::of(more, reported));
    assert!(by_turn.mean() < 0.004 && by_turn.failed == 0, "{} {}", by_turn.mean(), mean.mean());
}

#[test]
fn a_slowdown_of_five_percent_is_found_however_slots_vary() {
    for (spread, interrupted) in
        [([0.01, 0.01], 0.0), ([0.05, 0.05], 0.02), ([0.06, 0.01], 0.02), ([0.01, 0.06], 0.02)]
    {
        let sides = [slots(2_100.0, spread[0], interrupted), slots(2_000.0, spread[1], interrupted)];
        assert!(Tally::of(sides, Reported::ByTurn).failed > 38, "{spread:?}");
    }
}
