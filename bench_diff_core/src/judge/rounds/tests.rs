//! The bets on the signs of rounds: their exact error rates, and the rounds that they need.

use super::design::{Design, Signs, Spending};
use super::judgement::{estimate, interval};

/// Error rates of pairs: alpha divided by the number of pairs that share it, beta, and unusual ones.
const RATES: [f64; 9] = [0.05, 0.01, 0.005, 0.002, 0.01 / 22.0, 1e-4, 1e-5, 0.2, 0.03];
const LENGTHS: [usize; 6] = [120, 12, 20, 40, 60, 200];
const SPENDINGS: [Spending; 2] = [Spending::EARLY, Spending::LATE];

/// The exact probability that fair signs decide. All states that the signs can reach are followed.
fn probability_of_decision(design: &Design, rounds: usize) -> f64 {
    let (mut states, mut decided) = (vec![1.0], 0.0);
    for round in 1..=rounds {
        let mut next = vec![0.0; round + 1];
        for (signs, state) in states.iter().enumerate() {
            next[signs] += state / 2.0;
            next[signs + 1] += state / 2.0;
        }
        for (signs, state) in next.iter_mut().enumerate() {
            if design.decides_at(round, signs) {
                decided += *state;
                *state = 0.0;
            }
        }
        states = next;
    }
    decided
}

#[test]
fn fair_signs_decide_at_most_at_the_error_rate() {
    for rate in RATES {
        for length in LENGTHS {
            for spending in SPENDINGS {
                let design = Design::shared(rate, length, spending);
                let decided = probability_of_decision(&design, length);
                assert!(decided <= rate, "{decided} at {rate} in {length} rounds");
                if rate >= 1e-4 && length >= 20 {
                    assert!(
                        decided > 0.5 * rate,
                        "{decided} at {rate} in {length} rounds: too little is spent"
                    );
                }
            }
        }
    }
}

#[test]
fn the_evidence_is_a_martingale_of_fair_signs_and_grows_with_each_sign() {
    for rate in RATES {
        let design = Design::shared(rate, 40, Spending::LATE);
        let of = |signs: &[bool]| Signs::of(&design, signs.iter().copied()).ln_e().exp();
        assert!((of(&[]) - 1.0).abs() < 1e-12);
        // Every sequence of eight signs, after a start that is close to a decision.
        for start in [0, 3, 9] {
            for pattern in 0..256_u32 {
                let mut signs = vec![true; start];
                signs.extend((0..8).map(|bit| pattern >> bit & 1 == 1));
                if Signs::of(&design, signs.iter().copied()).has_decided() {
                    // The bets are over.
                    continue;
                }
                let now = of(&signs);
                let [with, against] = [true, false].map(|sign| of(&[signs.as_slice(), &[sign]].concat()));
                assert!((f64::midpoint(with, against) - now).abs() <= 1e-9 * now, "{signs:?}");
                assert!(with >= now && now >= against, "{signs:?}");
                if let Some(place) = signs.iter().position(|sign| !sign) {
                    let mut more = signs.clone();
                    more[place] = true;
                    assert!(of(&more) >= now, "{signs:?}");
                }
            }
        }
    }
}

/// A failure proves enough for an interval to exclude the bound, however many pairs share alpha.
#[test]
fn a_failure_also_decides_at_the_rate_of_an_interval() {
    let loose = Design::new(0.05, 40, Spending::EARLY);
    for pairs in 1..=1000 {
        let strict = Design::new(0.01 / f64::from(pairs), 40, Spending::LATE);
        for rounds in 1..=40 {
            for signs in (0..=rounds).filter(|signs| strict.decides_at(rounds, *signs)) {
                assert!(loose.decides_at(rounds, signs), "{signs} of {rounds} with {pairs} pairs");
            }
        }
    }
}

/// Bets that stop when they have decided would exclude every value here.
#[test]
fn an_interval_lies_around_the_median_although_the_first_rounds_were_slower() {
    let design = Design::new(0.05, 120, Spending::EARLY);
    let later = [0.012, -0.003, 0.007, 0.001, 0.015, -0.008, 0.004, 0.009, 0.002, -0.001];
    let contrasts = [&[0.051, 0.063, 0.055, 0.07, 0.058][..], &later, &[0.006]].concat();
    let found = interval(&contrasts, &design);
    // 14 of 16 signs decide.
    assert_eq!((found.low, found.high), (-0.001, 0.058));
    assert_eq!(estimate(&contrasts, found), f64::midpoint(0.007, 0.009));
    let few = interval(&contrasts[..4], &design);
    assert_eq!((few.low, few.high), (f64::NEG_INFINITY, f64::INFINITY));
}
