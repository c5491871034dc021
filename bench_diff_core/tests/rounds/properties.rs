//! Properties that hold for any rounds.

use std::time::Duration;

use bench_diff_core::{Gate, Measurement, Needed, Note, Order, Plan, Rounds, Verdict};
use proptest::prelude::*;

use crate::script::{judged, plan, round, round_of};

#[test]
fn the_fewest_rounds_are_measured_whatever_they_take_and_more_if_that_may_decide() {
    // A duo of `round` lasts four seconds, and a failure takes at least nine rounds.
    let gated = Plan { max_time: Duration::ZERO, ..plan(Gate::MaxSlowdown(0.02), 1) };
    let of = |signs: &str| {
        let contrasts = signs.chars().map(|sign| if sign == '+' { 0.5 } else { -0.5 });
        let (judgement, rounds) = judged(&gated, &contrasts.collect::<Vec<_>>());
        (judgement.verdict.unwrap(), rounds)
    };
    assert_eq!(of("++++++++++++"), (Verdict::Fail, 9));
    assert_eq!(of("+++-++++++++++++"), (Verdict::Fail, 13), "eight of nine decide soon");
    assert_eq!(of("++-+++-+++++++++++++++"), (Verdict::Inconclusive, 9), "seven of nine take too long");
    assert_eq!(of("++++++++-+-+-+-+-+-+-+-+"), (Verdict::Inconclusive, 13), "they no longer agree");
}

#[test]
fn a_verdict_holds_whatever_a_coarse_clock_hides() {
    let verdict = |candidate: f64, resolution: u64| {
        let mut judge = Rounds::new(&plan(Gate::MaxSlowdown(0.02), 1));
        let mut round = round_of(candidate, 500.0);
        round.warmup.resolution = resolution;
        while judge.next().is_some() {
            judge.add(&[round.clone()]).unwrap();
        }
        judge.verdict()
    };
    assert_eq!(verdict(510.0, 5), Some(Verdict::Pass), "a step is 1 %, so that is less than 3 %");
    assert_eq!(verdict(510.0, 10), Some(Verdict::Inconclusive), "it may be 0 or 4 %");
    assert_eq!(verdict(500.0, 10), Some(Verdict::Pass));
    assert_eq!(verdict(530.0, 10), Some(Verdict::Fail));
}

#[test]
fn a_single_slot_of_each_function_is_too_few() {
    for plan in [plan(Gate::ReportOnly, 1), plan(Gate::MaxSlowdown(0.02), 1)] {
        let plan = Plan { max_time: Duration::ZERO, ..plan };
        let mut half = round(0.0);
        half.duos[0].order = Order::CandidateOnce;
        half.is_one_function = plan.zone.is_some();
        let mut judge = Rounds::new(&plan);
        let mut rounds = Vec::new();
        while judge.next().is_some() {
            judge.add(&[half.clone()]).unwrap();
            rounds.push(vec![half.clone()]);
        }
        assert_eq!(rounds.len(), 2);
        assert!(Measurement::of(&plan, rounds).is_ok());
    }
}

#[test]
fn calls_that_are_mostly_overhead_are_told_after_the_first_round() {
    let judged = |candidate: f64| {
        let mut judge = Rounds::new(&plan(Gate::MaxSlowdown(0.02), 1));
        let mut round = round_of(candidate, 1_000.0);
        round.warmup.duos = round.duos.repeat(5);
        round.warmup.empty = vec![900; 5];
        round.warmup.iterations = 1_000;
        let mut rounds = 0;
        while judge.next().is_some() {
            judge.add(&[round.clone()]).unwrap();
            rounds += 1;
        }
        (judge.verdict().unwrap(), rounds)
    };
    assert_eq!(judged(1_050.0), (Verdict::Inconclusive, 1));
    assert_eq!(judged(4_000.0), (Verdict::Fail, 9), "no address of a call costs that much");
}

#[test]
fn rounds_that_disagree_end_early_and_the_note_says_so() {
    let gated = plan(Gate::MaxSlowdown(0.02), 24);
    let [slower, faster] = [0.1, -0.1];
    let alternating: Vec<f64> = [slower, faster].repeat(60);
    let (judgement, rounds) = judged(&gated, &alternating);
    assert_eq!(judgement.verdict, Some(Verdict::Inconclusive));
    assert!((40..80).contains(&rounds), "{rounds}");
    assert!(
        matches!(judgement.notes[..], [Note::Differ { needed: Needed::Limit, .. }]),
        "{:?}",
        judgement.notes
    );
    // Three of four decide before the last round.
    let (judgement, rounds) = judged(&gated, &[slower, slower, faster, slower].repeat(30));
    assert_eq!(judgement.verdict, Some(Verdict::Fail));
    assert!((40..120).contains(&rounds), "{rounds}");
}

#[test]
fn the_note_names_a_time_that_decides() {
    let gated = plan(Gate::MaxSlowdown(0.02), 1);
    let rounds = [0.1, 0.1, -0.1, 0.1].repeat(30);
    let short = Plan { max_time: Duration::from_secs(48), ..gated };
    let (judgement, spent) = judged(&short, &rounds);
    assert_eq!((judgement.verdict, spent), (Some(Verdict::Inconclusive), 12), "a round takes four seconds");
    let [Note::Differ { needed: Needed::Time(max_time), .. }] = judgement.notes[..] else { panic!() };
    let (judgement, _) = judged(&Plan { max_time, ..gated }, &rounds);
    assert_eq!(judgement.verdict, Some(Verdict::Fail), "{max_time:?}");
}

fn contrasts() -> impl Strategy<Value = Vec<f64>> {
    let contrast = prop_oneof![
        4 => -0.1..0.1_f64,
        2 => -0.01..0.04_f64,
        1 => Just(0.0),
        1 => -2.0..2.0_f64,
    ];
    (-0.05..0.08_f64, prop::collection::vec(contrast, 1..60))
        .prop_map(|(delta, contrasts)| contrasts.into_iter().map(|contrast| delta + contrast / 3.0).collect())
}

fn plans() -> impl Strategy<Value = Plan> {
    let gates = [
        Gate::MaxSlowdown(0.02),
        Gate::MaxSlowdown(0.3),
        Gate::MinSpeedup(1.02),
        Gate::MaxDifference(0.03),
        Gate::ReportOnly,
    ];
    let rounds = prop::sample::select(vec![3, 12, 20, 40, 100]);
    (prop::sample::select(gates.to_vec()), 1..200_usize, rounds, prop::bool::ANY).prop_map(
        |(gate, pairs, max_rounds, swapped)| {
            let plan = Plan { max_rounds: Some(max_rounds), ..plan(gate, pairs) };
            // A failure may err more often than a pass.
            if swapped { Plan { alpha: plan.beta * 4.0, beta: plan.alpha, ..plan } } else { plan }
        },
    )
}

proptest! {
    #[test]
    fn no_verdict_contradicts_the_interval_and_the_ratio_is_inside(
        (plan, contrasts) in (plans(), contrasts())
    ) {
        let (judgement, _) = judged(&plan, &contrasts);
        // A ratio and its logarithm are rounded.
        let (low, high) = (judgement.interval.low.ln() + 1e-12, judgement.interval.high.ln() - 1e-12);
        prop_assert!(judgement.interval.low <= judgement.ratio && judgement.ratio <= judgement.interval.high);
        let ln_ratio = judgement.ratio.ln();
        let has_ties = contrasts.iter().filter(|contrast| (**contrast - ln_ratio).abs() < 1e-8).count() > 1;
        if low + 1e-12 < high && !has_ties {
            prop_assert!(low < ln_ratio && ln_ratio < high, "{judgement:?}");
        }
        prop_assert!((judgement.interval.level - (1.0 - 2.0 * plan.beta)).abs() < 1e-12);
        let Some(zone) = plan.zone else {
            prop_assert_eq!(judgement.verdict, None);
            return Ok(());
        };
        let slower = zone.slower;
        match (judgement.verdict.unwrap(), zone.faster) {
            (Verdict::Fail, None) => prop_assert!(low >= slower.lo, "{low} {slower:?}"),
            (Verdict::Fail, Some(faster)) => prop_assert!(low >= slower.lo || high <= faster.lo),
            (Verdict::Pass, faster) => {
                prop_assert!(high <= slower.hi, "{high} {slower:?}");
                prop_assert!(faster.is_none_or(|faster| low >= faster.hi));
            }
            (Verdict::Inconclusive, _) => {}
        }
        let [p_fail, p_pass] = [judgement.p_fail, judgement.p_pass].map(Option::unwrap);
        prop_assert_eq!(judgement.verdict == Some(Verdict::Fail), p_fail <= plan.alpha);
        prop_assert!(judgement.verdict != Some(Verdict::Pass) || p_pass <= plan.beta);
    }

    #[test]
    fn exchanging_the_functions_mirrors_everything(
        (pairs, contrasts) in (1..50_usize, contrasts())
    ) {
        let plan = plan(Gate::MaxDifference(0.03), pairs);
        let mirrored: Vec<f64> = contrasts.iter().map(|contrast| -contrast).collect();
        let ((one, seen), (other, seen_mirrored)) = (judged(&plan, &contrasts), judged(&plan, &mirrored));
        prop_assert_eq!((one.verdict, seen), (other.verdict, seen_mirrored));
        // Slots are whole nanoseconds.
        prop_assert!((one.ratio * other.ratio - 1.0).abs() < 1e-6);
        let ends = [one.interval.low * other.interval.high, one.interval.high * other.interval.low];
        prop_assert!(ends.iter().all(|end| end.is_nan() || (end - 1.0).abs() < 1e-6), "{ends:?}");
        prop_assert_eq!((one.p_fail, one.p_pass), (other.p_fail, other.p_pass));
    }

    #[test]
    fn a_slower_round_speaks_no_less_for_a_failure(
        (contrasts, index, more) in (contrasts(), any::<prop::sample::Index>(), 0.0..1.0_f64)
    ) {
        // Without a verdict, so that both see the same rounds, up to where they may end without one.
        let open = Plan { alpha: 1e-12, beta: 1e-12, ..plan(Gate::MaxSlowdown(0.02), 1) };
        let contrasts = &contrasts[..contrasts.len().min(40)];
        let mut slower = contrasts.to_vec();
        *index.get_mut(&mut slower) += more;
        let ((before, _), (after, _)) = (judged(&open, contrasts), judged(&open, &slower));
        prop_assert!(after.p_fail <= before.p_fail);
        prop_assert!(after.p_pass >= before.p_pass);
        prop_assert!(after.interval.low >= before.interval.low && after.interval.high >= before.interval.high);
    }
}
