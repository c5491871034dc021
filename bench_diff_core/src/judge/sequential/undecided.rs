//! The reason why a pair is undecided, and what would decide it.

use std::time::Duration;

use super::mde::duos_needed;
use super::trial::Trial;
use crate::gate::{Bounds, Zone};
use crate::note::Note;
use crate::stats::Interval;
use crate::stats::robust::Location;

/// A location this many standard errors away from a bound lies on that side of it.
const ERRORS: f64 = 2.0;

/// A run that was undecided is advised to take at least this many times its duos.
const AT_LEAST: f64 = 2.0;

/// The data of an undecided pair.
pub(super) struct Undecided<'a> {
    pub(super) zone: Zone,
    pub(super) trial: &'a Trial,
    pub(super) location: Location,
    pub(super) interval: Interval,
    pub(super) duos: usize,
    /// The time from one duo to the next.
    pub(super) period: Duration,
}

impl Undecided<'_> {
    /// The reason, and the time that would do.
    pub(super) fn note(&self) -> Note {
        let duos = self.duos_to_decide().max(AT_LEAST * self.duos as f64).ceil();
        let needed = Duration::try_from_secs_f64(duos * self.period.as_secs_f64()).unwrap_or(Duration::MAX);
        if self.is_inside(self.zone.slower) || self.zone.faster.is_some_and(|faster| self.is_inside(faster)) {
            Note::InsideZone { needed }
        } else {
            Note::TooNoisy { needed }
        }
    }

    fn is_inside(&self, bounds: Bounds) -> bool {
        let (low, high) = (bounds.lo.min(bounds.hi), bounds.lo.max(bounds.hi));
        let (center, reach) = (self.location.center, ERRORS * self.location.standard_error());
        let is_inside = |from: f64, to: f64| low < from && to < high;
        is_inside(self.interval.low, self.interval.high) || is_inside(center - reach, center + reach)
    }

    /// The duos to the nearest verdict, if the location is the truth.
    fn duos_to_decide(&self) -> f64 {
        let center = self.location.center;
        let Zone { slower, faster } = self.zone;
        let to_fail = faster.map_or(f64::NEG_INFINITY, |faster| faster.lo - center).max(center - slower.lo);
        let to_pass = faster.map_or(f64::INFINITY, |faster| center - faster.hi).min(slower.hi - center);
        // A distance of no more than 0 is not on the way to that verdict, but the other one is.
        let needed = |threshold, distance: f64| {
            if distance > 0.0 { duos_needed(self.location.sigma, threshold, distance) } else { f64::INFINITY }
        };
        needed(self.trial.fail_at(), to_fail).min(needed(self.trial.pass_at(), to_pass))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;

    /// 399 contrasts of spread `sigma`, about, around `center`, one a millisecond.
    fn note(gate: Gate, center: f64, sigma: f64) -> Note {
        let zone = gate.zone().unwrap();
        let trial = Trial::new(zone, zone.width(), 0.01, 0.05);
        let contrasts: Vec<f64> = (0..399).map(|i| center + sigma * f64::from(i % 21 - 10) / 6.0).collect();
        let location = Location::of(&contrasts, 1e-5);
        let reach = 4.0 * location.standard_error();
        let interval = Interval { level: 0.95, low: center - reach, high: center + reach };
        Undecided { zone, trial: &trial, location, interval, duos: 399, period: Duration::from_millis(1) }
            .note()
    }

    #[test]
    fn the_cause_is_noise_or_the_truth() {
        for (gate, center, sigma, inside) in [
            (Gate::MaxSlowdown(0.02), 0.02, 0.01, true),
            (Gate::MaxSlowdown(0.02), 0.02, 0.2, false),
            (Gate::MaxSlowdown(0.02), 0.0, 0.2, false),
            (Gate::MaxSlowdown(0.02), 0.04, 0.2, false),
            (Gate::MinSpeedup(2.0), 0.01 - 2.0_f64.ln(), 0.01, true),
            (Gate::MaxDifference(0.02), -0.02, 0.01, true),
            (Gate::MaxDifference(0.02), 0.0, 0.2, false),
        ] {
            let note = note(gate, center, sigma);
            assert_eq!(
                matches!(note, Note::InsideZone { .. }),
                inside,
                "{gate:?} {center} {sigma}: {note:?}"
            );
        }
    }

    fn needed(gate: Gate, center: f64, sigma: f64) -> f64 {
        match note(gate, center, sigma) {
            Note::InsideZone { needed } | Note::TooNoisy { needed } => needed.as_secs_f64(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_time_grows_with_the_square_of_noise_over_distance() {
        let gate = Gate::MaxSlowdown(0.02);
        let (near, far) = (needed(gate, 0.0, 0.4), needed(gate, 0.0, 0.8));
        assert!((far / near - 4.0).abs() < 0.1, "{near} {far}");
        // The upper bound is .02956 away and beta is 5 %: 20.64 (.4 / .02956)^2 duos, if sigma is .4.
        assert!((3.4..4.2).contains(&near), "{near}");
        assert!(needed(gate, 0.2, 0.4) < near, "a plain fail is nearer");
    }

    #[test]
    fn the_advice_is_at_least_twice_the_run() {
        assert_eq!(needed(Gate::MaxSlowdown(0.02), 0.0, 0.001), 0.798);
    }

    #[test]
    fn endless_noise_takes_endless_time() {
        assert!(needed(Gate::MaxSlowdown(1e-9), 0.0, 40.0) > 1e17);
    }

    #[test]
    fn an_equivalence_passes_at_its_farther_bound() {
        assert_eq!(
            needed(Gate::MaxDifference(0.02), 0.005, 0.4),
            needed(Gate::MaxSlowdown(0.02), 0.005, 0.4),
            "0.005 is nearer to being too slow"
        );
    }
}
