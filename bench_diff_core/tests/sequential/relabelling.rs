//! The theorem itself, on one fixed and hostile set of contrasts: of all the ways in which the coin could
//! have fallen, at most one in a hundred has evidence of 100 at any moment (Ville 1939), however the sizes of
//! the contrasts were chosen.

use bench_diff_core::{Coin, Judgement, OrderPolicy, Plan, Seed, judge};

use crate::binomial::acceptable;
use crate::gate::{NARROW, bounds};
use crate::simulation::{SLOT, WARMUP_DUOS, plan, warmup};
use crate::trace::{Trace, relabelled};

const SHORT: usize = 10_000;
const FULL: usize = 100_000;

/// The judge may neither stop nor decide, so that its p-value is 1 over the largest evidence of the whole
/// trace.
const UNREACHABLE: f64 = 1e-300;

/// Sizes of contrasts against which a fixed scale and a bet that learns are at their worst: a warm-up that
/// promises far less noise than there is, sizes that alternate between nothing and an outlier, sizes that
/// grow and that fade away.
fn hostile() -> Trace {
    let quiet = [2e-4; WARMUP_DUOS];
    let even = [0.004; 24];
    let alternating = [1e-4, 0.3, 0.002, 0.01].repeat(6);
    let growing = (0..24).map(|i| 3e-4 * 1.3_f64.powi(i));
    let fading = (0..24).map(|i| 0.2 * 0.75_f64.powi(i));
    let sizes = quiet.into_iter().chain(even).chain(alternating).chain(growing).chain(fading);
    sizes.map(|size| [[SLOT * size.exp(); 2], [SLOT; 2]]).collect()
}

/// The labellings of the trace that have evidence of 100 at some moment, for an effect and the p-value of a
/// proof.
fn great_evidence(labellings: usize, delta: f64, p: fn(&Judgement) -> Option<f64>) -> usize {
    let plan = Plan { alpha: UNREACHABLE, beta: UNREACHABLE, ..plan(NARROW) };
    let trace = hostile();
    let mut coin = Coin::new(OrderPolicy::Coin, Seed(labellings as u64));
    let is_great = |_: &usize| {
        let duos = relabelled(&trace, &mut coin, delta);
        let (before, counted) = duos.split_at(WARMUP_DUOS);
        let judgement = judge(&plan, &warmup(before.to_vec(), 1), counted).expect("every slot has a time");
        p(&judgement).expect("a gate has a p-value") <= 0.01
    };
    (0..labellings).filter(is_great).count()
}

fn one_in_a_hundred_at_most(labellings: usize, delta: f64, p: fn(&Judgement) -> Option<f64>) {
    let count = great_evidence(labellings, delta, p);
    println!("{count} of {labellings}");
    assert!(count <= acceptable(labellings, 0.01, 1e-3), "{count} of {labellings}");
    assert!(count > 0, "the trace is too short to say anything");
}

#[test]
fn one_labelling_in_a_hundred_has_great_evidence_of_a_slowdown() {
    one_in_a_hundred_at_most(SHORT, bounds(NARROW).lo, |judgement| judgement.p_fail);
}

#[test]
fn one_labelling_in_a_hundred_has_great_evidence_against_a_slowdown() {
    one_in_a_hundred_at_most(SHORT, bounds(NARROW).hi, |judgement| judgement.p_pass);
}

mod in_full {
    use super::*;

    #[test]
    #[ignore = "half a minute"]
    fn one_labelling_in_a_hundred_has_great_evidence_of_a_slowdown() {
        one_in_a_hundred_at_most(FULL, bounds(NARROW).lo, |judgement| judgement.p_fail);
    }

    #[test]
    #[ignore = "half a minute"]
    fn one_labelling_in_a_hundred_has_great_evidence_against_a_slowdown() {
        one_in_a_hundred_at_most(FULL, bounds(NARROW).hi, |judgement| judgement.p_pass);
    }
}
