//! The last record of a run.

use super::{Machine, OtherSide, Outcome, StartRecord, Uncompared};

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct RunRecord {
    /// The word `run`, which tells its line from those of pairs.
    pub event: &'static str,
    /// The package of the bench.
    pub package: String,
    /// The name of the bench.
    pub bench: String,
    /// The number of pairs that passed.
    pub passed: usize,
    /// The number of pairs that failed.
    pub failed: usize,
    /// The number of pairs without a proof of either.
    pub inconclusive: usize,
    /// The number of pairs that could not be measured or judged.
    pub errors: usize,
    /// The number of pairs that were ignored.
    pub ignored: usize,
    /// The number of pairs that were measured and have no verdict.
    pub measured: usize,
    /// The time of the whole run, in seconds.
    pub elapsed_s: f64,
    /// The side that functions were compared with in place of their baselines.
    pub against: Option<OtherSide>,
    /// The machine before the run.
    pub machine: Machine,
}

impl RunRecord {
    /// The count of the outcomes.
    pub fn of(start: &StartRecord, outcomes: &[Outcome], elapsed_s: f64) -> Self {
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
    pub fn uncompared(&self) -> Option<Uncompared> {
        self.against.as_ref()?.uncompared
    }
}
