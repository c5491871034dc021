//! The fixed-size judge: Welch's t-test on the logarithms of the slots.

use super::figures::{WelchFigures, welch_test};
use super::{EffectiveZone, Judge, Judgement, MDE_POWER, Verdict, too_short, verdict};
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::gate::Zone;
use crate::note::Note;
use crate::overhead::{Calls, net_slowdown};
use crate::plan::Plan;
use crate::sample::Warmup;
use crate::stats::{Interval, StatsError, WelchTest};

pub(super) struct Welch {
    plan: Plan,
    duos: usize,
    block: usize,
    stdev_floor: f64,
    calls: Option<Calls>,
    effective: Option<EffectiveZone>,
}

impl Welch {
    pub(super) fn new(plan: &Plan, warmup: &Warmup) -> Self {
        let calls = Calls::of(warmup);
        Self {
            plan: *plan,
            duos: usize::try_from(plan.slots.div_ceil(2)).unwrap_or(usize::MAX),
            block: warmup.block(),
            stdev_floor: warmup.relative_resolution(),
            calls,
            effective: EffectiveZone::after(plan, warmup, calls),
        }
    }

    fn notes(&self, verdict: Option<Verdict>, interval: Interval) -> Vec<Note> {
        let gate = self.effective.map(|effective| effective.gate);
        let undecided = gate.filter(|_| verdict == Some(Verdict::Inconclusive));
        let too_short = undecided.and_then(|gate| too_short::undecided(gate, self.calls, interval));
        [too_short, too_short::empty(self.calls)].into_iter().flatten().collect()
    }

    fn p_values(&self, test: &WelchTest, zone: Zone) -> (f64, f64) {
        let (too_slow, not_too_slow) = (test.p_greater(zone.slower.lo), test.p_less(zone.slower.hi));
        match zone.faster {
            None => (too_slow, not_too_slow),
            Some(faster) => {
                let (too_fast, not_too_fast) = (test.p_less(faster.lo), test.p_greater(faster.hi));
                ((2.0 * too_slow.min(too_fast)).min(1.0), not_too_slow.max(not_too_fast))
            }
        }
    }

    fn mde(&self, test: &WelchTest, zone: Zone) -> Option<f64> {
        let directions = if zone.faster.is_some() { 2.0 } else { 1.0 };
        let delta = test.detectable(zone.slower.lo, self.plan.alpha / directions, 1.0 - MDE_POWER);
        net_slowdown(delta, self.calls)
    }
}

impl Judge for Welch {
    fn step(&mut self, duos: &[Duo]) -> Option<usize> {
        let left = self.duos.saturating_sub(duos.len());
        (left > 0).then_some(left.min(self.block))
    }

    fn judgement(&self, duos: &[Duo]) -> Result<Judgement, MeasureError> {
        let test = welch_test(&[(duos, 1)], self.stdev_floor)?;
        let zone = self.effective.map(|effective| effective.judged);
        let p_values = zone.map(|zone| self.p_values(&test, zone));
        if p_values.is_some_and(|(p_fail, p_pass)| p_fail.is_nan() || p_pass.is_nan()) {
            return Err(StatsError::NotFinite.into());
        }
        let proven = |(p_fail, p_pass)| verdict(p_fail <= self.plan.alpha, p_pass <= self.plan.beta);
        let verdict = p_values.map(proven);
        let interval = test.interval(1.0 - 2.0 * self.plan.beta);
        Ok(Judgement {
            verdict,
            ratio: test.difference().exp(),
            interval: interval.exp(),
            p_fail: p_values.map(|(p_fail, _)| p_fail),
            p_pass: p_values.map(|(_, p_pass)| p_pass),
            ignored: self.effective.and_then(|effective| effective.ignored),
            mde: zone.and_then(|zone| self.mde(&test, zone)),
            rounds: None,
            welch: WelchFigures::of(&test, false),
            notes: self.notes(verdict, interval),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin::Seed;
    use crate::gate::Gate;
    use crate::judge::judge;
    use crate::simulation::{Noise, PLAIN_CASES, plan, simulate};

    /// The judgement of a candidate with this true ratio, in log-normal noise of this spread.
    fn judged(gate: Gate, ratio: f64, sigma: f64, seed: u64) -> Judgement {
        let noise = Noise::new(seed);
        let plan = Plan { zone: gate.zone(), seed: Seed(seed), ..plan() };
        let candidate = || noise.log_normal(20e3 * ratio, sigma);
        simulate(&plan, candidate, || noise.log_normal(20e3, sigma)).unwrap().judgement
    }

    fn verdict(gate: Gate, ratio: f64) -> Verdict {
        judged(gate, ratio, 0.01, 7).verdict.unwrap()
    }

    #[test]
    fn a_slowdown_fails_and_no_slowdown_passes() {
        for (gate, ratio, expected) in PLAIN_CASES {
            assert_eq!(verdict(gate, ratio), expected, "{gate:?} at {ratio}");
        }
    }

    #[test]
    fn too_much_noise_is_inconclusive() {
        assert_eq!(judged(Gate::MaxSlowdown(0.02), 1.02, 0.5, 7).verdict, Some(Verdict::Inconclusive));
    }

    #[test]
    fn without_a_gate_there_is_no_verdict() {
        let judgement = judged(Gate::ReportOnly, 1.05, 0.01, 7);
        assert_eq!(
            (judgement.verdict, judgement.p_fail, judgement.p_pass, judgement.mde),
            (None, None, None, None)
        );
        assert!(judgement.interval.low < 1.05 && 1.05 < judgement.interval.high);
    }

    #[test]
    fn constant_latencies_are_ordinary_data() {
        let judged = |ratio: f64| simulate(&plan(), || 20e3 * ratio, || 20e3).unwrap().judgement;
        assert_eq!(judged(1.0).verdict, Some(Verdict::Pass));
        assert_eq!(judged(1.0).ratio, 1.0);
        assert_eq!(judged(1.02).verdict, Some(Verdict::Fail), "2 % slower is proven to be above 1 %");
        assert_eq!(judged(2.0).verdict, Some(Verdict::Fail));
    }

    #[test]
    fn the_figures_agree_with_the_test() {
        let judgement = judged(Gate::MaxSlowdown(0.02), 1.0, 0.01, 7);
        let WelchFigures { t, df, p, p_two_sided, nominal } = judgement.welch;
        assert!((df - 798.0).abs() < 8.0, "400 slots of equal spread: {df}");
        assert!((p_two_sided - 2.0 * p.min(1.0 - p)).abs() < 1e-12);
        assert_eq!(t > 0.0, judgement.ratio > 1.0);
        assert!(!nominal);
        // The standard error is .01 sqrt(2 / 400) = .00071; the MDE lies 2.33 + 1.65 of them above 1 %.
        assert!((judgement.mde.unwrap() - 0.01285).abs() < 0.000_3, "{:?}", judgement.mde);
    }

    #[test]
    fn an_equivalence_counts_both_directions() {
        let noise = Noise::new(3);
        let plan = Plan { zone: Gate::MaxDifference(0.02).zone(), ..plan() };
        let measurement =
            simulate(&plan, || noise.log_normal(20.2e3, 0.05), || noise.log_normal(20e3, 0.05)).unwrap();
        let exchanged = |duo: &Duo| Duo { candidate: duo.baseline, baseline: duo.candidate, ..*duo };
        let duos: Vec<Duo> = measurement.rounds[0][0].duos.iter().map(exchanged).collect();
        let slower = measurement.judgement;
        let faster = judge(&plan, &measurement.rounds[0][0].warmup, &duos).unwrap();
        assert!((slower.ratio * faster.ratio - 1.0).abs() < 1e-12);
        let near = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 1e-9;
        assert!(near(slower.p_fail, faster.p_fail) && near(slower.p_pass, faster.p_pass));
        let one_sided = Plan { zone: Gate::MaxSlowdown(0.02).zone(), ..plan };
        let one_sided =
            judge(&one_sided, &measurement.rounds[0][0].warmup, &measurement.rounds[0][0].duos).unwrap();
        assert!(
            near(slower.p_fail, one_sided.p_fail.map(|p| (2.0 * p).min(1.0))),
            "two directions, two chances"
        );
    }

    #[test]
    fn no_duo_is_not_enough() {
        let plan = plan();
        let measurement = simulate(&plan, || 20e3, || 20e3).unwrap();
        let error = judge(&plan, &measurement.rounds[0][0].warmup, &[]).unwrap_err();
        assert!(matches!(error, MeasureError::Statistics(_)), "{error}");
    }

    #[test]
    fn a_slot_without_time_is_an_error() {
        let plan = plan();
        let measurement = simulate(&plan, || 20e3, || 20e3).unwrap();
        let mut duos = measurement.rounds[0][0].duos.clone();
        duos[0].candidate[0] = 0;
        assert!(judge(&plan, &measurement.rounds[0][0].warmup, &duos).is_err());
    }

    /// In independent log-normal noise, the test keeps its nominal level.
    #[test]
    fn equal_functions_fail_as_often_as_alpha_says() {
        let runs = 1500;
        // The lower bound of the zone, where the level is reached.
        let at_the_bound = (Gate::MaxSlowdown(0.02).zone().unwrap().slower.lo).exp();
        let fails = |ratio: f64| {
            (1..=runs)
                .filter(|&seed| {
                    let noise = Noise::new(seed);
                    let plan = Plan { slots: 100, alpha: 0.05, seed: Seed(seed), ..plan() };
                    let candidate = || noise.log_normal(20e3 * ratio, 0.05);
                    let measurement = simulate(&plan, candidate, || noise.log_normal(20e3, 0.05)).unwrap();
                    measurement.judgement.verdict == Some(Verdict::Fail)
                })
                .count()
        };
        // Binomial (1500, .05): mean 75, standard deviation 8.4; the limits are 4 standard deviations.
        let at_the_bound = fails(at_the_bound);
        assert!((41..=109).contains(&at_the_bound), "{at_the_bound} of {runs}");
        // The standard error is .0071, so equal functions lie 1.4 standard errors below the bound.
        let equal = fails(1.0);
        assert!(equal < 10, "{equal} of {runs}");
    }
}
