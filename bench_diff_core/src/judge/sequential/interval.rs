//! The interval of delta that holds whenever the measurement stops.

use std::f64::consts::LN_10;

use super::martingale::ln_sum_exp;
use crate::stats::Interval;
use crate::stats::robust::{CLIP, Location, score};

/// Bets of 1, 1/2, 1/4, ... with equal stakes. For any sample size, some of them are suitable.
const BETS: usize = 10;
const SMALLEST_BET: f64 = 1.0 / 512.0;

/// The product of this many factors, each between 0.5 and 11, neither overflows nor underflows.
const FACTORS: usize = 128;

/// The ends are exact to this share of the standard error.
const TOLERANCE: f64 = 1e-6;

/// A confidence sequence at its present end: every delta without enough evidence against it, at this error
/// rate on each side (Howard, Ramdas, McAuliffe & Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic
/// confidence sequences").
///
/// Unlike the bets of the gate, these are fixed. So the evidence decreases with the bound, and the values
/// that are not excluded are one interval.
pub(super) fn interval(scored: &[(f64, f64)], location: &Location, rate: f64) -> Interval {
    let [low, high] = [1.0, -1.0].map(|sign| sign * lower_end(scored, sign, location, -rate.ln()));
    Interval { level: 1.0 - 2.0 * rate, low, high }
}

/// The largest bound that delta times `sign` is proven to be above, by evidence of which `needed` is ln;
/// minus infinity if there is none.
fn lower_end(scored: &[(f64, f64)], sign: f64, location: &Location, needed: f64) -> f64 {
    if largest_ln_evidence(scored.len()) < needed {
        return f64::NEG_INFINITY;
    }
    let (center, error) = (sign * location.center, location.standard_error());
    let surplus = |bound: f64| ln_evidence(scored, sign, bound) - needed;

    // There is enough evidence against any bound that is low enough, so both searches end.
    let mut step = 4.0 * error;
    let (mut excluded, mut open) = (center - step, center);
    while surplus(open) >= 0.0 {
        (excluded, open) = (open, open + step);
        step *= 2.0;
    }
    while surplus(excluded) < 0.0 {
        (excluded, open) = (excluded - step, excluded);
        step *= 2.0;
    }
    while open - excluded > TOLERANCE * error {
        let middle = excluded.midpoint(open);
        if middle <= excluded || middle >= open {
            break;
        }
        let end = if surplus(middle) >= 0.0 { &mut excluded } else { &mut open };
        *end = middle;
    }
    excluded
}

/// ln E against "delta times `sign` is at most the bound".
///
/// The bets are powers of 1/2, so one exponential per contrast is enough: each power is the square of the
/// next.
fn ln_evidence(scored: &[(f64, f64)], sign: f64, bound: f64) -> f64 {
    let mut ln_stakes = [0.0; BETS];
    for duos in scored.chunks(FACTORS) {
        let mut odds = [1.0; BETS];
        for (contrast, scale) in duos {
            multiply(&mut odds, score(sign * contrast, bound, *scale));
        }
        for (ln_stake, odds) in ln_stakes.iter_mut().zip(odds) {
            *ln_stake -= odds.ln();
        }
    }
    ln_sum_exp(&ln_stakes) - LN_10
}

/// ln E of this many duos that all agree as clearly as possible.
fn largest_ln_evidence(duos: usize) -> f64 {
    let mut odds = [1.0; BETS];
    multiply(&mut odds, CLIP);
    ln_sum_exp(&odds.map(|odds| -odds.ln() * duos as f64)) - LN_10
}

/// Multiplies the odds of every bet by the score of a duo.
fn multiply(odds: &mut [f64; BETS], score: f64) {
    let mut odd = (-2.0 * SMALLEST_BET * score).exp();
    for odds in odds {
        *odds *= 0.5 + 0.5 * odd;
        odd *= odd;
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// The error rate on each side of an interval of 95 %.
    const RATE: f64 = 0.025;

    fn of(contrasts: &[f64], scale: f64) -> Interval {
        let scored: Vec<_> = contrasts.iter().map(|contrast| (*contrast, scale)).collect();
        interval(&scored, &Location::of(contrasts, 1e-5), RATE)
    }

    /// Evenly spaced quantiles of a nearly normal distribution.
    fn normal(n: usize) -> Vec<f64> {
        let logit = |i: usize| {
            let p = (i as f64 + 0.5) / n as f64;
            (p / (1.0 - p)).ln() / 1.702
        };
        (0..n).map(|i| logit(i * 7919 % n)).collect()
    }

    /// The evidence by its definition, one bet after another.
    fn slow_ln_evidence(duos: &[(f64, f64)], sign: f64, bound: f64) -> f64 {
        let ln_stake = |exponent: i32| {
            let bet = 0.5_f64.powi(exponent);
            let gain = |(contrast, scale): &(f64, f64)| {
                (2.0 / (1.0 + (-2.0 * bet * score(sign * contrast, bound, *scale)).exp())).ln()
            };
            duos.iter().map(gain).sum::<f64>()
        };
        ln_sum_exp(&(0..10).map(ln_stake).collect::<Vec<f64>>()) - LN_10
    }

    #[test]
    fn the_interval_is_less_than_twice_as_wide_as_with_a_fixed_size() {
        for n in [101, 1009, 10_007] {
            let contrasts = normal(n);
            let interval = of(&contrasts, 1.0);
            let fixed = 1.96 * Location::of(&contrasts, 1e-5).standard_error();
            let ratio = (interval.high - interval.low) / 2.0 / fixed;
            assert!((1.6..2.0).contains(&ratio), "{ratio} at {n}");
            assert!((interval.low + interval.high).abs() < 0.05 * fixed);
        }
    }

    #[test]
    fn a_few_duos_exclude_nothing() {
        let few = of(&[0.01; 5], 0.01);
        assert_eq!((few.low, few.high), (f64::NEG_INFINITY, f64::INFINITY));
        let (ratio, none) = (few.exp(), of(&[0.3], 1e-5));
        assert_eq!((ratio.low, ratio.high), (0.0, f64::INFINITY));
        assert_eq!((none.low, none.high), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn equal_contrasts_have_an_interval_of_the_size_of_the_floor() {
        let interval = of(&[0.3; 16], 1e-5);
        assert!(0.299_98 < interval.low && interval.low < 0.3);
        assert!(0.3 < interval.high && interval.high < 0.300_02);
    }

    #[test]
    fn a_hundred_thousand_duos_have_a_narrow_interval() {
        let interval = of(&normal(100_003), 1.0);
        assert!(interval.low < 0.0 && 0.0 < interval.high && interval.high < 0.02);
    }

    fn scored() -> impl Strategy<Value = Vec<(f64, f64)>> {
        vec((-0.1..0.1, 1e-3..0.1), 1..400)
    }

    proptest! {
        #[test]
        fn the_quick_evidence_equals_its_definition(duos in scored(), bound in -0.2..0.2) {
            for sign in [1.0, -1.0] {
                let slow = slow_ln_evidence(&duos, sign, bound);
                let quick = ln_evidence(&duos, sign, bound);
                prop_assert!((quick - slow).abs() < 1e-9 * slow.abs().max(1.0));
            }
        }

        #[test]
        fn no_evidence_is_larger_than_the_largest(duos in scored(), bound in -0.2..0.2) {
            let largest = largest_ln_evidence(duos.len());
            prop_assert!((slow_ln_evidence(&vec![(9.0, 1.0); duos.len()], 1.0, 0.0) - largest).abs() < 1e-9 * largest.abs().max(1.0));
            prop_assert!(ln_evidence(&duos, 1.0, bound) <= largest + 1e-9);
        }

        #[test]
        fn the_evidence_falls_with_the_bound_and_rises_with_the_contrasts(
            duos in scored(), bound in -0.2..0.2, more in 0.0..0.1,
        ) {
            let mut duos = duos;
            let ln_evidence = |duos: &[(f64, f64)], bound| ln_evidence(duos, 1.0, bound);
            let ln_e = ln_evidence(&duos, bound);
            prop_assert!(ln_evidence(&duos, bound + more) <= ln_e + 1e-9);
            duos[0].0 += more;
            prop_assert!(ln_evidence(&duos, bound) >= ln_e - 1e-9);
        }

        #[test]
        fn the_evidence_is_just_enough_at_the_ends(duos in scored()) {
            let contrasts: Vec<f64> = duos.iter().map(|(contrast, _)| *contrast).collect();
            let location = Location::of(&contrasts, 1e-5);
            let Interval { low, high, .. } = interval(&duos, &location, RATE);
            prop_assert!(low < high);
            if low.is_finite() {
                let error = location.standard_error();
                let ln_e = |bound| ln_evidence(&duos, 1.0, bound);
                let needed = 40_f64.ln();
                prop_assert!(ln_e(low) >= needed && ln_e(low + 1e-5 * error) < needed);
            }
        }
    }
}
