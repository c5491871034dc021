//! The pairs of one baseline, shown together.

use std::collections::HashMap;

use crate::record::{PairRecord, PlannedRecord};

/// How many pairs each group has.
pub(super) fn sizes(pairs: &[PlannedRecord]) -> HashMap<String, usize> {
    let mut sizes = HashMap::new();
    for group in pairs.iter().filter_map(|pair| pair.group.as_ref()) {
        *sizes.entry(group.clone()).or_default() += 1;
    }
    sizes
}

/// By the ratio; what has none comes last.
pub(super) fn fastest_first(mut records: Vec<PairRecord>) -> Vec<PairRecord> {
    let ratio = |record: &PairRecord| record.ratio.unwrap_or(f64::INFINITY);
    records.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    records
}

/// The line above the rows of a group.
pub(super) fn heading(records: &[PairRecord]) -> Option<String> {
    let group = records.first()?.group.as_ref()?;
    Some(format!("{group}, the baseline of {}:", records.len()))
}
