//! The course of the evidence: what a judge had after each step, for those who draw it.

use super::JudgeKind;
use super::rounds::Rounds;
use super::sequential::Sequential;
use crate::plan::Plan;
use crate::sample::Recording;

/// The evidence after a round, or after a duo where duos are judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// ln of the evidence for a failure; where both directions break the gate, what the better one leaves
    /// after the choice.
    pub ln_fail: f64,
    /// ln of the evidence for a pass; where both directions break the gate, of the one with less.
    pub ln_pass: f64,
}

/// The course of the evidence of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceCourse {
    /// The ln of the evidence at which a failure is proven.
    pub fail_at: f64,
    /// The ln of the evidence at which a pass is proven.
    pub pass_at: f64,
    /// The evidence after each round, or after each duo where the plan has no rounds. 1 over the largest is
    /// the p-value.
    pub steps: Vec<Evidence>,
}

impl EvidenceCourse {
    /// The course of the evidence in these rounds; none without a gate, of a judge that keeps no evidence, of
    /// one piece of code, which needs none, and where the slots have no statistics.
    ///
    /// # Panics
    ///
    /// If a number of the plan is out of its range.
    #[must_use]
    pub fn of(plan: &Plan, rounds: &[Vec<Recording>]) -> Option<Self> {
        plan.assert_in_range();
        plan.zone?;
        let steps = match (plan.judge, rounds) {
            (JudgeKind::Welch, _) | (_, []) => return None,
            (_, [first, ..]) if first[0].is_one_function => return None,
            (JudgeKind::Sequential, rounds) if plan.max_rounds.is_some() => of_rounds(plan, rounds)?,
            (JudgeKind::Sequential, [first, ..]) => of_duos(plan, &first[0])?,
        };
        Some(Self { fail_at: -plan.alpha.ln(), pass_at: -plan.beta.ln(), steps })
    }
}

fn of_rounds(plan: &Plan, rounds: &[Vec<Recording>]) -> Option<Vec<Evidence>> {
    let mut judge = Rounds::new(plan);
    let after = |round: &Vec<Recording>| {
        judge.add(round).ok()?;
        judge.evidence()
    };
    rounds.iter().map(after).collect()
}

fn of_duos(plan: &Plan, recording: &Recording) -> Option<Vec<Evidence>> {
    let mut judge = Sequential::new(plan, &recording.warmup);
    (1..=recording.duos.len()).map(|seen| judge.evidence_after(&recording.duos[..seen])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::measurement::judge_again;
    use crate::simulation::{Noise, plan, simulate};

    fn recordings(plan: &Plan, ratio: f64, rounds: usize) -> Vec<Vec<Recording>> {
        let noise = Noise::new(7);
        let draw = |latency| noise.log_normal(latency, 0.01);
        let single = Plan { max_rounds: None, ..*plan };
        let one = |_| simulate(&single, || draw(20e3 * ratio), || draw(20e3)).unwrap().rounds.remove(0);
        (0..rounds).map(one).collect()
    }

    /// Of the evidence that there ever was, the p-values of the judgement are made.
    #[test]
    fn the_largest_evidence_is_the_p_value() {
        for gate in [Gate::MaxSlowdown(0.02), Gate::MaxDifference(0.02)] {
            for ratio in [1.0, 1.02, 1.1] {
                for max_rounds in [Some(40), None] {
                    let plan = Plan { zone: gate.zone(), judge: JudgeKind::Sequential, max_rounds, ..plan() };
                    let rounds = recordings(&plan, ratio, max_rounds.map_or(1, |_| 12));
                    let measurement = judge_again(&plan, rounds).unwrap().measurement;
                    let course = EvidenceCourse::of(&plan, &measurement.rounds).unwrap();
                    let p =
                        |of: fn(&Evidence) -> f64| (-course.steps.iter().map(of).fold(0.0, f64::max)).exp();
                    let near = |ours: f64, judged: Option<f64>| {
                        assert!(
                            (ours / judged.unwrap() - 1.0).abs() < 1e-9,
                            "{gate:?} {ratio}: {ours} {judged:?}"
                        );
                    };
                    near(p(|step| step.ln_fail), measurement.judgement.p_fail);
                    if matches!(gate, Gate::MaxSlowdown(_)) {
                        near(p(|step| step.ln_pass), measurement.judgement.p_pass);
                    }
                    assert_eq!(
                        course.steps.len(),
                        max_rounds.map_or(measurement.rounds[0][0].duos.len(), |_| measurement.rounds.len())
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_not_judged_has_no_course() {
        let rounds = recordings(&plan(), 1.0, 1);
        for other in
            [Plan { zone: None, ..plan() }, Plan { judge: JudgeKind::Welch, max_rounds: None, ..plan() }]
        {
            assert_eq!(EvidenceCourse::of(&other, &rounds), None);
        }
        assert_eq!(EvidenceCourse::of(&plan(), &[]), None);
    }
}
