//! The reason why a gate is undecided.

use super::{EffectiveZone, too_short};
use crate::note::{Needed, Note};
use crate::overhead::Calls;
use crate::stats::{Interval, robust::sorted};

/// The note on contrasts and their interval that do not decide.
pub(super) fn undecided(
    effective: EffectiveZone,
    calls: Option<Calls>,
    (of, contrasts): (&'static str, Vec<f64>),
    interval: Interval,
    needed: Needed,
) -> Note {
    if let Some(too_short) = too_short::undecided(effective.gate, calls, interval) {
        return too_short;
    }
    let contrasts = sorted(&contrasts);
    // Leaves out a tenth of them, half at each end.
    let (count, outside) = (contrasts.len(), contrasts.len() / 20);
    let (low, high) = (contrasts[outside], contrasts[count - 1 - outside]);
    Note::Differ { count, of, low, high, needed }
}
