//! How many pairs ended how, in words.

use super::run_so_far::RunSoFar;
use crate::record::RunRecord;
use crate::system::text::counted;

/// The outcomes that a gate has.
pub(super) fn judged(run: &RunRecord) -> String {
    let RunRecord { passed, failed, inconclusive, errors, .. } = *run;
    format!("{passed} passed, {failed} failed, {inconclusive} inconclusive, {}", counted(errors, "error"))
}

/// The others, where there are any.
pub(super) fn others(run: &RunRecord) -> Option<String> {
    let mut others = Vec::new();
    for (count, what) in [(run.ignored, "ignored"), (run.measured, "measured, not judged")] {
        if count > 0 {
            others.push(format!("{count} {what}"));
        }
    }
    (!others.is_empty()).then(|| others.join(", "))
}

/// What was planned and not done, where there is any.
pub(super) fn left(run: &RunRecord, planned: usize, has_ended: bool) -> Option<String> {
    match (planned.saturating_sub(done(run)), has_ended) {
        (0, _) => None,
        (left, false) => Some(format!("{left} not run yet")),
        (left, true) => Some(format!("stopped by --fail-fast, {left} not run")),
    }
}

/// What a document says behind the outcomes that a gate has.
pub(super) fn besides(run: &RunSoFar) -> String {
    let counts = run.counts();
    let others = others(&counts).map(|others| format!(", {others}"));
    let left = left(&counts, run.start.pairs.len(), run.end.is_some()).map(|left| format!("; {left}"));
    [others, left].into_iter().flatten().collect()
}

/// All of them together.
pub(super) fn done(run: &RunRecord) -> usize {
    run.passed + run.failed + run.inconclusive + run.errors + run.ignored + run.measured
}
