//! The number of pairs with each outcome, in words.

use super::sides;
use super::whole_run::WholeRun;
use crate::record::RunRecord;
use bench_diff_system::text::counted;

/// The outcomes of gates; the other outcomes if something was measured but nothing judged; the reason if
/// nothing was compared with another side.
pub(super) fn judged(run: &RunRecord) -> String {
    if let Some(nothing) = sides::nothing_compared(run) {
        return nothing;
    }
    let RunRecord { passed, failed, inconclusive, errors, .. } = *run;
    if !is_of_gates(run) {
        return all_others(run);
    }
    format!("{passed} passed, {failed} failed, {inconclusive} inconclusive, {}", counted(errors, "error"))
}

/// The other outcomes, if there are any besides those of gates.
pub(super) fn others(run: &RunRecord) -> Option<String> {
    Some(all_others(run)).filter(|others| is_of_gates(run) && !others.is_empty())
}

fn is_of_gates(run: &RunRecord) -> bool {
    let is_counted = run.measured == 0 && run.uncompared().is_none();
    is_counted || run.passed + run.failed + run.inconclusive + run.errors > 0
}

fn all_others(run: &RunRecord) -> String {
    let mut others = Vec::new();
    for (count, what) in [(run.ignored, "ignored"), (run.measured, "measured, no verdict")] {
        if count > 0 {
            others.push(format!("{count} {what}"));
        }
    }
    others.join(", ")
}

/// The planned pairs that were not run, if any.
pub(super) fn left(run: &RunRecord, planned: usize) -> Option<String> {
    let left = planned.saturating_sub(done(run));
    (left > 0).then(|| format!("stopped by --fail-fast, {left} not run"))
}

/// The text of a document after the outcomes of gates.
pub(super) fn besides(run: &WholeRun) -> String {
    let mut besides = others(&run.end).map(|others| format!(", {others}")).unwrap_or_default();
    besides.extend(left(&run.end, run.start.pairs.len()).map(|left| format!("; {left}")));
    besides
}

/// The number of finished pairs.
pub(super) fn done(run: &RunRecord) -> usize {
    run.passed + run.failed + run.inconclusive + run.errors + run.ignored + run.measured
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_was_judged_of_is_counted_as_measured() {
        let of = |passed, measured, ignored| {
            let run = RunRecord { passed, measured, ignored, ..RunRecord::default() };
            (judged(&run), others(&run))
        };
        assert_eq!(of(0, 2, 0), ("2 measured, no verdict".to_owned(), None));
        assert_eq!(of(0, 2, 1), ("1 ignored, 2 measured, no verdict".to_owned(), None));
        let none_passed = "0 passed, 0 failed, 0 inconclusive, 0 errors";
        assert_eq!(of(0, 0, 1), (none_passed.to_owned(), Some("1 ignored".to_owned())));
        assert_eq!(of(1, 2, 0).1.as_deref(), Some("2 measured, no verdict"));
    }
}
