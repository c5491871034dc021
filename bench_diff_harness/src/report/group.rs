//! The pairs of one baseline, shown together.

use crate::record::{PairRecord, PlannedRecord};

/// How many pairs a group has.
pub(super) fn size(group: &str, pairs: &[PlannedRecord]) -> usize {
    pairs.iter().filter(|pair| pair.group.as_deref() == Some(group)).count()
}

/// The records by the ratio; what has none comes last.
pub(super) fn fastest_first(records: &[PairRecord]) -> Vec<&PairRecord> {
    let ratio = |record: &PairRecord| record.figures().map_or(f64::INFINITY, |figures| figures.ratio);
    let mut sorted: Vec<&PairRecord> = records.iter().collect();
    sorted.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    sorted
}

/// The line above the rows of a group.
pub(super) fn heading(records: &[PairRecord]) -> Option<String> {
    let group = records.first()?.group.as_ref()?;
    Some(format!("{group}, the baseline of {}:", records.len()))
}
