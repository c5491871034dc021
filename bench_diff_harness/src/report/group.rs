//! The pairs of one baseline, shown together.

use crate::record::{PairRecord, PlannedRecord};

/// How many pairs a group has.
pub(super) fn size(group: &str, pairs: &[PlannedRecord]) -> usize {
    pairs.iter().filter(|pair| pair.group.as_deref() == Some(group)).count()
}

/// By the ratio; what has none comes last.
pub(super) fn fastest_first(records: Vec<PairRecord>) -> Vec<PairRecord> {
    let ratio = |record: &PairRecord| record.ratio.unwrap_or(f64::INFINITY);
    let mut sorted: Vec<PairRecord> = Vec::with_capacity(records.len());
    for record in records {
        let place = sorted.partition_point(|other| ratio(other) <= ratio(&record));
        sorted.insert(place, record);
    }
    sorted
}

/// The line above the rows of a group.
pub(super) fn heading(records: &[PairRecord]) -> Option<String> {
    let group = records.first()?.group.as_ref()?;
    Some(format!("{group}, the baseline of {}:", records.len()))
}
