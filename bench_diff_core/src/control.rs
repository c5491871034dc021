//! The control: the baseline measured against itself, which shows what else there is besides the functions.

use crate::judge::{self, Rounds};
use crate::plan::Plan;
use crate::sample::Recording;
use crate::stats::Interval;

/// The baseline against itself, measured in between the duos of the pair and by the same path.
///
/// It is the same code with the same inputs, so its ratio is 1 but for noise, and chance alone says which of
/// its slots count as whose. Its interval tells how fine a difference this machine resolved in as many duos
/// as the pair had.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The baseline over itself: above 1 is slower.
    pub ratio: f64,
    /// The interval of this ratio, of the same kind as that of the pair.
    pub interval: Interval,
}

impl Control {
    /// The control of these rounds; none where there is none, or no statistics of it.
    pub(crate) fn of(plan: &Plan, rounds: &[Recording]) -> Option<Self> {
        let plan = Plan { zone: None, ..*plan };
        let of_control = |round: &Recording| Recording { duos: round.control.clone(), ..round.clone() };
        let judgement = if plan.is_by_rounds() {
            let rounds: Vec<Recording> = rounds.iter().map(of_control).collect();
            let mut judge = Rounds::new(&plan);
            rounds.iter().try_for_each(|round| judge.add(round)).ok()?;
            judge.judgement(&rounds).ok()?
        } else {
            let round = rounds.first()?;
            let mut judge = judge::start(&plan, &round.warmup);
            judge.step(&round.control);
            judge.judgement(&round.control).ok()?
        };
        Some(Self { ratio: judgement.ratio, interval: judgement.interval })
    }

    /// Whether the baseline differs from itself: the interval leaves out 1. Chance alone does that to at most
    /// 5 % of the controls of one process, and to twice beta, 10 % by default, of those of rounds.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        !(self.interval.low..=self.interval.high).contains(&1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;
    use crate::measurement::Measurement;
    use crate::plan::JudgeKind;
    use crate::sample::{Functions, Pair, Side};
    use crate::simulation::{Noise, plan, simulate, simulate_on, simulate_pair};

    fn controlled(seed: u64, judge: JudgeKind) -> Measurement {
        let noise = Noise::new(seed);
        let plan = Plan { control: true, judge, ..plan() };
        simulate(&plan, || noise.log_normal(21e3, 0.01), || noise.log_normal(20e3, 0.01)).unwrap()
    }

    #[test]
    fn the_control_is_as_long_as_the_pair_and_near_to_1() {
        for judge in JudgeKind::ALL {
            let measurement = controlled(5, judge);
            let control = measurement.control.unwrap();
            assert_eq!(measurement.rounds[0].control.len(), measurement.rounds[0].duos.len());
            assert!((control.ratio - 1.0).abs() < 0.01, "{}", control.ratio);
            assert!((measurement.judgement.ratio - 1.05).abs() < 0.01);
        }
    }

    #[test]
    fn a_control_is_seldom_significant() {
        for judge in JudgeKind::ALL {
            let is_significant = |seed: &u64| controlled(*seed, judge).control.unwrap().is_significant();
            // Binomial (200, .05): mean 10, standard deviation 3.1; the limit is 2 of them.
            assert!((1..=200).filter(is_significant).count() <= 16, "{judge:?}");
        }
    }

    #[test]
    fn what_differs_from_itself_is_significant() {
        let mut control = controlled(5, JudgeKind::Welch).control.unwrap();
        control.interval.low = 1.001;
        assert!(control.is_significant());
    }

    #[test]
    fn there_is_no_control_unless_the_plan_has_one() {
        assert_eq!(simulate(&plan(), || 20e3, || 20e3).unwrap().control, None);
    }

    #[test]
    fn a_control_without_statistics_is_no_error_of_the_pair() {
        let (clock, slots) = (ManualClock::new(), Cell::new(0_u64));
        let plan = Plan { control: true, slots: 4, ..plan() };
        // After calibration and warm-up, 18 duos, and the 2 that count, the baseline takes no time.
        let baseline = || {
            slots.set(slots.get() + 1);
            clock.advance(Duration::from_micros(if slots.get() <= 2 * 20 { 20 } else { 0 }));
        };
        let measurement =
            simulate_on(&clock, &plan, || clock.advance(Duration::from_micros(20)), baseline).unwrap();
        assert_eq!((measurement.rounds[0].duos.len(), measurement.control), (2, None));
    }

    /// Functions that take a while to get ready every time, as it does where inputs are made.
    struct Slow<'a> {
        clock: &'a ManualClock,
        noise: Noise,
    }

    impl Pair for Slow<'_> {
        fn with_functions(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let Self { clock, noise } = self;
            clock.advance(Duration::from_micros(300));
            let pass = |nanoseconds: f64| clock.advance(Duration::from_secs_f64(nanoseconds * 1e-9));
            measure(Functions {
                // Only the candidate draws from the noise: a control calls the baseline.
                candidate: Side::plain(&mut || pass(noise.log_normal(20e3, 0.3))),
                baseline: Side::plain(&mut || pass(20e3)),
                empty: Side::plain(&mut || ()),
            });
        }
    }

    #[test]
    fn a_control_changes_nothing_for_its_pair() {
        let run = |control| {
            let clock = ManualClock::new();
            let (max_time, warmup) = (Duration::from_millis(40), Duration::from_millis(10));
            let judge = JudgeKind::Sequential;
            let plan = Plan { control, max_time, warmup, judge, alpha: 1e-9, beta: 1e-9, ..plan() };
            simulate_pair(&clock, &plan, &mut Slow { clock: &clock, noise: Noise::new(9) }).unwrap()
        };
        let (with, without) = (run(true), run(false));
        let slots = |measurement: &Measurement| {
            (measurement.rounds[0].warmup.clone(), measurement.rounds[0].duos.clone())
        };
        assert_eq!(slots(&with), slots(&without));
        assert_eq!(with.judgement, without.judgement);
        assert!(with.elapsed() > without.elapsed());
    }
}
