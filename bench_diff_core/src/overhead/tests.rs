//! Functions with a known time, called at a known cost.

use std::cell::Cell;
use std::time::Duration;

use super::*;
use crate::clock::{Clock, Clocks, SlotClock};
use crate::coin::Seed;
use crate::gate::Gate;
use crate::judge::{Judgement, Verdict, judge};
use crate::measurement::Measurement;
use crate::note::{Note, Which};
use crate::plan::{JudgeKind, Plan};
use crate::sample::{Closures, Warmup};
use crate::simulation::{self, Noise, simulate_pair};

/// The time of an empty call, in nanoseconds.
const CALL: f64 = 1.2;

/// The time of a reading of the clock, in nanoseconds.
const READING: f64 = 30.0;

/// A machine on which reading the clock takes time and every slot has its own pace.
struct Machine {
    now: Cell<f64>,
    /// The last reading.
    slot: Cell<f64>,
    pace: Cell<f64>,
    noise: Noise,
    sigma: f64,
    /// If set, one in this many readings comes 4 ms late, provided that it ends a slot.
    interrupted: u64,
    readings: Cell<u64>,
}

impl Machine {
    fn new(sigma: f64, seed: u64) -> Self {
        let noise = Noise::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self {
            now: Cell::new(0.0),
            slot: Cell::new(0.0),
            pace: Cell::new(1.0),
            noise,
            sigma,
            interrupted: u64::MAX,
            readings: Cell::new(0),
        }
    }

    fn work(&self, nanoseconds: f64) {
        self.now.set(self.now.get() + nanoseconds * self.pace.get());
    }
}

impl Clock for Machine {
    type Moment = f64;

    fn now(&self) -> f64 {
        self.readings.set(self.readings.get() + 1);
        let is_late =
            self.now.get() - self.slot.get() > 1e4 && self.readings.get().is_multiple_of(self.interrupted);
        self.pace.set(self.noise.log_normal(1.0, self.sigma));
        self.now.set(self.now.get() + READING + if is_late { 4e6 } else { 0.0 });
        self.slot.set(self.now.get());
        self.now.get()
    }

    fn nanoseconds(&self, start: f64, end: f64) -> u64 {
        (end - start).round() as u64
    }

    fn resolution(&self) -> u64 {
        1
    }
}

impl Clocks for Machine {
    fn wall(&self) -> &dyn SlotClock {
        self
    }
}

fn plan(gate: Gate, judge: JudgeKind, seed: u64) -> Plan {
    Plan { zone: gate.zone(), judge, slots: 200, seed: Seed(seed), ..simulation::plan() }
}

/// The measurement of functions that take this many nanoseconds plus the cost of a call.
fn measured(plan: &Plan, machine: &Machine, candidate: f64, baseline: f64) -> Measurement {
    let call = |work: f64| move || machine.work(CALL + work);
    let mut pair = Closures::new(call(candidate), call(baseline)).with_empty(call(0.0));
    simulate_pair(machine, plan, &mut pair).unwrap()
}

/// Several runs of each judge.
fn runs(seeds: u64) -> impl Iterator<Item = (JudgeKind, u64)> {
    JudgeKind::ALL.into_iter().flat_map(move |kind| (1..=seeds).map(move |seed| (kind, seed)))
}

/// Candidate, baseline, gate, and the correct verdicts.
#[test]
fn short_functions_of_known_truth() {
    use Verdict::{Fail, Inconclusive, Pass};
    let (strict, wide) = (Gate::MaxSlowdown(0.02), Gate::MaxSlowdown(0.3));
    let mut covered = 0;
    for (candidate, baseline, gate, right) in [
        (0.3, 0.3, strict, [Pass, Inconclusive]),
        (0.3, 0.3, Gate::MaxDifference(0.02), [Pass, Inconclusive]),
        (1.5, 1.2, strict, [Fail, Fail]),
        (1.5, 1.2, wide, [Pass, Inconclusive]),
        (11.0, 10.0, strict, [Fail, Fail]),
        (11.0, 10.0, wide, [Pass, Pass]),
        (1.2, 1.5, Gate::MinSpeedup(1.2), [Pass, Inconclusive]),
        (1.2, 1.5, Gate::MinSpeedup(1.5), [Fail, Inconclusive]),
        // A quarter slower, hidden by an overhead 15 times as long.
        (0.1, 0.08, strict, [Fail, Inconclusive]),
    ] {
        for (kind, seed) in runs(3) {
            let case = format!("{candidate} {baseline} {gate:?} {kind:?} {seed}");
            let measurement =
                measured(&plan(gate, kind, seed), &Machine::new(0.003, seed), candidate, baseline);
            let verdict = measurement.judgement.verdict.unwrap();
            assert!(right.contains(&verdict), "{case}: {:?}", measurement.judgement);
            assert_eq!(
                judge(
                    &plan(gate, kind, seed),
                    &measurement.rounds[0][0].warmup,
                    &measurement.rounds[0][0].duos
                )
                .unwrap(),
                measurement.judgement
            );
            let overhead = measurement.overhead.unwrap();
            let Overhead { share, share_max, .. } = overhead;
            // Reading the clock adds up to 0.3 % of a slot.
            let truth = CALL / (CALL + candidate.min(baseline));
            assert!((-0.005..0.005).contains(&(share - truth)), "{case}: {share}");
            assert!((-0.005..0.02).contains(&(share_max - truth)), "{case}: {share_max}");
            let Net { ratio, interval } =
                overhead.net(measurement.judgement.ratio, measurement.judgement.interval).unwrap();
            let truth = candidate / baseline;
            assert!((ratio / truth - 1.0).abs() < 0.05, "{case}: {ratio} {interval:?}");
            covered += usize::from(interval.low < truth && truth < interval.high);
        }
    }
    // Binomial (54, .95): mean 51.3, standard deviation 1.6; the limit is 3 standard deviations.
    assert!(covered >= 46, "{covered} of 54");
}

#[test]
fn two_empty_functions_get_a_note_and_never_fail() {
    for (kind, seed) in runs(5) {
        for gate in [Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02), Gate::MinSpeedup(1.5)] {
            let measurement = measured(&plan(gate, kind, seed), &Machine::new(0.01, seed), 0.0, 0.0);
            let judgement = &measurement.judgement;
            if gate != Gate::MinSpeedup(1.5) {
                assert_ne!(judgement.verdict, Some(Verdict::Fail), "{kind:?} {seed}");
            }
            assert!(judgement.notes.contains(&Note::Empty { which: Which::Both }), "{:?}", judgement.notes);
            assert!(measurement.elapsed() < Duration::from_millis(40), "{:?}", measurement.elapsed());
        }
    }
}

#[test]
fn a_single_empty_function_is_named() {
    for (candidate, baseline, which) in [(0.0, 0.5, Which::Candidate), (0.5, 0.0, Which::Baseline)] {
        let plan = plan(Gate::MaxSlowdown(0.02), JudgeKind::Sequential, 3);
        let notes = measured(&plan, &Machine::new(0.01, 3), candidate, baseline).judgement.notes;
        assert!(notes.contains(&Note::Empty { which }), "{notes:?}");
    }
    let plan = plan(Gate::MaxSlowdown(0.02), JudgeKind::Sequential, 3);
    let notes = measured(&plan, &Machine::new(0.01, 3), 0.2, 0.2).judgement.notes;
    assert!(!notes.iter().any(|note| matches!(note, Note::Empty { .. })), "{notes:?}");
}

#[test]
fn the_note_on_short_calls_says_how_long_they_should_be() {
    for kind in JudgeKind::ALL {
        let measurement =
            measured(&plan(Gate::MaxSlowdown(0.02), kind, 5), &Machine::new(0.003, 5), 0.312, 0.3);
        let [Note::TooShort { which: Which::Baseline, call, overhead, needed }] =
            measurement.judgement.notes[..]
        else {
            panic!("{:?}", measurement.judgement)
        };
        assert!((call - 1.5).abs() < 0.02, "{call}");
        assert!((1.19..1.25).contains(&overhead), "{overhead}");
        // The overhead may be up to two thirds of a call.
        assert!((needed - 1.5 * overhead).abs() < 1e-9, "{needed}");
        // A sequential judge notices this long before its two seconds are over.
        assert!(measurement.elapsed() < Duration::from_millis(100), "{:?}", measurement.elapsed());
    }
}

/// If hardly any of the time is work, the addresses of the code make calls differ by more than a gate allows,
/// but never by a large factor.
#[test]
fn functions_that_are_mostly_overhead_are_judged_only_by_a_factor_of_two() {
    for (kind, seed) in runs(3) {
        let judgement = |candidate: f64, gate| {
            let machine = &Machine::new(0.003, seed);
            let call = |nanoseconds: f64| move || machine.work(nanoseconds);
            let mut pair = Closures::new(call(candidate), call(CALL)).with_empty(call(CALL));
            simulate_pair(machine, &plan(gate, kind, seed), &mut pair).unwrap().judgement
        };
        for gate in [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02)] {
            for candidate in [CALL, 1.15 * CALL, 1.9 * CALL] {
                let judgement = judgement(candidate, gate);
                assert_eq!(judgement.verdict, Some(Verdict::Inconclusive), "{judgement:?}");
                assert!(matches!(judgement.notes[0], Note::TooShort { .. }), "{judgement:?}");
            }
            for candidate in [2.2 * CALL, 1e5] {
                let judgement = judgement(candidate, gate);
                assert_eq!(judgement.verdict, Some(Verdict::Fail), "{judgement:?}");
                let is_too_short = |note: &Note| matches!(note, Note::TooShort { .. });
                assert!(!judgement.notes.iter().any(is_too_short), "{judgement:?}");
            }
        }
    }
}

#[test]
fn the_mde_is_a_slowdown_of_the_functions() {
    for kind in JudgeKind::ALL {
        let plan = plan(Gate::MaxSlowdown(0.02), kind, 7);
        // So noisy that more than a pass excludes is needed.
        let measurement = measured(&plan, &Machine::new(0.02, 7), CALL, CALL);
        let Recording { warmup, duos, .. } = measurement.rounds.into_iter().flatten().next().unwrap();
        // As many slots as the sequential judge takes at least, so that both stop at the same duo.
        let mde = |warmup: &Warmup| judge(&plan, warmup, &duos[..16]).unwrap().mde;
        let raw = mde(&Warmup { empty: Vec::new(), ..warmup.clone() }).unwrap();
        let net = mde(&warmup).unwrap();
        assert!((net / raw - 2.0).abs() < 0.05, "half is overhead: {net} {raw}");

        let all = warmup.duos.iter().map(|duo| duo.baseline[0]).collect();
        assert_eq!(mde(&Warmup { empty: all, ..warmup }), None, "all may be overhead");
    }
}

#[test]
fn calls_are_not_called_too_short_if_noise_hides_more_than_the_overhead() {
    for kind in JudgeKind::ALL {
        let plan = Plan { max_time: Duration::from_millis(20), ..plan(Gate::MinSpeedup(1.1), kind, 5) };
        let judgement = measured(&plan, &Machine::new(0.5, 5), 2.7, 2.8).judgement;
        assert_eq!(judgement.verdict, Some(Verdict::Inconclusive));
        let is_too_short = |note: &Note| matches!(note, Note::TooShort { .. });
        assert!(!judgement.notes.iter().any(is_too_short), "{judgement:?}");
    }
}

#[test]
fn functions_that_grow_with_their_calls_are_equal() {
    for (kind, seed) in runs(3) {
        let (machine, calls) = (Machine::new(0.003, seed), Cell::new(0.0));
        let grow = || {
            calls.set(calls.get() + 1.0);
            machine.work(CALL + 2.0 + 1e-7 * calls.get());
        };
        let mut pair = Closures::new(grow, grow).with_empty(|| machine.work(CALL));
        let plan = plan(Gate::MaxSlowdown(0.02), kind, seed);
        let measurement = simulate_pair(&machine, &plan, &mut pair).unwrap();
        assert_ne!(measurement.judgement.verdict, Some(Verdict::Fail), "{:?}", measurement.judgement);
        let Judgement { ratio, interval, .. } = measurement.judgement;
        let net = measurement.overhead.unwrap().net(ratio, interval).unwrap();
        assert!((net.ratio - 1.0).abs() < 0.02);
    }
}

#[test]
fn interrupted_slots_do_not_spoil_the_net_ratio() {
    // A prime number, so that it is not always the same slot of a duo.
    let machine = Machine { interrupted: 53, ..Machine::new(0.003, 9) };
    let plan = plan(Gate::ReportOnly, JudgeKind::Sequential, 9);
    let Measurement { overhead, judgement, .. } = measured(&plan, &machine, 1.5, 1.2);
    let Net { ratio, interval } = overhead.unwrap().net(judgement.ratio, judgement.interval).unwrap();
    assert!(interval.low < 1.25 && 1.25 < interval.high, "{ratio} {interval:?}");
    assert!((ratio - 1.25).abs() < 0.01, "{ratio}");
}
