//! The judge over rounds. A round is measured in fresh processes and counts once.
//!
//! A function has modes that last as long as a process, and an address in the program that also lasts as
//! long. So the duos of one process are a single observation, however many there are, and the contrast of a
//! round is their location. The bets use only the signs of these contrasts: they ask whether the median
//! contrast of all rounds lies beyond a bound. So they are fair for independent rounds of any distribution. A
//! bet on clipped contrasts would be fair only for a symmetric distribution, and modes that slow down one of
//! two functions are not symmetric.

mod design;
mod judgement;
mod length;
mod look;
mod mean;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use self::design::{Design, Signs, Spending};
pub(crate) use self::length::duos_of_round;
use self::length::length_of_next;
use self::look::Look;
use super::effective_zone::{EffectiveZone, is_enough};
use super::{Judgement, PRECISE, Verdict, verdict};
use crate::error::MeasureError;
use crate::gate::{Bounds, Zone};
use crate::overhead::Calls;
use crate::plan::{MOST_ROUNDS, Plan};
use crate::sample::Recording;
use crate::stats::robust::median_of;

/// After this many rounds it shows whether more can decide.
const ENOUGH_TO_TELL: usize = 40;

/// A longer step of the clock than this share of a slot counts against a verdict.
const COARSE: f64 = 0.01;

/// The judge of one pair by rounds.
#[derive(Clone, Debug)]
pub struct Rounds {
    plan: Plan,
    most: usize,
    looks: Vec<Look>,
    /// Set if both functions are the same code according to the first round.
    is_one_function: bool,
    /// The overhead of calls in the first round, which moves the bounds of all rounds.
    calls: Option<Calls>,
    /// A step of the clock as a share of a slot.
    floor: f64,
    /// The zone of a typical round. All rounds have the same one, unless a difference in time is ignored.
    effective: Option<EffectiveZone>,
    /// "Slower", and "faster" if that breaks the gate as well.
    directions: Vec<Direction>,
}

/// The evidence that the gate is broken in one direction, and that it is kept.
#[derive(Clone, Debug)]
struct Direction {
    /// 1 for "slower", -1 for "faster".
    sign: f64,
    broken: Signs,
    kept: Signs,
}

impl Direction {
    /// Counts a round, which is compared with these bounds.
    fn add(&mut self, contrast: f64, Bounds { lo, hi }: Bounds) {
        self.broken.add(self.sign * contrast > self.sign * lo);
        self.kept.add(self.sign * contrast < self.sign * hi);
    }
}

impl Rounds {
    /// A judge with the maximum number of rounds of the plan.
    ///
    /// # Panics
    ///
    /// If a number of the plan is out of range, or if the plan has no rounds.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        plan.assert_in_range();
        Self {
            plan: *plan,
            most: plan.max_rounds.expect("a plan of rounds says how many there may be"),
            looks: Vec::new(),
            is_one_function: false,
            calls: None,
            floor: 0.0,
            effective: None,
            directions: Vec::new(),
        }
    }

    /// The smallest [`max_rounds`](Plan::max_rounds) with which a plan can end both in a failure and in a
    /// pass; 1 without a gate.
    ///
    /// # Panics
    ///
    /// If a number of the plan is out of range.
    #[must_use]
    pub fn fewest_of(plan: &Plan) -> usize {
        plan.assert_in_range();
        let Some(zone) = plan.zone else { return 1 };
        let is_enough = |rounds: &usize| {
            let broken = Design::new(alpha_of_direction(plan, zone), *rounds, Spending::LATE);
            let kept = Design::new(plan.beta, *rounds, Spending::EARLY);
            broken.fewest().is_some() && kept.fewest().is_some()
        };
        (1..MOST_ROUNDS).find(is_enough).unwrap_or(MOST_ROUNDS)
    }

    /// Counts a round, given the recordings of its processes. Rounds have to be added in order.
    ///
    /// # Errors
    ///
    /// [`MeasureError::Statistics`] if the slots have no statistics.
    pub fn add(&mut self, round: &[Recording]) -> Result<(), MeasureError> {
        let processes = round.iter().map(Look::of_process).collect::<Result<Vec<_>, _>>()?;
        let look = Look::mean(&processes)?;
        if self.looks.is_empty() {
            self.begin(&round[0]);
        }
        self.hold(&look, &processes);
        self.looks.push(look);
        Ok(())
    }

    /// Takes over what only the first process of the first round knows.
    fn begin(&mut self, first: &Recording) {
        self.is_one_function = first.is_one_function;
        self.calls = Calls::of(&first.warmup);
        self.floor = first.warmup.relative_resolution_of(&first.duos);
        let Some(zone) = self.plan.zone else { return };
        let broken = Design::shared(alpha_of_direction(&self.plan, zone), self.most, Spending::LATE);
        let kept = self.design_of_pass();
        let direction = |sign| Direction { sign, broken: Signs::new(&broken), kept: Signs::new(&kept) };
        self.directions.push(direction(1.0));
        self.directions.extend(zone.faster.map(|_| direction(-1.0)));
    }

    /// Compares a round with its bounds.
    ///
    /// If a difference in time is ignored, the bounds depend on the call of the baseline in each process, and
    /// those of the round are their means, as its contrast is. So no round is above them if no process took
    /// more additional time than is ignored, however the pace differs between processes.
    fn hold(&mut self, look: &Look, processes: &[Look]) {
        let zone = |process: &Look| EffectiveZone::new(&self.plan, process.baseline, self.calls);
        let zones: Vec<EffectiveZone> = processes.iter().filter_map(zone).collect();
        // Slots that begin and end at the same phase of a step all show the same wrong time.
        let step = if self.floor > COARSE { self.floor } else { 0.0 };
        for (index, direction) in self.directions.iter_mut().enumerate() {
            let mean = |end: fn(Bounds) -> f64| {
                let ends = zones.iter().filter_map(|zone| zone.bounds().nth(index)).map(end);
                ends.sum::<f64>() / zones.len() as f64
            };
            let step = direction.sign * step;
            direction.add(look.contrast, Bounds { lo: mean(|it| it.lo) + step, hi: mean(|it| it.hi) - step });
        }
        let baselines: Vec<f64> = self.looks.iter().chain([look]).map(|look| look.baseline).collect();
        self.effective = EffectiveZone::new(&self.plan, median_of(&baselines), self.calls);
    }

    fn design_of_pass(&self) -> Arc<Design> {
        Design::shared(self.plan.beta, self.most, Spending::EARLY)
    }

    /// The duos of the next round, at least 1; `None` if the judge has seen enough or has no time left.
    #[must_use]
    pub fn next(&self) -> Option<usize> {
        let has_ended = || {
            self.looks.len() >= self.most
                || self.has_seen_enough()
                || self.is_out_of_time()
                || self.is_hopeless()
        };
        // A variance needs two slots of each function, and half a duo has one.
        let slots: usize = self.looks.iter().map(|look| look.slots).sum();
        (slots < 2 || !has_ended()).then(|| self.length_of_next())
    }

    /// The time of all slots.
    fn time(&self) -> Duration {
        Duration::from_nanos(self.looks.iter().map(|look| look.time).fold(0, u64::saturating_add))
    }

    /// Returns whether so many rounds disagree so much that the others could hardly decide: not even if the
    /// share of signs is better than so far by twice its standard error.
    fn is_hopeless(&self) -> bool {
        let rounds = self.looks.len();
        !self.directions.is_empty()
            && rounds >= ENOUGH_TO_TELL
            && self.rounds_to_decide(1.0 / (rounds as f64).sqrt()).is_none()
    }

    /// The number of rounds after which there is a verdict, if each sign goes on to have its share of the
    /// rounds, or by `more` a larger one; `None` if the maximum number is not enough.
    fn rounds_to_decide(&self, more: f64) -> Option<usize> {
        let of = |signs: &Signs| signs.rounds_to_decide(more);
        let broken = self.directions.iter().filter_map(|direction| of(&direction.broken)).min();
        let kept = self.directions.iter().map(|direction| of(&direction.kept));
        let kept = kept.collect::<Option<Vec<_>>>().and_then(|rounds| rounds.into_iter().max());
        broken.into_iter().chain(kept).min()
    }

    /// The rounds until there is a verdict, at least 1, if further rounds are like those so far.
    #[must_use]
    pub fn left(&self) -> usize {
        let needed = if self.directions.is_empty() {
            self.design_of_pass().fewest()
        } else {
            self.rounds_to_decide(0.0)
        };
        needed.unwrap_or(self.most).saturating_sub(self.looks.len()).max(1)
    }

    fn length_of_next(&self) -> usize {
        let gate = self.effective.map(|effective| effective.gate).or(self.plan.zone);
        length_of_next(&self.looks, gate.map_or(PRECISE, Zone::width))
    }

    fn has_seen_enough(&self) -> bool {
        let is_decided = self.verdict().is_some_and(|verdict| verdict != Verdict::Inconclusive);
        self.is_one_function
            || is_decided
            || self.is_hidden()
            || is_enough(self.effective, || self.interval())
    }

    /// Returns whether most of each slot is overhead, which hides what all rounds so far have found.
    fn is_hidden(&self) -> bool {
        self.effective.is_some_and(|effective| self.looks.iter().all(|look| effective.hides(look.contrast)))
    }

    /// The verdict so far; `None` without a gate, or before the first round.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.effective?;
        let is_broken = self.directions.iter().any(|direction| direction.broken.has_decided());
        let is_kept = self.directions.iter().all(|direction| direction.kept.has_decided());
        Some(verdict(is_broken, is_kept))
    }

    /// Returns whether to give up after this time. The judge always collects the least evidence that can
    /// decide, and up to three times as much if that decides should the rounds go on like those so far.
    fn is_out_of_time(&self) -> bool {
        let is_over = self.time() >= self.plan.max_time;
        // Without a gate, a rough result is good enough.
        let Some(Direction { broken, kept, .. }) = self.directions.first() else { return is_over };
        let [to_fail, to_pass] = [broken, kept].map(|signs| signs.fewest().unwrap_or(self.most));
        let most = 3 * to_fail.max(to_pass);
        let is_in_sight = self.rounds_to_decide(0.0).is_some_and(|rounds| rounds <= most);
        is_over && self.looks.len() >= if is_in_sight { most } else { to_fail }
    }
}

/// Each direction can fail falsely, so they share alpha. A pass has to be proven in both.
fn alpha_of_direction(plan: &Plan, zone: Zone) -> f64 {
    plan.alpha / if zone.faster.is_some() { 2.0 } else { 1.0 }
}

/// Judges rounds as a live run would have, up to the round after which it would have stopped.
pub(crate) fn judge_rounds(plan: &Plan, rounds: &[Vec<Recording>]) -> Result<Judgement, MeasureError> {
    let mut judge = Rounds::new(plan);
    let mut seen = 0;
    while seen < rounds.len() && judge.next().is_some() {
        judge.add(&rounds[seen])?;
        seen += 1;
    }
    judge.judgement(&rounds[..seen])
}
