//! Tails of simulated functions: how often equal ones fail, and how soon slow calls are found.

use std::time::Duration;

use super::*;
use crate::clock::ClockKind;
use crate::coin::{Coin, OrderPolicy, Seed};
use crate::duo::{Duo, Order};
use crate::gate::Gate;
use crate::judge::Rounds;
use crate::plan::JudgeKind;
use crate::sample::{Samples, Warmup};
use crate::simulation::{Noise, plan, recording};

const MARGIN: f64 = 2.0;

fn plan_of_tail() -> Plan {
    Plan {
        judge: JudgeKind::Sequential,
        zone: Gate::MaxSlowdown(0.5).zone(),
        // Half of the alpha of the pair.
        alpha: 0.005,
        max_rounds: Some(40),
        max_tail: Some(MARGIN),
        max_time: Duration::from_secs(3600),
        ..plan()
    }
}

/// The time of a call, in nanoseconds, given the number of earlier calls in its process.
type Latency<'a> = &'a dyn Fn(&Noise, usize) -> f64;

/// A round whose slots have one call each, in the order of a coin.
fn round(noise: &Noise, seed: u64, duos: usize, candidate: Latency<'_>, baseline: Latency<'_>) -> Recording {
    let mut coin = Coin::new(OrderPolicy::Coin, Seed(seed));
    let mut calls = 0;
    let duos = (0..duos).map(|_| {
        let order = coin.flip();
        let of = |is_candidate| if is_candidate { candidate } else { baseline };
        let mut slot = |is_candidate: bool| {
            calls += 1;
            of(is_candidate)(noise, calls) as u64
        };
        let outer = order == Order::CandidateFirst;
        let slots = [slot(outer), slot(!outer), slot(!outer), slot(outer)];
        Duo::measured(order, slots)
    });
    let warmup = Warmup::new(Samples::default(), 1, ClockKind::Wall, 1);
    recording(warmup, duos.collect(), Vec::new())
}

/// A function of a process: the time of each of its calls.
type Function = Box<dyn Fn(&Noise, usize) -> f64>;

/// Draws the candidate and the baseline of a process.
type Process<'a> = &'a dyn Fn(&Noise) -> [Function; 2];

/// A complete run of such processes, and its number of rounds.
fn judged(seed: u64, process: Process<'_>) -> (Rounds, usize) {
    let plan = plan_of_tail();
    let noise = Noise::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut judge = Rounds::new(&plan);
    let mut rounds = 0;
    while let Some(duos) = judge.next() {
        let [candidate, baseline] = process(&noise);
        judge.add(&[round(&noise, seed * 1000 + rounds as u64, duos, &*candidate, &*baseline)]).unwrap();
        rounds += 1;
    }
    (judge, rounds)
}

/// The failures, the passes and the mean number of rounds of this many runs.
fn counts(runs: u64, process: Process<'_>) -> (u64, u64, f64) {
    let (mut failures, mut passes, mut rounds) = (0, 0, 0);
    for seed in 1..=runs {
        let (judge, count) = judged(seed, process);
        failures += u64::from(judge.verdict() == Some(Verdict::Fail));
        passes += u64::from(judge.verdict() == Some(Verdict::Pass));
        rounds += count;
    }
    (failures, passes, rounds as f64 / runs as f64)
}

fn log_normal(median: f64) -> Function {
    Box::new(move |noise, _| noise.log_normal(median, 0.02))
}

/// A function in which one call in `one_in` takes `times` times as long.
fn with_slow_calls(one_in: f64, times: f64) -> Function {
    Box::new(move |noise, _| {
        let latency = noise.log_normal(20e3, 0.02);
        if noise.uniform() < 1.0 / one_in { times * latency } else { latency }
    })
}

/// Pareto's distribution with this exponent. Below 2 it has no variance, below 1 no mean.
fn heavy(exponent: f64) -> Function {
    Box::new(move |noise, _| 20e3 * (1.0 + 0.01 * (noise.uniform().powf(-1.0 / exponent) - 1.0)))
}

/// Bursts of 30 calls that hit both functions at times.
fn bursty(of_process: f64) -> Function {
    let phase = (of_process * 700.0) as usize;
    Box::new(move |noise, call| {
        let is_burst = (call + phase) % 700 < 30;
        noise.log_normal(20e3, 0.02) * if is_burst { 3.0 } else { 1.0 }
    })
}

/// Drift by a fifth during the life of a process.
fn drifting(of_process: f64) -> Function {
    Box::new(move |noise, call| noise.log_normal(20e3, 0.02) * (1.0 + of_process * call as f64 / 10_000.0))
}

/// A function that falls into a slow mode for 20 of its calls, more often in some processes than in others.
fn with_modes(of_process: f64) -> Function {
    let left = std::cell::Cell::new(0);
    Box::new(move |noise, _| {
        if left.get() == 0 && noise.uniform() < 0.004 * of_process {
            left.set(20);
        }
        left.set(left.get().max(1) - 1);
        noise.log_normal(20e3, 0.02) * if left.get() > 0 { 1.5 } else { 1.0 }
    })
}

/// A kind of pair, with its functions in each process.
type Kind = (&'static str, Box<dyn Fn(&Noise) -> [Function; 2]>);

/// Pairs of equal functions, except for random differences in each process.
fn equal_functions() -> Vec<Kind> {
    let alike = |noise: &Noise, function: fn(f64) -> Function| {
        let of_process = noise.uniform();
        [function(of_process), function(of_process)]
    };
    let rare_modes = |noise: &Noise| with_modes(noise.uniform().powi(8));
    vec![
        ("log-normal", Box::new(|_| [log_normal(20e3), log_normal(20e3)])),
        ("heavy", Box::new(|_| [heavy(1.5), heavy(1.5)])),
        ("without a mean", Box::new(|_| [heavy(0.8), heavy(0.8)])),
        ("bursts", Box::new(move |noise| alike(noise, bursty))),
        ("drift", Box::new(move |noise| alike(noise, drifting))),
        ("modes", Box::new(|noise| [with_modes(noise.uniform()), with_modes(noise.uniform())])),
        ("rare modes", Box::new(move |noise| [rare_modes(noise), rare_modes(noise)])),
        ("1 % slower", Box::new(|_| [log_normal(20.2e3), log_normal(20e3)])),
    ]
}

/// The candidate has slow calls in addition to those of the baseline.
fn slow_calls(one_in: f64, times: f64) -> impl Fn(&Noise) -> [Function; 2] {
    move |_| [with_slow_calls(one_in, times), log_normal(20e3)]
}

#[test]
fn equal_functions_keep_the_bound_whatever_their_noise() {
    for (name, process) in equal_functions() {
        let (failures, passes, rounds) = counts(4, &*process);
        assert_eq!(failures, 0, "{name}");
        let is_quiet = ["log-normal", "heavy", "without a mean", "1 % slower"].contains(&name);
        assert!(!is_quiet || passes == 4 && rounds < 15.0, "{name}: {passes} passes, {rounds} rounds");
    }
}

#[test]
fn rare_slow_calls_are_found() {
    let (failures, _, rounds) = counts(4, &slow_calls(20.0, 40.0));
    assert!(failures == 4 && rounds < 25.0, "{failures} in {rounds} rounds");
}

/// The figures that are quoted in the documents.
#[test]
#[ignore = "simulates ten thousand runs, which takes minutes"]
#[expect(clippy::print_stdout, reason = "the documents quote it")]
fn counts_of_false_and_true_alarms() {
    const RUNS: u64 = 1000;
    for (name, process) in equal_functions() {
        let (failures, passes, rounds) = counts(RUNS, &*process);
        println!("equal, {name}: {failures} failures, {passes} passes of {RUNS}, {rounds:.1} rounds");
        assert!(failures <= 13, "{name}: {failures}, where 14 of 0.5 % have a probability below 0.1 %");
    }
    for times in [MARGIN.sqrt(), MARGIN, MARGIN.powf(1.5), 3.0, 4.0] {
        // If the baseline has two slow calls in a hundred, the slower one exceeds its 99th percentile.
        let process = |_: &Noise| [with_slow_calls(50.0 / times, 40.0), with_slow_calls(50.0, 40.0)];
        let (failures, passes, rounds) = counts(RUNS, &process);
        println!("{times:.2} times as often: {failures} failures, {passes} passes, {rounds:.1} rounds");
        assert!(times > MARGIN.sqrt() || failures <= 13, "{failures} where 14 of 0.5 % are below 0.1 %");
        assert!(times < MARGIN.powf(1.5) || passes <= 72, "{passes} where 73 of 5 % are below 0.1 %");
    }
    for one_in in [100.0, 50.0, 20.0, 10.0] {
        let (failures, passes, rounds) = counts(RUNS, &slow_calls(one_in, 40.0));
        println!("one call of {one_in} slow: {failures} failures, {passes} passes, {rounds:.1} rounds");
    }
}

/// The bets are fair for clusters of any size, each of which belongs to the candidate with the odds of a
/// bound. This checks it exactly, with all ways in which clusters can fall.
#[test]
fn the_share_of_clusters_has_the_mean_of_the_bound() {
    for odds in [MARGIN.sqrt(), MARGIN.powf(1.5)] {
        let of_candidate = odds / (1.0 + odds);
        for sizes in [vec![1.0], vec![1.0; 7], vec![20.0, 1.0, 1.0], vec![100.0, 20.0, 3.0, 3.0, 1.0]] {
            let all: f64 = sizes.iter().sum();
            let mean: f64 = (0..1_u32 << sizes.len())
                .map(|ways| {
                    let (mut probability, mut slow) = (1.0, 0.0);
                    for (cluster, size) in sizes.iter().enumerate() {
                        let is_candidate = ways >> cluster & 1 == 1;
                        probability *= if is_candidate { of_candidate } else { 1.0 - of_candidate };
                        slow += if is_candidate { *size } else { 0.0 };
                    }
                    probability * slow / all
                })
                .sum();
            assert!((mean - of_candidate).abs() < 1e-12, "{sizes:?}: {mean}");
        }
    }
}

#[test]
fn functions_that_are_the_same_code_pass() {
    let noise = Noise::new(1);
    let both = log_normal(20e3);
    let mut tail = Tail::new(&plan_of_tail(), MARGIN);
    tail.add(&[Recording { is_one_function: true, ..round(&noise, 1, 8, &*both, &*both) }]);
    assert_eq!(tail.verdict(), Verdict::Pass);
}

#[test]
fn a_slow_call_is_counted_against_the_rounds_before() {
    let noise = Noise::new(1);
    let of =
        |slow: bool| move |_: &Noise, call: usize| if slow && call.is_multiple_of(4) { 30e3 } else { 20e3 };
    let mut tail = Tail::new(&plan_of_tail(), MARGIN);
    tail.add(&[round(&noise, 1, 100, &of(true), &of(false))]);
    assert_eq!(
        (tail.figures().calls, tail.figures().times()),
        (0, None),
        "the first round tells what is slow"
    );
    tail.add(&[round(&noise, 2, 100, &of(false), &of(false))]);
    let figures = tail.figures();
    assert_eq!((figures.calls, figures.rounds, figures.times()), (200, 0, None));
    assert_eq!(tail.note(2), Some(Note::TailUndecided { rounds: 2, slow_calls: 0 }));
    tail.add(&[round(&noise, 3, 100, &of(true), &of(false))]);
    let figures = tail.figures();
    assert!(figures.candidate > 20 && figures.baseline == 0 && figures.rounds == 1, "{figures:?}");
    assert_eq!(figures.times(), Some(f64::INFINITY));
    let slow_calls = figures.candidate;
    assert_eq!(tail.note(3), Some(Note::TailUndecided { rounds: 3, slow_calls }));
}

#[test]
fn a_round_of_four_processes_has_one_vote() {
    let noise = Noise::new(1);
    let of = |slow: bool, pace: f64| {
        move |_: &Noise, call: usize| pace * if slow && call.is_multiple_of(4) { 30e3 } else { 20e3 }
    };
    // Each process has its own pace, which is not a tail.
    let four = |slow: [bool; 4]| -> Vec<Recording> {
        let process = |(number, slow): (u32, bool)| {
            let pace = f64::from(number);
            round(&noise, number.into(), 100, &of(slow, pace), &of(false, pace))
        };
        (1..).zip(slow).map(process).collect()
    };
    let mut tail = Tail::new(&plan_of_tail(), MARGIN);
    tail.add(&four([false; 4]));
    for rounds in 1..=3 {
        tail.add(&four([true, false, true, true]));
        let figures = tail.figures();
        assert_eq!((figures.rounds, figures.calls), (rounds, 800 * rounds as u64), "{figures:?}");
    }
    let mut alone = Tail::new(&plan_of_tail(), MARGIN);
    (0..3).for_each(|_| alone.count(1.0));
    let [four, one] = [&tail, &alone].map(|tail| tail.figures().ln_e_fail);
    assert!((four - one).abs() < 1e-12, "{four} {one}");
}

/// If calls are so long that a round has one duo per process.
#[test]
fn one_of_two_calls_in_a_process_may_be_slow() {
    let noise = Noise::new(1);
    let steady: Latency<'_> = &|_, _| 20e3;
    // One of the first two calls of a duo is the candidate's.
    let slow: Latency<'_> = &|_, call| if call <= 2 { 30e3 } else { 20e3 };
    let four = |candidate| -> Vec<Recording> {
        (1..=4).map(|seed| round(&noise, seed, 1, candidate, steady)).collect()
    };
    let mut tail = Tail::new(&plan_of_tail(), MARGIN);
    tail.add(&four(steady));
    tail.add(&four(slow));
    let TailFigures { calls, candidate, baseline, rounds, .. } = tail.figures();
    assert_eq!((calls, candidate, baseline, rounds), (8, 4, 0, 1));
}

#[test]
fn a_verdict_takes_as_many_rounds_as_documented() {
    let plan = plan_of_tail();
    let fewest = Tail::fewest_of(&plan, MARGIN);
    assert!((10..=15).contains(&fewest), "{fewest}");
    assert!(Tail::fewest_of(&Plan { alpha: 1e-5, ..plan }, MARGIN) > fewest);
    assert!(Rounds::fewest_of(&plan) >= fewest);
    assert!(Tail::fewest_of(&plan, 1.1) > 40, "hardly more than as often");
}

#[test]
fn a_round_has_the_duos_that_the_time_of_the_pair_allows() {
    let of = |duo| duos_of_round(duo, Duration::from_secs(2));
    assert_eq!((of(80_000), of(400_000), of(8_000_000), of(u64::MAX), of(0)), (512, 250, 12, 1, 512));
}
