//! Flags that have no effect in a run.

use bench_diff_core::{Gate, JudgeKind};

use super::pair_plan::PairPlan;
use crate::settings::Config;

/// Returns whether a flag affects a pair.
type Listens = fn(&PairPlan) -> bool;

/// The flags that do not affect every pair, with the text for a run in which they affect none.
const LISTENERS: [(&str, Listens, &str); 9] = [
    ("alpha", |pair| pair.gate != Gate::ReportOnly, "has a limit"),
    ("judge", |pair| pair.listed.is_compared(), "has a baseline"),
    ("max-slowdown", |pair| matches!(pair.gate, Gate::MaxSlowdown(_)), "has the limit `max_slowdown`"),
    ("no-proof", |pair| pair.listed.is_compared(), "has a baseline"),
    ("max-allocations", |pair| pair.gate != Gate::ReportOnly, "has a limit"),
    ("ignore-below", |pair| pair.plan.ignores(), "has the limit `max_slowdown` or `max_difference`"),
    ("max-time", |pair| pair.plan.judge == JudgeKind::Sequential, "has the judge `sequential`"),
    ("max-rounds", |pair| pair.plan.max_rounds.is_some(), "is measured in rounds"),
    ("layouts", |pair| pair.plan.judge == JudgeKind::Sequential, "has the judge `sequential`"),
];

/// A warning for each typed flag without an effect. The environment may set more than this run needs.
pub(crate) fn warnings(config: &Config, pairs: &[PairPlan]) -> Vec<String> {
    let unused = LISTENERS.iter().filter(|(flag, listens, _)| {
        config.is_typed(flag) && !pairs.is_empty() && !pairs.iter().any(listens)
    });
    unused
        .map(|(flag, _, reason)| format!("--{flag} has no effect: no function of this run {reason}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::fixture::{entry, equal, planned};

    #[test]
    fn a_flag_that_no_pair_listens_to_is_told() {
        let warnings = |line| {
            let plan = planned(line, &[entry("a", 1, equal).judge(super::JudgeKind::Sequential)]);
            plan.warnings()
        };
        assert_eq!(warnings("--max-slowdown 3% --max-time 1s"), [""; 0]);
        assert_eq!(
            warnings("--max-slowdown 3% --max-rounds 9 --layouts all --judge welch"),
            [
                "--max-rounds has no effect: no function of this run is measured in rounds",
                "--layouts has no effect: no function of this run has the judge `sequential`",
            ]
        );
        assert_eq!(
            warnings("--ignore-below 1ns --report-only"),
            [
                "--ignore-below has no effect: no function of this run has the limit `max_slowdown` or `max_difference`"
            ]
        );
        assert_eq!(warnings("--ignore-below 1ns"), [""; 0]);
        assert_eq!(warnings("--max-time 1s --judge welch").len(), 1);
        assert_eq!(warnings("--max-allocations 0%"), [""; 0]);
        assert_eq!(warnings("--max-allocations 0% --report-only").len(), 1);
        assert_eq!(warnings("--max-rounds 9 --layouts none").len(), 1);
    }
}
