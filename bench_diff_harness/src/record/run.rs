//! The last record of a run.

use super::{Machine, OtherSide, Outcome, StartRecord, Uncompared};

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub(crate) struct RunRecord {
    pub(crate) event: &'static str,
    pub(crate) package: String,
    pub(crate) bench: String,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) inconclusive: usize,
    pub(crate) errors: usize,
    pub(crate) ignored: usize,
    pub(crate) measured: usize,
    pub(crate) elapsed_s: f64,
    /// The side that functions were compared with in place of their baselines.
    pub(crate) against: Option<OtherSide>,
    pub(crate) machine: Machine,
}

impl RunRecord {
    /// The count of the outcomes.
    pub(crate) fn of(start: &StartRecord, outcomes: &[Outcome], elapsed_s: f64) -> Self {
        let StartRecord { package, bench, against, machine, .. } = start.clone();
        let mut run = Self { event: "run", package, bench, against, machine, elapsed_s, ..Self::default() };
        for outcome in outcomes {
            *match outcome {
                Outcome::Pass => &mut run.passed,
                Outcome::Fail => &mut run.failed,
                Outcome::Inconclusive => &mut run.inconclusive,
                Outcome::Error => &mut run.errors,
                Outcome::Ignored => &mut run.ignored,
                Outcome::Measured => &mut run.measured,
            } += 1;
        }
        if let Some(side) = &mut run.against {
            // Nothing is left to run that may yet be compared.
            let is_over = outcomes.len() == start.pairs.len() && outcomes.len() == run.ignored;
            let has_functions = run.ignored > 0 || !side.not_compared.is_empty();
            let why = side.uncompared.or(has_functions.then_some(Uncompared::NoFunction));
            side.uncompared = why.filter(|_| is_over);
        }
        run
    }

    /// The reason if nothing was compared with another side.
    pub(crate) fn uncompared(&self) -> Option<Uncompared> {
        self.against.as_ref()?.uncompared
    }
}
