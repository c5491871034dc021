//! The pairs of one baseline, shown together.

use crate::order::sorted;
use crate::record::{PairRecord, PlannedRecord};

/// How many pairs a group has.
pub(super) fn size(group: &str, pairs: &[PlannedRecord]) -> usize {
    let mut size = 0;
    for pair in pairs {
        size += usize::from(pair.group.as_deref() == Some(group));
    }
    size
}

/// The indices of the records by the ratio; what has none comes last.
pub(super) fn fastest_first(records: &[PairRecord]) -> Vec<usize> {
    let ratio = |index: usize| records[index].ratio.unwrap_or(f64::INFINITY);
    sorted(records.len(), &|a, b| ratio(a).total_cmp(&ratio(b)))
}

/// The line above the rows of a group.
pub(super) fn heading(records: &[PairRecord]) -> Option<String> {
    let group = records.first()?.group.as_ref()?;
    Some(format!("{group}, the baseline of {}:", records.len()))
}
