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
    /// The location of the contrasts of its duos.
    pub(super) contrast: f64,
    /// The standard error of that, as far as the duos of a round tell it; none of a single duo.
    pub(super) error: Option<f64>,
    pub(super) duos: usize,
    /// A typical call of the baseline, in nanoseconds.
    pub(super) baseline: f64,
    /// The time of its slots, in nanoseconds.
    pub(super) time: u64,
}

impl Look {
    pub(super) fn of(round: &Recording) -> Result<Self, MeasureError> {
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
pub(super) fn typical_time(duos: &[Duo]) -> u64 {
    median_time(duos.iter().map(Duo::total).collect()).saturating_mul(duos.len() as u64)
}

impl Recording {
    /// What this round says of ln(candidate / baseline): the location of the contrasts of its duos; none
    /// where it has no statistics.
    #[must_use]
    pub fn contrast(&self) -> Option<f64> {
        Look::of(self).ok().map(|look| look.contrast)
    }

    /// The standard error of that, as far as its duos tell it; none of a single duo.
    #[must_use]
    pub fn contrast_error(&self) -> Option<f64> {
        Look::of(self).ok().and_then(|look| look.error)
    }
}
