//! How many pairs ended how, in words.

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

/// All of them together.
pub(super) fn done(run: &RunRecord) -> usize {
    run.passed + run.failed + run.inconclusive + run.errors + run.ignored + run.measured
}
