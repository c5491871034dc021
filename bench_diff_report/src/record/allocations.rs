//! The allocations of a call of each function, and their gate, which is checked besides the one on time.

use bench_diff_system::text::share;

/// The allocations of the counted calls of both functions.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub struct AllocationsRecord {
    /// The share by which the candidate may allocate more than the baseline; `None` if everything is allowed.
    pub max: Option<f64>,
    /// The calls of each function that were counted.
    pub counted: usize,
    /// The allocations of the candidate.
    pub candidate: FunctionAllocations,
    /// The allocations of the baseline.
    pub baseline: FunctionAllocations,
}

/// The allocations in the counted calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, miniserde::Deserialize, miniserde::Serialize)]
pub struct FunctionAllocations {
    /// The fewest allocations in a call.
    pub calls: u64,
    /// The fewest bytes that a call asked for.
    pub bytes: u64,
    /// The most allocations in a call: equal to the fewest, unless they vary from call to call.
    pub most_calls: u64,
    /// The most bytes that a call asked for.
    pub most_bytes: u64,
    /// The most bytes that were in use at once, beyond what was in use before the call.
    pub peak: u64,
}

impl FunctionAllocations {
    /// Returns whether the counts differ from call to call.
    pub fn vary(&self) -> bool {
        (self.calls, self.bytes) != (self.most_calls, self.most_bytes)
    }
}

/// A count is exact, and a share of it rounded.
const ROUNDING: f64 = 1e-9;

impl AllocationsRecord {
    /// The complaint about a broken gate. If the counts vary from call to call, every call of the candidate
    /// has to exceed what every call of the baseline allows.
    pub(crate) fn complaint(&self) -> Option<String> {
        let Self { candidate, baseline, .. } = self;
        let max = self.max?;
        if !exceeds(candidate.calls, baseline.most_calls, max)
            && !exceeds(candidate.bytes, baseline.most_bytes, max)
        {
            return None;
        }
        let [candidate, baseline] = [candidate, baseline].map(in_a_call);
        Some(format!("{candidate} per call against {baseline}: over the limit of +{}", share(max)))
    }

    /// A note if the counts vary from call to call.
    pub(crate) fn note(&self) -> Option<String> {
        let Self { max, counted, candidate, baseline } = self;
        if !candidate.vary() && !baseline.vary() {
            return None;
        }
        let gate = max.map_or("", |_| "; so `max_allocations` fails only if every call exceeds the limit");
        let [candidate, baseline] = [candidate, baseline].map(in_a_call);
        Some(format!(
            "allocations vary from call to call: {candidate} against {baseline}, in {counted} calls of each{gate}"
        ))
    }
}

/// Returns whether the least of one function is more than the most of the other and this share of it.
fn exceeds(least: u64, most: u64, max: f64) -> bool {
    least > most && (least - most) as f64 > most as f64 * max * (1.0 + ROUNDING)
}

/// The allocations of a function: "2 allocations (80 B)".
pub(crate) fn in_a_call(function: &FunctionAllocations) -> String {
    let FunctionAllocations { calls, most_calls, bytes, most_bytes, .. } = *function;
    let range =
        |least: u64, most: u64| if least == most { most.to_string() } else { format!("{least} to {most}") };
    match range(calls, most_calls).as_str() {
        "0" => "no allocation".to_owned(),
        "1" => format!("1 allocation ({} B)", range(bytes, most_bytes)),
        calls => format!("{calls} allocations ({} B)", range(bytes, most_bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, planned};
    use crate::record::Outcome;

    fn exactly(calls: u64, bytes: u64) -> FunctionAllocations {
        between([calls, bytes], [calls, bytes])
    }

    fn between([calls, bytes]: [u64; 2], [most_calls, most_bytes]: [u64; 2]) -> FunctionAllocations {
        FunctionAllocations { calls, bytes, most_calls, most_bytes, peak: 0 }
    }

    fn record(max: f64, candidate: FunctionAllocations, baseline: FunctionAllocations) -> AllocationsRecord {
        AllocationsRecord { max: Some(max), counted: 8, candidate, baseline }
    }

    #[test]
    fn what_is_allowed_is_a_share_of_what_the_baseline_does() {
        let is_broken = |max, candidate, baseline| record(max, candidate, baseline).complaint().is_some();
        assert!(!is_broken(0.0, exactly(10, 100), exactly(10, 100)));
        assert!(is_broken(0.0, exactly(11, 100), exactly(10, 100)), "allocations");
        assert!(is_broken(0.0, exactly(9, 101), exactly(10, 100)), "bytes");
        assert!(!is_broken(0.0, exactly(0, 0), exactly(0, 0)));
        assert!(is_broken(9.0, exactly(1, 1), exactly(0, 0)), "no share of nothing is something");
        let large = exactly(1 << 60, u64::MAX);
        assert!(is_broken(0.0, large, exactly((1 << 60) - 1, u64::MAX)), "in whole numbers");
        // Every percentage of a hundred, which is a whole number and no sum of halves.
        for percent in 0..1000 {
            let max = f64::from(percent) / 100.0;
            let more = |more| exactly(100 + u64::try_from(percent).unwrap() + more, 0);
            assert!(!is_broken(max, more(0), exactly(100, 0)), "{percent} %");
            assert!(is_broken(max, more(1), exactly(100, 0)), "{percent} %");
        }
        let asked_for_nothing = AllocationsRecord { max: None, ..record(0.0, exactly(2, 2), exactly(1, 1)) };
        assert_eq!(asked_for_nothing.complaint(), None);
    }

    #[test]
    fn counts_that_vary_have_to_lie_apart() {
        let baseline = between([10, 100], [12, 120]);
        let is_broken = |candidate| record(0.0, candidate, baseline).complaint().is_some();
        assert!(!is_broken(between([12, 120], [20, 200])), "one call may be as one of the baseline");
        assert!(is_broken(between([13, 120], [20, 200])));
        assert!(is_broken(between([12, 121], [20, 200])));
        let note = record(0.0, exactly(12, 120), baseline).note().unwrap();
        assert_eq!(
            note,
            "allocations vary from call to call: 12 allocations (120 B) against 10 to 12 allocations (100 to 120 B), in 8 \
             calls of each; so `max_allocations` fails only if every call exceeds the limit"
        );
        assert_eq!(record(0.0, exactly(12, 120), exactly(10, 100)).note(), None);
    }

    #[test]
    fn a_text_is_exact() {
        assert_eq!(in_a_call(&exactly(1, 24)), "1 allocation (24 B)");
        assert_eq!(in_a_call(&exactly(0, 0)), "no allocation");
        assert_eq!(in_a_call(&exactly(10, 1_234_567)), "10 allocations (1234567 B)");
        assert_eq!(in_a_call(&between([1, 9_000], [2, 12_000])), "1 to 2 allocations (9000 to 12000 B)");
        assert_eq!(in_a_call(&between([0, 0], [1, 8])), "0 to 1 allocations (0 to 8 B)");
    }

    #[test]
    fn a_broken_gate_fails_whatever_is_judged() {
        use Outcome::{Error, Fail, Ignored, Inconclusive, Measured, Pass};

        let plan = planned("", &[entry("a", 1)]);
        let of = |outcome, max| {
            let before = plan.pairs[0].ended(outcome, Some("noisy".to_owned()));
            before.with_allocations(Some(record(max, exactly(11, 100), exactly(10, 100))))
        };
        for (outcome, expected) in [
            (Pass, Fail),
            (Fail, Fail),
            (Inconclusive, Fail),
            (Measured, Measured),
            (Ignored, Ignored),
            (Error, Error),
        ] {
            assert_eq!((of(outcome, 0.0).outcome(), of(outcome, 0.1).outcome()), (expected, outcome));
        }
        let expected =
            "11 allocations (100 B) per call against 10 allocations (100 B): over the limit of +0 %\nnoisy";
        assert_eq!(of(Inconclusive, 0.0).reason().as_deref(), Some(expected));
        assert_eq!(of(Pass, 0.1).reason().as_deref(), Some("noisy"));
    }
}
