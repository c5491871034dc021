//! The sequential judge: the t-test under symmetry, stopped as soon as something is proven.

mod interval;
mod martingale;
mod mde;
mod scale;
#[cfg(test)]
mod tests;
mod trial;

use std::time::Duration;

use scale::Scale;
use trial::Trial;

use super::effective_zone::{EffectiveZone, is_enough};
use super::figures::{WelchFigures, welch_test};
use super::undecided::undecided;
use super::{Judge, Judgement, Verdict, too_short};
use crate::duo::Duo;
use crate::error::MeasureError;
use crate::note::{Needed, Note};
use crate::overhead::Calls;
use crate::plan::Plan;
use crate::sample::Warmup;
use crate::stats::robust::Location;
use crate::stats::{Interval, StatsError};

/// The judge looks for no verdict before this many duos, unless they are long.
const FIRST_LOOK: usize = 16;

/// A look costs more than a duo, so the number of duos at each look at the interval is this many times the
/// number at the look before.
const GROWTH: f64 = 1.25;

pub(super) struct Sequential {
    plan: Plan,
    block: usize,
    first_look: usize,
    floor: f64,
    scale: Scale,
    /// The contrasts of the duos so far, each with its scale.
    scored: Vec<(f64, f64)>,
    calls: Option<Calls>,
    /// The zone of the gate, and its trial.
    gate: Option<(EffectiveZone, Trial)>,
    next_interval: usize,
    finite: bool,
}

impl Sequential {
    pub(super) fn new(plan: &Plan, warmup: &Warmup) -> Self {
        let block = warmup.block();
        let first_look = if warmup.has_long_duos() { 1 } else { FIRST_LOOK };
        let floor = warmup.relative_resolution();
        let calls = Calls::of(warmup);
        let gate = EffectiveZone::after(plan, warmup, calls).map(|zone| {
            let trial = Trial::new(zone.judged, zone.gate.width(), plan.alpha, plan.beta);
            (zone, trial)
        });
        // The warm-up is only used for the scale, so duos that it could not time are left out.
        let warmup: Vec<f64> =
            warmup.duos.iter().map(Duo::contrast).filter(|contrast| contrast.is_finite()).collect();
        Self {
            plan: *plan,
            block,
            first_look,
            floor,
            scale: Scale::new(&warmup, floor),
            scored: Vec::new(),
            calls,
            gate,
            next_interval: first_look,
            finite: true,
        }
    }

    /// Counts the new duos.
    fn add(&mut self, duos: &[Duo]) {
        for duo in &duos[self.scored.len()..] {
            let contrast = duo.contrast();
            if !contrast.is_finite() {
                self.finite = false;
                return;
            }
            let scale = self.scale.after(&self.scored);
            if let Some((_, trial)) = &mut self.gate {
                trial.add(contrast, scale);
            }
            self.scored.push((contrast, scale));
        }
    }

    fn has_seen_enough(&mut self) -> bool {
        let duos = self.scored.len();
        if duos < self.first_look {
            return false;
        }
        match &self.gate {
            Some((_, trial)) if trial.verdict() != Verdict::Inconclusive => return true,
            _ if duos < self.next_interval => return false,
            _ => {}
        }
        self.next_interval = (duos as f64 * GROWTH).ceil() as usize;
        is_enough(self.zone(), || interval::interval(&self.scored, &self.location(), self.plan.beta))
    }

    fn contrasts(&self) -> Vec<f64> {
        self.scored.iter().map(|(contrast, _)| *contrast).collect()
    }

    fn location(&self) -> Location {
        Location::of(&self.contrasts(), self.floor)
    }

    fn mde(&self, location: &Location) -> Option<f64> {
        let (zone, trial) = self.gate.as_ref()?;
        let duos = self.scored.len();
        let distance = mde::detectable_distance(location.sigma, trial.fail_at, duos);
        zone.found(zone.judged.slower.lo + distance, self.calls)
    }

    fn notes(&self, interval: Interval) -> Vec<Note> {
        let is_undecided = self.trial().is_some_and(|trial| trial.verdict() == Verdict::Inconclusive);
        let undecided = self.zone().filter(|_| is_undecided).map(|zone| {
            let contrasts = ("measurements", self.contrasts());
            undecided(zone, self.calls, contrasts, interval, Needed::MoreTime)
        });
        [undecided, too_short::empty(self.calls)].into_iter().flatten().collect()
    }

    fn zone(&self) -> Option<EffectiveZone> {
        self.gate.as_ref().map(|(zone, _)| *zone)
    }

    fn trial(&self) -> Option<&Trial> {
        self.gate.as_ref().map(|(_, trial)| trial)
    }
}

impl Judge for Sequential {
    fn step(&mut self, duos: &[Duo]) -> Option<usize> {
        self.add(duos);
        (self.finite && !self.has_seen_enough()).then_some(self.block)
    }

    fn is_out_of_time(&self, spent: Duration) -> bool {
        // Without a gate, a rough result is good enough.
        let fewest = self.trial().map_or(1, |trial| mde::fewest_duos(trial.fail_at));
        let is_in_sight = self.trial().is_some_and(Trial::unanimous);
        spent >= self.plan.max_time && self.scored.len() >= fewest && !is_in_sight
    }

    fn judgement(&self, duos: &[Duo]) -> Result<Judgement, MeasureError> {
        if !self.finite {
            return Err(StatsError::NotFinite.into());
        }
        let welch = welch_test(&[(duos, 1)], self.floor)?;
        let location = self.location();
        let mut interval = interval::interval(&self.scored, &location, self.plan.beta);
        if let Some((zone, trial)) = &self.gate {
            // The bets of the interval are not those of the trial.
            interval = zone.limited(interval, trial.verdict(), trial.is_slower());
        }
        let trial = self.trial();
        Ok(Judgement {
            verdict: trial.map(Trial::verdict),
            ratio: location.center.clamp(interval.low, interval.high).exp(),
            interval: interval.exp(),
            p_fail: trial.map(Trial::p_fail),
            p_pass: trial.map(Trial::p_pass),
            mde: self.mde(&location),
            rounds: None,
            ignored: self.zone().and_then(|zone| zone.ignored),
            welch: WelchFigures::of(&welch, true),
            notes: self.notes(interval),
        })
    }
}
