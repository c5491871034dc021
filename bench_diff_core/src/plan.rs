//! The plan of a measurement: everything that is decided before the first slot.

use std::time::Duration;

use crate::clock::ClockPolicy;
use crate::coin::Seed;
use crate::gate::{Gate, Zone};

/// The plan for measuring and judging a pair.
///
/// A function that takes a plan panics if one of its numbers is out of range. It does not check the zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The bounds for the candidate, those of a [`Gate`](crate::Gate). None if nothing is judged.
    pub zone: Option<Zone>,
    /// The judge.
    pub judge: JudgeKind,
    /// The probability of a false failure of this pair (not of the whole run), above 0 and at most 1/2.
    pub alpha: f64,
    /// The probability of a false pass, above 0 and below 1/2.
    pub beta: f64,
    /// The slots of each function that [`JudgeKind::Welch`] measures, at least 1. An odd number is rounded
    /// up, since a duo has two of each.
    pub slots: u64,
    /// The time after which [`JudgeKind::Sequential`] leaves a pair undecided. In one process, it is counted
    /// from the first counted duo. With rounds, it is the time of the counted slots of all rounds together.
    ///
    /// This is a wish. A pair always gets as many duos, or rounds, as a plain slowdown needs, whatever they
    /// take. In one process, it goes on while all duos agree, and with rounds, it gets up to three times as
    /// many if they may decide.
    pub max_time: Duration,
    /// The least time for which the functions run before slots count, in each process. They run for a few
    /// duos in any case. A process of a round has no warm-up if a call takes at least 1.25 ms.
    pub warmup: Duration,
    /// The maximum number of rounds, from 1 to 1000. Each is measured in new processes, and
    /// [`JudgeKind::Sequential`] bets on the signs of the rounds. Without rounds, it bets on the signs of the
    /// duos of a single process.
    pub max_rounds: Option<usize>,
    /// A difference of less than this many nanoseconds per call does not count: above 0 and at most an hour.
    /// The bounds of the zone are at least that far from 1, as a share of a typical call of the baseline,
    /// which is the median of the warm-up or of each process. A gate that requires a speed-up is not
    /// affected. None if only the ratio counts.
    pub ignore_below: Option<f64>,
    /// The clock of the slots.
    pub clock: ClockPolicy,
    /// The seed of this pair's coin.
    pub seed: Seed,
}

/// The judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JudgeKind {
    /// A sequential test. It looks at the data again and again and stops as soon as they prove something.
    ///
    /// With [rounds](Plan::max_rounds), it is a sequential sign test: it bets on whether the contrast of each
    /// round lies beyond a bound, and requires only that rounds are independent (Lan & DeMets 1983, "Discrete
    /// sequential boundaries for clinical trials"; Koning & van Meer 2025, arXiv 2501.03982).
    ///
    /// In a single process, it is the sequential t-test under symmetry. A fair coin draws the order of every
    /// duo, so the signs of the contrasts around a bound are fair coins as well, whatever the noise (Efron
    /// 1969, "Student's t-Test Under Symmetry Conditions"; de la Pena 1999, "A General Class of Exponential
    /// Inequalities for Martingales and Ratios").
    ///
    /// In both cases, the winnings of the bets are a test martingale, so the error rates hold whenever the
    /// test stops (Ville 1939; Ramdas, Ruf, Larsson & Koolen 2020, "Admissible anytime-valid sequential
    /// inference must rely on nonnegative martingales").
    #[default]
    Sequential,
    /// Welch's t-test on the logarithms of a fixed number of slots.
    ///
    /// This is not exact: the test assumes independent slots, and the slots of a real machine are not. Drift
    /// that both functions share makes it cautious; noise with a period near the length of a duo can make it
    /// too bold.
    Welch,
}

impl JudgeKind {
    /// Every judge.
    pub const ALL: [Self; 2] = [Self::Sequential, Self::Welch];

    /// The word for this judge in an attribute, on the command line and in a record.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Welch => "welch",
        }
    }
}

/// The most rounds of a plan. The cost of judging them grows with the square of their number.
pub const MOST_ROUNDS: usize = 1000;

/// The most that a plan can ignore, in nanoseconds: an hour.
pub const MOST_IGNORED: f64 = 3.6e12;

impl Default for Plan {
    /// The harness's defaults for one pair: `max_slowdown = "2%"`, `sequential`, 120 rounds at most. The seed
    /// is 0.
    fn default() -> Self {
        Self {
            zone: Gate::MaxSlowdown(0.02).zone(),
            judge: JudgeKind::Sequential,
            alpha: 0.01,
            beta: 0.05,
            slots: 2000,
            max_time: Duration::from_secs(2),
            warmup: Duration::from_millis(2),
            max_rounds: Some(120),
            ignore_below: None,
            clock: ClockPolicy::Auto,
            seed: Seed(0),
        }
    }
}

impl Plan {
    /// Returns whether the plan judges rounds instead of duos.
    pub(crate) fn is_by_rounds(&self) -> bool {
        self.judge == JudgeKind::Sequential && self.max_rounds.is_some()
    }

    /// Returns whether the gate ignores differences below a time. A gate that requires a speed-up does not.
    #[must_use]
    pub fn ignores(&self) -> bool {
        self.ignore_below.is_some() && self.zone.is_some_and(|zone| zone.slower.lo > 0.0)
    }

    /// # Panics
    ///
    /// If a number is out of range.
    pub(crate) fn assert_in_range(&self) {
        let Self { alpha, beta, slots, max_rounds, ignore_below, .. } = *self;
        assert!(0.0 < alpha && alpha <= 0.5, "alpha is {alpha}, and has to be above 0 and at most 1/2");
        assert!(0.0 < beta && beta < 0.5, "beta is {beta}, and has to be above 0 and below 1/2");
        assert!(slots > 0, "slots is 0: there is nothing to measure");
        let is_in_range = ignore_below.is_none_or(|below| 0.0 < below && below <= MOST_IGNORED);
        assert!(
            is_in_range,
            "ignore_below is {ignore_below:?}, and has to be above 0 and at most {MOST_IGNORED}"
        );
        let is_in_range = max_rounds.is_none_or(|rounds| (1..=MOST_ROUNDS).contains(&rounds));
        assert!(is_in_range, "max_rounds is {max_rounds:?}, and has to be from 1 to {MOST_ROUNDS}");
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;
    use crate::judge::judge;
    use crate::simulation::{plan, simulate};

    #[test]
    fn a_plan_out_of_range_is_refused_before_anything_is_called() {
        for (wrong, name) in [
            (Plan { alpha: 0.0, ..plan() }, "alpha"),
            (Plan { alpha: f64::NAN, ..plan() }, "alpha"),
            (Plan { beta: 0.0, ..plan() }, "beta"),
            (Plan { beta: 0.5, ..plan() }, "beta"),
            (Plan { slots: 0, ..plan() }, "slots"),
            (Plan { ignore_below: Some(0.0), ..plan() }, "ignore_below"),
            (Plan { ignore_below: Some(4e12), ..plan() }, "ignore_below"),
            (Plan { ignore_below: Some(f64::NAN), ..plan() }, "ignore_below"),
        ] {
            let panic = catch_unwind(|| simulate(&wrong, || panic!("called"), || 1.0)).map(drop).unwrap_err();
            let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref().copied());
            assert!(said.unwrap().contains(name), "{said:?}");
        }
        let warmup = simulate(&plan(), || 20e3, || 20e3).unwrap().rounds.remove(0).remove(0).warmup;
        assert!(catch_unwind(|| judge(&Plan { beta: 0.0, ..plan() }, &warmup, &[])).is_err());
    }
}
