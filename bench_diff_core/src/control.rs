//! The control: the baseline measured against itself, which shows what else there is besides the functions.

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge;
use crate::plan::Plan;
use crate::stats::Interval;
use crate::warmup::Warmup;

/// The baseline against a copy of itself, measured in between the duos of the pair and by the same path.
///
/// Its ratio is 1 but for what the machine and the layout of code and data add, which the ratio of the pair suffers as
/// well. Its interval tells how fine a difference this machine resolved in as many duos.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The duos, raw: as many as counted for the pair, with the copy in the place of the candidate.
    pub duos: Vec<Duo>,
    /// The copy over the baseline: above 1 is slower.
    pub ratio: f64,
    /// The 95 % interval of this ratio, of the same kind as that of the pair.
    pub interval: Interval,
}

impl Control {
    pub(crate) fn of(plan: &Plan, warmup: &Warmup, duos: Vec<Duo>) -> Result<Self, MeasureError> {
        let mut judge = judge::start(&Plan { zone: None, ..*plan }, warmup);
        judge.step(&duos);
        let judgement = judge.judgement(&duos)?;
        Ok(Self { duos, ratio: judgement.ratio, interval: judgement.interval })
    }

    /// Whether the baseline differs from itself: the interval leaves out 1, which chance alone does to fewer than 5 %
    /// of the controls.
    #[must_use]
    pub fn is_significant(&self) -> bool {
        !(self.interval.low..=self.interval.high).contains(&1.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;
    use crate::judge::{JudgeKind, Verdict};
    use crate::measure::Measurement;
    use crate::pair::{Functions, Pair};
    use crate::simulation::{Noise, plan, simulate, simulate_pair};
    use crate::slot::Side;

    /// A pair whose functions all take 20 us and a little noise, but for the copy of the baseline.
    struct Copied<'a> {
        clock: &'a ManualClock,
        noise: Noise,
        copy: f64,
    }

    impl Pair for Copied<'_> {
        fn lend(&mut self, measure: &mut dyn FnMut(Functions<'_>)) {
            let Self { clock, noise, copy } = self;
            let pass = |median| clock.advance(Duration::from_secs_f64(noise.log_normal(median, 0.01) * 1e-9));
            measure(Functions {
                candidate: Side::plain(&mut || pass(20e3)),
                baseline: Side::plain(&mut || pass(20e3)),
                control: Some(Side::plain(&mut || pass(20e3 * *copy))),
                empty: Side::plain(&mut || ()),
            });
        }
    }

    fn measured(seed: u64, copy: f64, judge: JudgeKind) -> Measurement {
        let clock = ManualClock::new();
        let plan = Plan { control: true, judge, ..plan() };
        simulate_pair(&clock, &plan, &mut Copied { clock: &clock, noise: Noise::new(seed), copy }).unwrap()
    }

    #[test]
    fn the_control_is_as_long_as_the_pair_and_tells_what_the_copy_costs() {
        for judge in JudgeKind::ALL {
            let measurement = measured(5, 1.03, judge);
            let control = measurement.control.unwrap();
            assert_eq!(control.duos.len(), measurement.duos.len());
            assert!((control.ratio - 1.03).abs() < 0.01, "{}", control.ratio);
            assert!(control.is_significant());
            assert_eq!(measurement.judgement.verdict, Some(Verdict::Pass), "the pair itself is equal");
        }
    }

    #[test]
    fn an_equal_copy_is_seldom_significant() {
        let significant = |judge| {
            (1..=200).filter(|seed| measured(*seed, 1.0, judge).control.unwrap().is_significant()).count()
        };
        // 200 times 5 % and two standard deviations.
        assert!(significant(JudgeKind::Welch) <= 16);
        assert!(significant(JudgeKind::Sequential) <= 16);
    }

    #[test]
    fn there_is_no_control_unless_the_plan_has_one() {
        assert_eq!(simulate(&plan(), || 20e3, || 20e3).unwrap().control, None);
    }

    #[test]
    fn a_control_changes_nothing_for_its_pair() {
        let run = |control| {
            let noise = Noise::new(9);
            let max_time = Duration::from_millis(40);
            let plan =
                Plan { control, max_time, judge: JudgeKind::Sequential, alpha: 1e-9, beta: 1e-9, ..plan() };
            // Only the candidate draws from the noise: a control runs the baseline.
            simulate(&plan, || noise.log_normal(20e3, 0.3), || 20e3).unwrap()
        };
        let (with, without) = (run(true), run(false));
        assert_eq!((&with.duos, &with.judgement), (&without.duos, &without.judgement));
        assert!(with.elapsed > without.elapsed);
    }
}
