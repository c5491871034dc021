//! The trial of a gate: the evidence for and against each direction that breaks it.

use super::martingale::Martingale;
use crate::gate::{Bounds, Zone};
use crate::judge::{Verdict, verdict};

/// The evidence about every direction of a gate.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    directions: Vec<Direction>,
    /// The ln E at which a direction counts as broken.
    pub(super) fail_at: f64,
    pass_at: f64,
}

/// The evidence that the gate is broken in one direction, and that it is kept.
#[derive(Clone, Debug)]
struct Direction {
    broken: Martingale,
    kept: Martingale,
}

impl Direction {
    fn new(Bounds { lo, hi }: Bounds, sign: f64, width: f64) -> Self {
        Self { broken: Martingale::new(lo, sign, width), kept: Martingale::new(hi, -sign, width) }
    }
}

impl Trial {
    /// A trial of these bounds, with bets for a zone of this width.
    ///
    /// Any width is fair. The gate's width is passed separately, because overhead may leave no gap between
    /// the bounds.
    pub(super) fn new(zone: Zone, width: f64, alpha: f64, beta: f64) -> Self {
        let mut directions = vec![Direction::new(zone.slower, 1.0, width)];
        directions.extend(zone.faster.map(|faster| Direction::new(faster, -1.0, width)));
        // Each direction can fail falsely, so they share alpha. A pass has to be proven in both.
        Self { fail_at: (directions.len() as f64 / alpha).ln(), pass_at: -beta.ln(), directions }
    }

    pub(super) fn add(&mut self, contrast: f64, scale: f64) {
        for direction in &mut self.directions {
            direction.broken.add(contrast, scale);
            direction.kept.add(contrast, scale);
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        let is_broken = self.broken().any(|evidence| evidence.largest_ln_e >= self.fail_at);
        verdict(is_broken, self.kept().all(|evidence| evidence.largest_ln_e >= self.pass_at))
    }

    /// Returns whether it is broken by a slowdown.
    pub(super) fn is_slower(&self) -> bool {
        self.directions[0].broken.largest_ln_e >= self.fail_at
    }

    /// Returns whether every contrast so far supports the same verdict.
    pub(super) fn unanimous(&self) -> bool {
        self.broken().any(|evidence| evidence.unanimous) || self.kept().all(|evidence| evidence.unanimous)
    }

    pub(super) fn p_fail(&self) -> f64 {
        let smallest = self.broken().map(Martingale::p).fold(f64::INFINITY, f64::min);
        (self.directions.len() as f64 * smallest).min(1.0)
    }

    pub(super) fn p_pass(&self) -> f64 {
        self.kept().map(Martingale::p).fold(0.0, f64::max)
    }

    fn broken(&self) -> impl Iterator<Item = &Martingale> {
        self.directions.iter().map(|direction| &direction.broken)
    }

    fn kept(&self) -> impl Iterator<Item = &Martingale> {
        self.directions.iter().map(|direction| &direction.kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;

    fn tried(gate: Gate, contrast: f64, duos: usize) -> Trial {
        let mut trial = {
            let zone = gate.zone().unwrap();
            Trial::new(zone, zone.width(), 0.01, 0.05)
        };
        (0..duos).for_each(|_| trial.add(contrast, 0.01));
        trial
    }

    #[test]
    fn each_side_of_the_zone_has_its_verdict() {
        use Verdict::{Fail, Inconclusive, Pass};
        for (gate, contrast, expected) in [
            (Gate::MaxSlowdown(0.02), 0.1, Fail),
            (Gate::MaxSlowdown(0.02), 0.0, Pass),
            (Gate::MaxSlowdown(0.02), -9.0, Pass),
            (Gate::MinSpeedup(2.0), -0.6, Fail),
            (Gate::MinSpeedup(2.0), -0.8, Pass),
            (Gate::MaxDifference(0.02), 0.1, Fail),
            (Gate::MaxDifference(0.02), -0.1, Fail),
            (Gate::MaxDifference(0.02), 0.0, Pass),
        ] {
            assert_eq!(tried(gate, contrast, 0).verdict(), Inconclusive);
            assert_eq!(tried(gate, contrast, 30).verdict(), expected, "{gate:?} {contrast}");
        }
    }

    #[test]
    fn the_verdict_agrees_with_the_p_values() {
        for gate in [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.01), Gate::MaxDifference(0.02)] {
            for contrast in [-0.1, -0.03, 0.0, 0.02, 0.1] {
                for duos in 0..40 {
                    let trial = tried(gate, contrast, duos);
                    assert_eq!(trial.verdict(), verdict(trial.p_fail() <= 0.01, trial.p_pass() <= 0.05));
                }
            }
        }
    }

    #[test]
    fn an_equivalence_is_judged_by_its_weaker_half() {
        let (slower, both) =
            (tried(Gate::MaxSlowdown(0.02), 0.005, 9), tried(Gate::MaxDifference(0.02), 0.005, 9));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        near(both.fail_at, slower.fail_at + 2.0_f64.ln());
        near(both.pass_at, slower.pass_at);
        // The candidate is closer to being too slow than to being too fast.
        near(both.p_pass(), slower.p_pass());
        near(both.p_fail(), (2.0 * slower.p_fail()).min(1.0));
    }

    #[test]
    fn agreement_ends_with_the_first_exception() {
        let mut trial = tried(Gate::MaxSlowdown(0.02), 0.1, 5);
        assert!(trial.unanimous());
        trial.add(0.0, 0.01);
        assert!(!trial.unanimous());
        assert!(tried(Gate::MaxDifference(0.02), 0.0, 5).unanimous());
        assert!(tried(Gate::MaxDifference(0.02), -0.1, 5).unanimous());
    }
}
