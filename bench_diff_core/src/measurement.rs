//! Raw slots, live or stored, and their judgement.

use std::time::Duration;

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::{self, Judgement, Replay, Rounds};
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

/// The judgement of a plan on slots that were measured before.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejudged {
    /// The measurement, as a live run would have ended it.
    pub measurement: Measurement,
    /// Set if the slots ended before the judge could decide, as they do in a run that runs out of time.
    pub wants_more: bool,
}

/// The measurement that a plan makes of these rounds, as a live run would have ended it. Rounds, or duos of
/// the only round, that its judge would not have measured any more are left out.
///
/// The plan of the original run gives the original measurement. Limits that apply only to a live run, such as
/// the time limit of a process, have no effect. If the plan has no rounds but the measurement has, the duos
/// of all rounds are judged as if one process had measured them.
///
/// # Errors
///
/// [`MeasureError::Statistics`] if a statistic cannot be computed, [`MeasureError::TooSlow`] if the rounds
/// last too long for the time of the plan.
///
/// # Panics
///
/// If a number of the plan is out of range.
pub fn judge_again(plan: &Plan, rounds: Vec<Vec<Recording>>) -> Result<Rejudged, MeasureError> {
    plan.assert_in_range();
    let by_rounds = plan.is_by_rounds();
    let mut rounds = if by_rounds { rounds } else { joined(rounds) };
    if !by_rounds
        && plan.ignores()
        && let [round] = &mut rounds[..]
        && let [only] = &mut round[..]
    {
        only.complete_warmup();
    }
    let Replay { seen, wants_more, judgement } = replayed(plan, &rounds)?;
    if by_rounds {
        rounds.truncate(seen);
    } else {
        rounds[0][0].truncate(seen);
    }
    let wants_more = wants_more && !rounds.iter().flatten().any(|process| process.is_one_function);
    Ok(Rejudged { measurement: Measurement::new(plan, rounds, judgement), wants_more })
}

/// Replays rounds, or the duos of the only round, through the judge of this plan.
fn replayed(plan: &Plan, rounds: &[Vec<Recording>]) -> Result<Replay, MeasureError> {
    match rounds {
        rounds if plan.is_by_rounds() => judge::replay_rounds(plan, rounds),
        [round, ..] if !round.is_empty() => judge::replay(plan, &round[0].warmup, &round[0].duos),
        _ => Err(StatsError::TooFew { n: 0, needed: 1 }.into()),
    }
}

/// The duos of all processes, as if the first process had measured them.
fn joined(rounds: Vec<Vec<Recording>>) -> Vec<Vec<Recording>> {
    let mut processes = rounds.into_iter().flatten();
    let Some(mut first) = processes.next() else { return Vec::new() };
    for process in processes {
        // The empty slots are no longer spaced evenly among the duos.
        first.empty.clear();
        // The time of a slot if it had as many calls as those of the first round.
        let scaled = |slot: u64| {
            let calls = u128::from(process.warmup.iterations.max(1));
            u64::try_from(u128::from(slot) * u128::from(first.warmup.iterations) / calls).unwrap_or(u64::MAX)
        };
        let duo = |duo: &Duo| Duo {
            candidate: duo.candidate.map(scaled),
            baseline: duo.baseline.map(scaled),
            ..*duo
        };
        first.duos.extend(process.duos.iter().map(duo));
        first.elapsed += process.elapsed;
    }
    vec![vec![first]]
}

impl Measurement {
    pub(crate) fn new(plan: &Plan, rounds: Vec<Vec<Recording>>, judgement: Judgement) -> Self {
        let overhead = Overhead::of(&rounds);
        let is_one_function = rounds.iter().flatten().next().is_some_and(|process| process.is_one_function);
        let judgement = if is_one_function {
            judgement.of_one_function(plan.zone)
        } else {
            judgement.compared(plan, |plan| replayed(plan, &rounds).map(|replay| replay.judgement))
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

impl Rounds {
    /// The measurement by these rounds, which are all rounds so far.
    ///
    /// # Errors
    ///
    /// [`MeasureError::Statistics`] if a statistic cannot be computed.
    pub fn measurement(&self, rounds: Vec<Vec<Recording>>) -> Result<Measurement, MeasureError> {
        let judgement = self.judgement(&rounds)?;
        Ok(Measurement::new(self.plan(), rounds, judgement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::judge::Verdict;
    use crate::plan::JudgeKind;
    use crate::sample::BLOCK;
    use crate::simulation::{Noise, plan, simulate};

    fn measured(judge: JudgeKind) -> (Plan, Measurement) {
        let noise = Noise::new(7);
        let plan = Plan { judge, ..plan() };
        let draw = |latency| noise.log_normal(latency, 0.01);
        // Short enough for slots of several calls, which have empty slots between them.
        let measurement = simulate(&plan, || draw(2.03e3), || draw(2e3)).unwrap();
        (plan, measurement)
    }

    #[test]
    fn the_plan_that_was_measured_gives_the_same_measurement() {
        for judge in JudgeKind::ALL {
            let (plan, measurement) = measured(judge);
            let again = judge_again(&plan, measurement.rounds.clone()).unwrap();
            assert_eq!(again, Rejudged { measurement, wants_more: false }, "{judge:?}");
        }
    }

    #[test]
    fn a_judge_that_decides_earlier_gets_fewer_duos() {
        let (plan, measurement) = measured(JudgeKind::Welch);
        let wide = Plan { judge: JudgeKind::Sequential, zone: Gate::MaxSlowdown(0.5).zone(), ..plan };
        let Rejudged { measurement: again, wants_more } =
            judge_again(&wide, measurement.rounds.clone()).unwrap();
        assert_eq!((again.judgement.verdict, wants_more), (Some(Verdict::Pass), false));
        let (again_slots, slots) = (&again.rounds[0][0], &measurement.rounds[0][0]);
        assert!(again_slots.duos.len() < slots.duos.len(), "{}", again_slots.duos.len());
        assert_eq!(slots.empty.len(), slots.duos.len().div_ceil(BLOCK));
        assert_eq!(again_slots.empty, slots.empty[..again_slots.duos.len() / BLOCK]);
        assert_eq!(again.overhead, Overhead::of(&again.rounds));
    }

    #[test]
    fn a_judge_without_enough_data_wants_more() {
        let (plan, measurement) = measured(JudgeKind::Sequential);
        let sure = Plan { alpha: 1e-300, beta: 1e-300, ..plan };
        let again = judge_again(&sure, measurement.rounds.clone()).unwrap();
        assert!(again.wants_more);
        assert_eq!(again.measurement.rounds, measurement.rounds, "all that there are");
    }
}
