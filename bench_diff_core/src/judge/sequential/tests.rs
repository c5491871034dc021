//! The whole judge, on simulated functions.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::clock::ClockKind;
use crate::coin::Seed;
use crate::duo::Order;
use crate::gate::Gate;
use crate::judge::judge;
use crate::measurement::Measurement;
use crate::note::Needed;
use crate::plan::JudgeKind;
use crate::simulation::{self, Noise, PLAIN_CASES, simulate};

fn plan() -> Plan {
    Plan { judge: JudgeKind::Sequential, ..simulation::plan() }
}

/// The measurement of a candidate with this true ratio to a baseline of this many nanoseconds, in log-normal
/// noise of this spread.
fn measured(
    plan: Plan,
    baseline: f64,
    ratio: f64,
    sigma: f64,
    seed: u64,
) -> Result<Measurement, MeasureError> {
    let noise = Noise::new(seed);
    let plan = Plan { seed: Seed(seed), ..plan };
    simulate(&plan, || noise.log_normal(baseline * ratio, sigma), || noise.log_normal(baseline, sigma))
}

fn judged(gate: Gate, ratio: f64, sigma: f64) -> Judgement {
    measured(Plan { zone: gate.zone(), ..plan() }, 20e3, ratio, sigma, 7).unwrap().judgement
}

fn duo(candidate: [u64; 2], baseline: [u64; 2]) -> Duo {
    Duo { order: Order::BaselineFirst, candidate, baseline }
}

/// A warm-up of 16 duos in which both functions always take `slot` nanoseconds.
fn warmup(slot: u64) -> Warmup {
    Warmup {
        duos: vec![duo([slot; 2], [slot; 2]); 16],
        empty: Vec::new(),
        iterations: 1,
        clock: ClockKind::Wall,
        resolution: 1,
    }
}

#[test]
fn a_slowdown_fails_and_no_slowdown_passes() {
    for (gate, ratio, expected) in PLAIN_CASES {
        let judgement = judged(gate, ratio, 0.01);
        assert_eq!(judgement.verdict, Some(expected), "{gate:?} at {ratio}");
        assert!(judgement.interval.low <= judgement.ratio && judgement.ratio <= judgement.interval.high);
        let p = if expected == Verdict::Fail { judgement.p_fail } else { judgement.p_pass };
        assert!(p.unwrap() <= if expected == Verdict::Fail { 0.01 } else { 0.05 });
        assert_eq!(judgement.notes, []);
    }
}

#[test]
fn a_plain_case_takes_sixteen_duos() {
    for ratio in [0.5, 1.0, 1.1, 100.0] {
        let measurement = measured(plan(), 20e3, ratio, 0.01, 7).unwrap();
        assert_eq!(measurement.rounds[0][0].duos.len(), 16, "{ratio}");
    }
}

#[test]
fn the_judge_looks_after_every_block() {
    for seed in 1..20 {
        let duos = measured(plan(), 20e3, 1.0, 0.1, seed).unwrap().rounds[0][0].duos.len();
        assert!(duos > 16 && duos.is_multiple_of(8), "{duos}");
    }
}

#[test]
fn noise_that_outlasts_the_time_is_inconclusive() {
    let max_time = Duration::from_millis(50);
    let measurement = measured(Plan { max_time, ..plan() }, 20e3, 1.0, 1.0, 7).unwrap();
    let judgement = &measurement.judgement;
    assert_eq!(judgement.verdict, Some(Verdict::Inconclusive));
    let counted: u64 = measurement.rounds[0][0].duos.iter().map(Duo::total).sum();
    assert!((50_000_000..51_500_000).contains(&counted), "{counted} ns, at most a block more");
    assert!(
        matches!(judgement.notes[..], [Note::Differ { needed: Needed::MoreTime, .. }]),
        "{:?}",
        judgement.notes
    );
    let patient = Plan { max_time: Duration::from_secs(60), ..plan() };
    assert_eq!(measured(patient, 20e3, 1.0, 1.0, 7).unwrap().judgement.verdict, Some(Verdict::Pass));
}

#[test]
fn without_a_gate_the_judge_stops_when_it_knows_the_ratio_to_one_percent() {
    for sigma in [0.0, 0.01, 0.05, 0.2] {
        let plan = Plan { zone: Gate::ReportOnly.zone(), ..plan() };
        let measurement = measured(plan, 20e3, 1.05, sigma, 7).unwrap();
        let judgement = &measurement.judgement;
        assert_eq!((judgement.verdict, judgement.mde), (None, None));
        assert_eq!((judgement.p_fail, judgement.p_pass), (None, None));
        let half = (judgement.interval.high / judgement.interval.low).ln() / 2.0;
        assert!(half <= 0.01_f64.ln_1p(), "{half} at {sigma}");
        assert!(
            half > 0.008 || measurement.rounds[0][0].duos.len() < 32,
            "no longer than that: {half} at {sigma}"
        );
        assert!(judgement.interval.low < 1.05 && 1.05 < judgement.interval.high);
        let soon = Plan { max_time: Duration::from_millis(1), ..plan };
        assert_eq!(measured(soon, 20e3, 1.05, 0.2, 7).unwrap().rounds[0][0].duos.len(), 16);
    }
}

#[test]
fn constant_latencies_are_ordinary_data() {
    let judged = |ratio: f64| simulate(&plan(), || 20e3 * ratio, || 20e3).unwrap().judgement;
    assert_eq!(judged(1.0).verdict, Some(Verdict::Pass));
    assert_eq!(judged(1.0).ratio, 1.0);
    assert_eq!(judged(1.02).verdict, Some(Verdict::Fail), "proven to be above 1 %");
    assert_eq!(judged(2.0).verdict, Some(Verdict::Fail));
    let interval = judged(1.0).interval;
    // The floor is one step of the clock: 1 ns of 20 us.
    assert!(0.9998 < interval.low && interval.low < 1.0 && 1.0 < interval.high && interval.high < 1.0002);
}

#[test]
fn two_duos_prove_nothing() {
    let judgement = judge(&plan(), &warmup(20_000), &[duo([40_000; 2], [20_000; 2]); 2]).unwrap();
    assert_eq!(judgement.verdict, Some(Verdict::Inconclusive));
    assert!((judgement.ratio - 2.0).abs() < 1e-12);
    assert_eq!((judgement.interval.low, judgement.interval.high), (0.0, f64::INFINITY));
    assert!(judgement.p_fail.unwrap() > 0.2);
    assert!(matches!(judgement.notes[..], [Note::Differ { .. }]), "{:?}", judgement.notes);
}

#[test]
fn no_duos_are_an_error() {
    let error = judge(&plan(), &warmup(20_000), &[]).unwrap_err();
    assert_eq!(error, MeasureError::Statistics(StatsError::TooFew { n: 0, needed: 2 }));
}

#[test]
fn a_warm_up_without_duos_starts_from_the_floor() {
    let empty = Warmup { duos: Vec::new(), ..warmup(1) };
    let judgement = judge(&plan(), &empty, &[duo([40_000; 2], [20_000; 2]); 16]).unwrap();
    assert!(judgement.ratio.is_finite() && judgement.p_fail.unwrap() <= 1.0);
}

#[test]
fn a_slot_without_time_is_an_error() {
    for place in [0, 5, 15] {
        let mut duos = vec![duo([20_000; 2], [40_000; 2]); 16];
        duos[place].candidate[1] = 0;
        let error = judge(&plan(), &warmup(20_000), &duos).unwrap_err();
        assert_eq!(error, MeasureError::Statistics(StatsError::NotFinite));
    }
    let mut warmup = warmup(20_000);
    warmup.duos[3].candidate[0] = 0;
    let duos = [duo([20_000; 2], [40_000; 2]); 16];
    assert_eq!(judge(&plan(), &warmup, &duos).unwrap().verdict, Some(Verdict::Pass), "no verdict uses it");
}

#[test]
fn endless_slots_are_ordinary_data() {
    let endless = [u64::MAX; 2];
    for (candidate, baseline, expected) in [
        (endless, [1; 2], Verdict::Fail),
        ([1; 2], endless, Verdict::Pass),
        (endless, endless, Verdict::Pass),
    ] {
        for warmup in [warmup(1000), warmup(u64::MAX)] {
            let judgement = judge(&plan(), &warmup, &vec![duo(candidate, baseline); 40]).unwrap();
            assert_eq!(judgement.verdict, Some(expected), "{candidate:?} {baseline:?}");
            assert!(judgement.ratio.is_finite() && judgement.ratio > 0.0);
        }
    }
}

#[test]
fn the_time_is_counted_from_the_first_duo_that_counts() {
    let plan = Plan { warmup: Duration::from_millis(100), max_time: Duration::from_millis(10), ..plan() };
    let measurement = measured(plan, 20e3, 1.0, 0.5, 7).unwrap();
    let counted: u64 = measurement.rounds[0][0].duos.iter().map(Duo::total).sum();
    assert!((10_000_000..11_500_000).contains(&counted), "{counted}");
}

#[test]
fn without_time_a_pair_gets_its_fewest_duos() {
    for call in [20e3, 2e9] {
        let plan = Plan { max_time: Duration::ZERO, ..plan() };
        let measurement = measured(plan, call, 1.1, 0.01, 7).unwrap();
        assert_eq!(measurement.judgement.verdict, Some(Verdict::Fail), "{call}");
    }
}

#[test]
fn long_duos_are_looked_at_one_by_one() {
    let measurement = measured(plan(), 100e6, 1.0, 0.001, 7).unwrap();
    assert_eq!(measurement.rounds[0][0].warmup.duos.len(), 2);
    assert_eq!(measurement.judgement.verdict, Some(Verdict::Pass));
    assert!(measurement.rounds[0][0].duos.len() < 10, "{}", measurement.rounds[0][0].duos.len());
}

/// A pair always gets the time for a plain answer.
#[test]
fn a_hundredfold_slowdown_is_found_in_long_functions() {
    for (baseline, alpha) in [100e6, 1e9, 1e6, 10e6].into_iter().flat_map(|ns| [(ns, 1e-2), (ns, 1e-4)]) {
        for (gate, sigma) in [Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02), Gate::MinSpeedup(2.0)]
            .into_iter()
            .flat_map(|gate| [(gate, 0.0), (gate, 0.01), (gate, 0.05), (gate, 0.3)])
        {
            for seed in 1..10 {
                let plan = Plan { zone: gate.zone(), alpha, ..plan() };
                let measurement = measured(plan, baseline, 100.0, sigma, seed);
                let Measurement { rounds, judgement, .. } = measurement.unwrap();
                let duos = &rounds[0][0].duos;
                let case = format!("{gate:?} {baseline} {alpha} {sigma} {seed}");
                assert_eq!(judgement.verdict, Some(Verdict::Fail), "{case}");
                assert!(duos.len() <= 40, "{case}: {} duos", duos.len());
            }
        }
    }
}

#[test]
fn swapping_the_functions_mirrors_an_equivalence() {
    for seed in 1..10 {
        let plan = Plan { zone: Gate::MaxDifference(0.02).zone(), ..plan() };
        let measurement = measured(plan, 20e3, 1.01, 0.05, seed).unwrap();
        let swap = |duo: &Duo| Duo { candidate: duo.baseline, baseline: duo.candidate, ..*duo };
        let warmup_duos = measurement.rounds[0][0].warmup.duos.iter().map(swap).collect();
        let warmup = Warmup { duos: warmup_duos, ..measurement.rounds[0][0].warmup.clone() };
        let duos: Vec<Duo> = measurement.rounds[0][0].duos.iter().map(swap).collect();
        let (before, after) = (measurement.judgement, judge(&plan, &warmup, &duos).unwrap());
        assert!((before.ratio * after.ratio - 1.0).abs() < 1e-12);
        assert!((before.interval.low * after.interval.high - 1.0).abs() < 1e-9);
        assert_eq!(
            (before.verdict, before.p_fail, before.p_pass),
            (after.verdict, after.p_fail, after.p_pass)
        );
    }
}

/// An independent implementation of the formulas gives the same figures for the same contrasts.
#[test]
fn one_run_in_figures() {
    let measurement = measured(plan(), 20e3, 1.0, 0.1, 1).unwrap();
    let warmup = Warmup { empty: Vec::new(), ..measurement.rounds[0][0].warmup.clone() };
    let plan = Plan { beta: 0.025, ..plan() };
    let judgement = judge(&plan, &warmup, &measurement.rounds[0][0].duos).unwrap();
    assert_eq!(measurement.rounds[0][0].duos.len(), 56);
    assert!(judgement.welch.nominal && judgement.interval.level == 0.95);
    // The pass limits the interval, whose own bets prove less.
    assert!((judgement.interval.high - 1.03).abs() < 1e-12);
    let ungated = Plan { zone: None, ..plan };
    let interval = judge(&ungated, &warmup, &measurement.rounds[0][0].duos).unwrap().interval;
    for (actual, expected) in [
        (judgement.ratio, 0.983_858_27),
        (interval.low, 0.942_117_10),
        (interval.high, 1.032_691_78),
        (judgement.mde.unwrap(), 0.078_010_22),
        (judgement.p_fail.unwrap(), 1.0),
        (judgement.p_pass.unwrap(), (-3.974_958_14_f64).exp()),
    ] {
        assert!((actual - expected).abs() < 1e-7, "{actual} is not {expected}");
    }
    assert_eq!(judgement.notes, []);
}

fn gates() -> impl Strategy<Value = Gate> {
    prop_oneof![
        Just(Gate::MaxSlowdown(0.02)),
        Just(Gate::MinSpeedup(1.1)),
        Just(Gate::MaxDifference(0.02)),
        Just(Gate::ReportOnly),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stored_duos_are_judged_as_they_were_live(
        gate in gates(), ratio in 0.9..1.1, sigma in 0.0..0.2, seed in 1_u64.., milliseconds in 1_u64..50,
        microseconds in prop_oneof![20.0..30.0, 3e3..6e3],
    ) {
        let plan = Plan { zone: gate.zone(), max_time: Duration::from_millis(milliseconds), ..plan() };
        let Ok(live) = measured(plan, microseconds * 1e3, ratio, sigma, seed) else { return Ok(()) };
        prop_assert_eq!(&judge(&plan, &live.rounds[0][0].warmup, &live.rounds[0][0].duos).unwrap(), &live.judgement);
        if live.judgement.verdict.is_some_and(|verdict| verdict != Verdict::Inconclusive) {
            let mut longer = live.rounds[0][0].duos.clone();
            longer.extend_from_slice(&live.rounds[0][0].duos);
            prop_assert_eq!(judge(&plan, &live.rounds[0][0].warmup, &longer).unwrap(), live.judgement, "stops where it stopped");
        }
    }
}
