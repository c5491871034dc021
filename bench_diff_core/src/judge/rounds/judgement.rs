//! The final judgement over rounds, apart from its verdict.

use super::design::Design;
use super::mean::change_on_average;
use super::{Direction, Rounds};
use crate::error::MeasureError;
use crate::judge::figures::{RoundFigures, WelchFigures, welch_test};
use crate::judge::undecided::undecided;
use crate::judge::{Judgement, MDE_POWER, Verdict, too_short};
use crate::note::{Needed, Note, Which};
use crate::sample::Recording;
use crate::stats::robust::{median_of, sorted, spread};
use crate::stats::{Interval, StatsError, normal_quantile_upper};

/// An advised time has a quarter in reserve, since no two runs are equally fast.
const RESERVE: f64 = 1.25;

impl Rounds {
    /// The contrasts of the rounds that are judged.
    fn contrasts(&self) -> Vec<f64> {
        self.looks.iter().take(self.most).map(|look| look.contrast).collect()
    }

    /// The interval that the bets do not exclude, at the error rate of a pass on each side, limited to what
    /// the verdict has proven.
    pub(super) fn interval(&self) -> Interval {
        let interval = interval(&self.contrasts(), &self.design_of_pass());
        match (self.effective, self.verdict()) {
            (Some(effective), Some(verdict)) => {
                effective.limited(interval, verdict, self.directions[0].broken.has_decided())
            }
            _ => interval,
        }
    }

    pub(super) fn judgement(&self, rounds: &[Vec<Recording>]) -> Result<Judgement, MeasureError> {
        let contrasts = self.contrasts();
        if contrasts.is_empty() {
            return Err(StatsError::TooFew { n: 0, needed: 1 }.into());
        }
        let processes = rounds.iter().flatten();
        let slots = processes.map(|process| (&process.duos[..], process.warmup.iterations));
        let welch = welch_test(&slots.collect::<Vec<_>>(), self.floor)?;
        let interval = self.interval();
        let directions = self.directions.len() as f64;
        let of = |value: fn(&Direction) -> f64| self.directions.iter().map(value);
        let gated = self.effective.is_some();
        let shown = |value: f64| gated.then_some(value);
        let spread = spread(&contrasts).max(self.floor);
        Ok(Judgement {
            verdict: self.verdict(),
            ratio: estimate(&contrasts, interval).exp(),
            interval: interval.exp(),
            p_fail: shown((directions * of(|it| it.broken.p()).fold(f64::INFINITY, f64::min)).min(1.0)),
            p_pass: shown(of(|it| it.kept.p()).fold(0.0, f64::max)),
            mde: self.mde(spread),
            ignored: self.effective.and_then(|effective| effective.ignored),
            rounds: Some(RoundFigures::of(contrasts, spread, self.floor)),
            welch: WelchFigures::of(&welch, true),
            notes: self.notes(rounds, interval),
        })
    }

    /// What may still decide, if further rounds are like those so far.
    fn needed(&self) -> Needed {
        let rounds = self.looks.len();
        match self.rounds_to_decide(0.0) {
            _ if rounds >= self.most => Needed::MoreRounds,
            Some(needed) => Needed::Time(self.time().mul_f64(RESERVE * needed as f64 / rounds as f64)),
            None => Needed::Limit,
        }
    }

    /// The smallest slowdown that the maximum number of rounds would find in 95 % of runs, if rounds are
    /// normally distributed around it.
    fn mde(&self, spread: f64) -> Option<f64> {
        let direction = self.directions.first()?;
        let probability = direction.broken.probability_for(MDE_POWER)?;
        let distance = spread * normal_quantile_upper(1.0 - probability);
        let effective = self.effective?;
        effective.found(effective.judged.slower.lo + distance, self.calls)
    }

    fn notes(&self, rounds: &[Vec<Recording>], interval: Interval) -> Vec<Note> {
        let is_undecided = self.verdict() == Some(Verdict::Inconclusive);
        let undecided = self.effective.filter(|_| is_undecided).map(|effective| {
            let contrasts = ("rounds", self.contrasts());
            undecided(effective, self.calls, contrasts, interval, self.needed())
        });
        let passes = self.verdict() == Some(Verdict::Pass);
        let effective = self.effective.filter(|_| passes);
        let on_average = effective.and_then(|effective| change_on_average(rounds, effective));
        let on_average = on_average.map(|change| Note::OnAverage { change });
        let is_alone = !rounds.iter().flatten().any(|process| process.has_baseline);
        let empty = too_short::empty(self.calls)
            .map(|note| if is_alone { Note::Empty { which: Which::Only } } else { note });
        [undecided, on_average, empty].into_iter().flatten().collect()
    }
}

/// All medians that the signs of these contrasts do not exclude, at the error rate of the design on each
/// side; without limits if there are too few rounds.
///
/// The bets are those of the gate, but asked after the last round only. They could also exclude what they
/// excluded on the way (Ville 1939), which would leave no value if the first rounds lay above the later ones.
pub(super) fn interval(contrasts: &[f64], design: &Design) -> Interval {
    let sorted = sorted(contrasts);
    let (low, high) = match design.signs_that_decide(sorted.len()) {
        Some(signs) => (sorted[sorted.len() - signs], sorted[signs - 1]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Interval { level: 1.0 - 2.0 * design.rate, low, high }
}

/// The median of the contrasts, for which the evidence in both directions is equal. If a verdict has limited
/// the interval to values beside the median, its middle, or its end if there is only one.
pub(super) fn estimate(contrasts: &[f64], Interval { low, high, .. }: Interval) -> f64 {
    let (median, middle) = (median_of(contrasts), f64::midpoint(low, high));
    let is_beside = median < low || high < median;
    if is_beside && middle.is_finite() { middle } else { median.clamp(low, high) }
}
