//! The contrast of one round and its error.
//!
//! For a function without a baseline, the contrast is the ln of a call in nanoseconds, as if the baseline
//! took 1 ns.

use crate::duo::{Duo, slots_of};
use crate::error::MeasureError;
use crate::judge::effective_zone::typical_call;
use crate::sample::Recording;
use crate::stats::StatsError;
use crate::stats::robust::Location;

/// The contrast of a round or of one of its processes, and its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::judge) struct Look {
    /// The mean over the processes of the location of their duos' contrasts.
    pub(super) contrast: f64,
    /// The standard error of the contrast, from the scatter of the duos within a process; `None` if a process
    /// has a single duo.
    pub(super) error: Option<f64>,
    pub(super) duos: usize,
    /// The slots of each function.
    pub(super) slots: usize,
    /// A typical call of the baseline, in nanoseconds.
    pub(super) baseline: f64,
    /// The time of its slots, in nanoseconds.
    pub(super) time: u64,
}

impl Look {
    /// The mean of the processes of a round. All count equally, however many duos they have.
    pub(super) fn mean(looks: &[Self]) -> Result<Self, MeasureError> {
        if looks.is_empty() {
            return Err(StatsError::TooFew { n: 0, needed: 1 }.into());
        }
        let count = looks.len() as f64;
        let mean = |value: fn(&Self) -> f64| looks.iter().map(value).sum::<f64>() / count;
        let squares: Option<Vec<f64>> = looks.iter().map(|look| Some(look.error?.powi(2))).collect();
        Ok(Self {
            contrast: mean(|look| look.contrast),
            error: squares.map(|squares| squares.iter().sum::<f64>().sqrt() / count),
            duos: looks.iter().map(|look| look.duos).sum(),
            slots: looks.iter().map(|look| look.slots).sum(),
            baseline: mean(|look| look.baseline),
            time: looks.iter().map(|look| look.time).fold(0, u64::saturating_add),
        })
    }

    pub(super) fn of_process(round: &Recording) -> Result<Self, MeasureError> {
        let contrasts: Vec<f64> = if round.has_baseline {
            round.duos.iter().map(Duo::contrast).collect()
        } else {
            let ln_calls = (round.warmup.iterations as f64).ln();
            round.duos.iter().map(|duo| duo.ln_slot() - ln_calls).collect()
        };
        if contrasts.is_empty() {
            return Err(StatsError::TooFew { n: 0, needed: 1 }.into());
        }
        if !contrasts.iter().all(|contrast| contrast.is_finite()) {
            return Err(StatsError::NotFinite.into());
        }
        let location = Location::of(&contrasts, round.warmup.relative_resolution_of(&round.duos));
        let error = (contrasts.len() > 1).then(|| location.standard_error());
        let time = round.duos.iter().map(Duo::total).fold(0, u64::saturating_add);
        let baseline = typical_call(&round.duos, round.warmup.iterations);
        let slots = slots_of(&round.duos, |duo| duo.candidate).len();
        Ok(Self { contrast: location.center, error, duos: contrasts.len(), slots, baseline, time })
    }
}

impl Recording {
    /// This process's estimate of ln(candidate / baseline), or of ln of a call in nanoseconds if there is no
    /// baseline: Huber's M-estimate of the contrasts of its duos (Huber 1964, "Robust Estimation of a
    /// Location Parameter"). `None` without duos, or if a slot took no time.
    #[must_use]
    pub fn contrast(&self) -> Option<f64> {
        Look::of_process(self).ok().map(|look| look.contrast)
    }

    /// The standard error of the contrast, from the scatter of the duos; `None` for a single duo.
    #[must_use]
    pub fn contrast_error(&self) -> Option<f64> {
        Look::of_process(self).ok().and_then(|look| look.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ClockKind;
    use crate::duo::Order;
    use crate::sample::{Samples, Warmup};

    /// A process whose duos have these contrasts.
    fn process(contrasts: &[f64]) -> Recording {
        let duo = |contrast: &f64| {
            let candidate = [(1e9 * contrast.exp()) as u64; 2];
            Duo { order: Order::BaselineFirst, candidate, baseline: [1_000_000_000; 2] }
        };
        let warmup = Warmup::new(Samples::default(), 1, ClockKind::Wall, 1);
        Recording::of(warmup, contrasts.iter().map(duo).collect())
    }

    fn of(round: &[Recording]) -> Result<Look, MeasureError> {
        Look::mean(&round.iter().map(Look::of_process).collect::<Result<Vec<_>, _>>()?)
    }

    /// Contrasts that lie evenly around this one.
    fn around(center: f64, duos: usize, reach: f64) -> Vec<f64> {
        let step = |index| (index as f64 / (duos - 1) as f64 - 0.5) * 2.0 * reach;
        (0..duos).map(|index| center + step(index)).collect()
    }

    #[test]
    fn processes_count_equally_and_errors_add_as_squares() {
        let round = [
            process(&around(0.1, 5, 0.01)),
            process(&around(0.3, 101, 0.02)),
            process(&around(-0.2, 9, 0.001)),
            process(&around(0.4, 21, 0.05)),
        ];
        let look = of(&round).unwrap();
        assert!((look.contrast - 0.15).abs() < 1e-6, "{look:?}");
        let errors: Vec<f64> = round.iter().map(|process| process.contrast_error().unwrap()).collect();
        let together = errors.iter().map(|error| error * error).sum::<f64>().sqrt() / 4.0;
        assert!((look.error.unwrap() / together - 1.0).abs() < 1e-12, "{look:?} and {together}");
        assert_eq!(look.duos, 136);
        assert_eq!(of(&round[1..2]).unwrap(), Look::of_process(&round[1]).unwrap());
    }

    #[test]
    fn a_process_of_a_single_duo_leaves_a_round_without_an_error() {
        let round = [process(&around(0.1, 5, 0.01)), process(&[0.3])];
        let look = of(&round).unwrap();
        assert!((look.contrast - 0.2).abs() < 1e-6 && look.error.is_none(), "{look:?}");
        assert!(of(&[]).is_err() && of(&[process(&[0.3]), process(&[])]).is_err());
    }
}
