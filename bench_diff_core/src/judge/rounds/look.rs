//! What one round says.

use crate::duo::Duo;
use crate::error::MeasureError;
use crate::judge::held::typical_call;
use crate::sample::Recording;
use crate::stats::robust::Location;
use crate::stats::{StatsError, median_time};

/// What a round says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::judge) struct Look {
    /// The mean over its processes of the location of the contrasts of their duos.
    pub(super) contrast: f64,
    /// The standard error of that, as far as the duos of a process tell it; none of a single duo.
    pub(super) error: Option<f64>,
    pub(super) duos: usize,
    /// A typical call of the baseline, in nanoseconds.
    pub(super) baseline: f64,
    /// The time of its slots, in nanoseconds.
    pub(super) time: u64,
}

impl Look {
    /// What the processes of a round say together: each counts alike, however many duos it has.
    pub(super) fn of(round: &[Recording]) -> Result<Self, MeasureError> {
        let looks = round.iter().map(Self::of_process).collect::<Result<Vec<_>, _>>()?;
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
            baseline: mean(|look| look.baseline),
            time: looks.iter().map(|look| look.time).fold(0, u64::saturating_add),
        })
    }

    fn of_process(round: &Recording) -> Result<Self, MeasureError> {
        let contrasts: Vec<f64> = round.duos.iter().map(Duo::contrast).collect();
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
        Ok(Self { contrast: location.center, error, duos: contrasts.len(), baseline, time })
    }
}

/// The time of a round of such duos that nothing interrupts, in nanoseconds.
pub(super) fn typical_time(round: &[Recording]) -> u64 {
    let duos: Vec<u64> = round.iter().flat_map(|process| &process.duos).map(Duo::total).collect();
    let count = duos.len() as u64;
    median_time(duos).saturating_mul(count)
}

impl Recording {
    /// What this process says of ln(candidate / baseline): the location of the contrasts of its duos; none
    /// where it has no statistics.
    #[must_use]
    pub fn contrast(&self) -> Option<f64> {
        Look::of_process(self).ok().map(|look| look.contrast)
    }

    /// The standard error of that, as far as its duos tell it; none of a single duo.
    #[must_use]
    pub fn contrast_error(&self) -> Option<f64> {
        Look::of_process(self).ok().and_then(|look| look.error)
    }
}
