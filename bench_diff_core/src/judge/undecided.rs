//! The reason why a gate is undecided.

use super::{EffectiveZone, too_short};
use crate::gate::{Bounds, Zone};
use crate::note::{Needed, Note};
use crate::overhead::Calls;
use crate::stats::Interval;

/// The note on contrasts and their interval that do not decide.
pub(super) fn undecided(
    effective: EffectiveZone,
    calls: Option<Calls>,
    (of, mut contrasts): (&'static str, Vec<f64>),
    interval: Interval,
    needed: Needed,
) -> Note {
    if let Some(too_short) = too_short::undecided(effective.gate, calls, interval) {
        return too_short;
    }
    let is_inside = |bounds: Bounds| {
        let (low, high) = (bounds.lo.min(bounds.hi), bounds.lo.max(bounds.hi));
        low < interval.low && interval.high < high
    };
    let (count, Zone { slower, faster }) = (contrasts.len(), effective.judged);
    if is_inside(slower) || faster.is_some_and(is_inside) {
        return Note::InsideZone { count, of };
    }
    contrasts.sort_by(f64::total_cmp);
    // Leaves out a tenth of them, half at each end.
    let outside = count / 20;
    let (low, high) = (contrasts[outside], contrasts[count - 1 - outside]);
    Note::Differ { count, of, low, high, needed }
}
