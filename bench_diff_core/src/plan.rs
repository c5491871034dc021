//! The plan of a measurement: everything that is decided before the first slot.

use std::time::Duration;

use crate::clock::ClockPolicy;
use crate::coin::{OrderPolicy, Seed};
use crate::gate::Zone;
use crate::judge::JudgeKind;

/// How a pair is measured and judged.
///
/// A number out of its range is a panic of whoever is given the plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The bounds that the candidate is held to: those of a [`Gate`](crate::Gate). None where nothing is decided.
    pub zone: Option<Zone>,
    /// Who decides.
    pub judge: JudgeKind,
    /// The probability of a false failure, above 0 and at most 1/2: of this pair, not of the run that it belongs to.
    pub alpha: f64,
    /// The probability of a false pass, above 0 and at most 1/2.
    pub beta: f64,
    /// The slots of each function that [`JudgeKind::Welch`] measures, at least 2; an odd number is rounded up, since
    /// a duo holds two of each.
    pub slots: u64,
    /// The time after which [`JudgeKind::Sequential`] leaves a pair undecided, counted from the first duo that counts.
    ///
    /// A soft limit: no pair ends before the duos that a plain slowdown takes to be proven, nor while every duo so far
    /// says the same, and a block that was begun is finished. A pair that would take ten times as long is
    /// [`MeasureError::TooSlow`](crate::MeasureError::TooSlow).
    pub max_time: Duration,
    /// The time for which the functions run before anything counts.
    pub warmup: Duration,
    /// What the slots are timed with.
    pub clock: ClockPolicy,
    /// Whether the baseline is measured against itself as well, with as many duos and in between those of the pair.
    pub control: bool,
    /// How the order of the duos is drawn.
    pub order: OrderPolicy,
    /// The seed of this pair's coin.
    pub seed: Seed,
}

impl Plan {
    /// # Panics
    ///
    /// Where a number is out of its range.
    pub(crate) fn assert_in_range(&self) {
        let Self { alpha, beta, slots, .. } = *self;
        assert!(0.0 < alpha && alpha <= 0.5, "alpha is {alpha}, and has to be above 0 and at most 1/2");
        assert!(0.0 < beta && beta <= 0.5, "beta is {beta}, and has to be above 0 and at most 1/2");
        assert!(slots > 0, "slots is 0: there is nothing to measure");
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
            (Plan { beta: 0.6, ..plan() }, "beta"),
            (Plan { slots: 0, ..plan() }, "slots"),
        ] {
            let panic = catch_unwind(|| simulate(&wrong, || panic!("called"), || 1.0)).map(drop).unwrap_err();
            let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref().copied());
            assert!(said.unwrap().contains(name), "{said:?}");
        }
        let warmup = simulate(&plan(), || 20e3, || 20e3).unwrap().warmup;
        assert!(catch_unwind(|| judge(&Plan { beta: 0.0, ..plan() }, &warmup, &[])).is_err());
    }
}
