//! Raw slots, live or stored, and their judgement.

use std::time::Duration;

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement};
use crate::overhead::Overhead;
use crate::plan::Plan;
use crate::sample::Recording;
use crate::stats::StatsError;

/// A finished measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The recordings of each round: at least one round, with at least one recording each. A plan without
    /// rounds has a single one.
    pub rounds: Vec<Vec<Recording>>,
    /// Their judgement.
    pub judgement: Judgement,
    /// The share of overhead.
    pub overhead: Option<Overhead>,
}

impl Measurement {
    /// The measurement that these recordings are by this plan: rounds, or what a single process has measured.
    /// They are judged as a live run would have judged them, up to where it would have stopped.
    ///
    /// # Errors
    ///
    /// [`MeasureError::Statistics`] if a statistic cannot be computed.
    ///
    /// # Panics
    ///
    /// If a number of the plan is out of range.
    pub fn of(plan: &Plan, rounds: Vec<Vec<Recording>>) -> Result<Self, MeasureError> {
        plan.assert_in_range();
        let judgement = judged(plan, &rounds)?;
        Ok(Self::new(plan, rounds, judgement))
    }

    pub(crate) fn new(plan: &Plan, rounds: Vec<Vec<Recording>>, judgement: Judgement) -> Self {
        let overhead = Overhead::of(&rounds);
        let is_one_function = rounds.iter().flatten().next().is_some_and(|process| process.is_one_function);
        let judgement = if is_one_function {
            judgement.of_one_function(plan.zone)
        } else {
            judgement.compared(plan, |plan| judged(plan, &rounds))
        };
        Self { rounds, judgement, overhead }
    }

    /// The recordings of all rounds.
    pub fn processes(&self) -> impl Iterator<Item = &Recording> {
        self.rounds.iter().flatten()
    }

    /// The counted duos of all rounds.
    pub fn duos(&self) -> impl Iterator<Item = &Duo> {
        self.processes().flat_map(|process| &process.duos)
    }

    /// The time of all processes, including warm-ups.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.processes().map(|process| process.elapsed).sum()
    }
}

fn judged(plan: &Plan, rounds: &[Vec<Recording>]) -> Result<Judgement, MeasureError> {
    if plan.is_by_rounds() {
        return judge::judge_rounds(plan, rounds);
    }
    let only = rounds.iter().flatten().next().ok_or(StatsError::TooFew { n: 0, needed: 1 })?;
    judge::judge_duos(plan, &only.warmup, &only.duos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::JudgeKind;
    use crate::simulation::{Noise, plan, simulate};

    #[test]
    fn the_plan_that_was_measured_gives_the_same_measurement() {
        for judge in JudgeKind::ALL {
            let noise = Noise::new(7);
            let plan = Plan { judge, ..plan() };
            let draw = |latency| noise.log_normal(latency, 0.01);
            // Short enough for slots of several calls, which have empty slots between them.
            let measurement = simulate(&plan, || draw(2.03e3), || draw(2e3)).unwrap();
            assert_eq!(Measurement::of(&plan, measurement.rounds.clone()), Ok(measurement), "{judge:?}");
        }
    }
}
