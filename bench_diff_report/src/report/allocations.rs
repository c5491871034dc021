//! The allocations of a call of each function.

use super::numbers;
use super::pair_text::PairText;
use crate::record::FunctionAllocations;
use crate::record::{AllocationsRecord, Figures, allocations};

/// The name of the gate on allocations.
pub(super) const GATE: &str = "max_allocations";

/// The allocations of a call of the candidate and of the baseline; `None` if there are none and no gate on
/// them.
pub(super) fn of_call(figures: &Figures) -> Option<[String; 2]> {
    let AllocationsRecord { candidate, baseline, max, .. } = figures.allocations.as_ref()?;
    if max.is_none() && candidate.most_calls == 0 && baseline.most_calls == 0 {
        return None;
    }
    Some([candidate, baseline].map(text))
}

/// The allocations of a call, and the most that it holds at once.
pub(super) fn text(function: &FunctionAllocations) -> String {
    let at_once = if function.peak == 0 { String::new() } else { format!(", {} B at once", function.peak) };
    allocations::text(function) + &at_once
}

/// The line below the row of a pair.
pub(super) fn line(figures: &Figures) -> Option<String> {
    let [candidate, baseline] = of_call(figures)?;
    Some(format!("per call: {candidate}, against {baseline}"))
}

/// The limit, if the pair exceeds it.
pub(super) fn limit(text: PairText<'_>) -> Option<String> {
    let allocations = text.figures.allocations.as_ref()?;
    let max = numbers::share(allocations.max.filter(|_| allocations.complaint().is_some())?);
    Some(format!("limit:    +{max} allocations and bytes over {} ({GATE})", text.record.baseline_name()))
}

/// The note on a gate that is not exact.
pub(super) fn unsure(figures: &Figures) -> Option<String> {
    figures.allocations.as_ref().filter(|allocations| allocations.max.is_some())?.note()
}
