//! The allocations of a call of each function, and the gate on them, which stands beside the gate on time.

use crate::call::allocations::{Allocations, FunctionAllocations};
use crate::system::text::{counted, share};

/// The allocations of the counted calls of both functions; `None` if they were not counted.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct AllocationsRecord {
    /// The share by which the candidate may allocate more than the baseline; `None` if everything is allowed.
    pub(crate) max: Option<f64>,
    /// The calls of each function that were counted.
    pub(crate) counted: usize,
    pub(crate) candidate: FunctionAllocations,
    pub(crate) baseline: FunctionAllocations,
}

/// A count is exact, and a share of it rounded.
const ROUNDING: f64 = 1e-9;

impl AllocationsRecord {
    pub(crate) fn new(allocations: Allocations, max: Option<f64>) -> Self {
        let Allocations { counted, candidate, baseline } = allocations;
        Self { max, counted, candidate, baseline }
    }

    /// The complaint about a broken gate. If the counts vary from call to call, each call of the candidate
    /// has to exceed what is allowed beside each call of the baseline.
    pub(crate) fn complaint(&self) -> Option<String> {
        let Self { candidate, baseline, .. } = self;
        let max = self.max?;
        let exceeds = |least: u64, most: u64| {
            least > most && (least - most) as f64 > most as f64 * max * (1.0 + ROUNDING)
        };
        (exceeds(candidate.calls, baseline.most_calls) || exceeds(candidate.bytes, baseline.most_bytes)).then(
            || {
                let [candidate, baseline] = texts([candidate, baseline]);
                format!("{candidate} a call, and the baseline {baseline}: more than {} more", share(max))
            },
        )
    }

    /// Returns whether another run has counted the same.
    pub(crate) fn agrees(&self, other: &Self) -> bool {
        let counts = |it: &FunctionAllocations| [it.calls, it.bytes, it.most_calls, it.most_bytes];
        [self.candidate, self.baseline].map(|it| counts(&it))
            == [other.candidate, other.baseline].map(|it| counts(&it))
    }

    /// The allocations of both functions: "2 allocations of 80 B, and 1 allocation of 64 B of the baseline".
    pub(crate) fn text(&self) -> String {
        let [candidate, baseline] = texts([&self.candidate, &self.baseline]);
        format!("{candidate}, and {baseline} of the baseline")
    }

    /// A note if the counts are no sure figure of a call.
    pub(crate) fn note(&self) -> Option<String> {
        let Self { max, counted, candidate, baseline } = self;
        if !candidate.vary() && !baseline.vary() {
            return None;
        }
        let gate =
            max.map_or("", |_| ", so `max_allocations` sees only what exceeds it in every one of them");
        let [candidate, baseline] = texts([candidate, baseline]);
        Some(format!(
            "its allocations vary from call to call: {candidate} in {counted} calls, and {baseline} of the baseline{gate}"
        ))
    }
}

/// The texts of two functions' allocations, with enough digits to show where they differ.
pub(crate) fn texts(functions: [&FunctionAllocations; 2]) -> [String; 2] {
    let rounded = functions.map(|function| text(function, bytes));
    let differ =
        (functions[0].bytes, functions[0].most_bytes) != (functions[1].bytes, functions[1].most_bytes);
    if differ && rounded[0] == rounded[1] {
        functions.map(|function| text(function, |bytes| format!("{bytes} B")))
    } else {
        rounded
    }
}

fn text(function: &FunctionAllocations, bytes: impl Fn(u64) -> String) -> String {
    let FunctionAllocations { calls, most_calls, bytes: least, most_bytes: most, .. } = *function;
    if most_calls == 0 {
        return "no allocation".to_owned();
    }
    let calls = if calls == most_calls {
        counted(usize::try_from(calls).unwrap_or(usize::MAX), "allocation")
    } else {
        format!("{calls} to {most_calls} allocations")
    };
    let (least, most) = (bytes(least), bytes(most));
    let size = match (least.split_once(' '), most.split_once(' ')) {
        _ if least == most => most,
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} to {most}"),
        _ => format!("{least} to {most}"),
    };
    format!("{calls} of {size}")
}

/// A number of bytes, exact up to 9999.
pub(crate) fn bytes(bytes: u64) -> String {
    if bytes < 10_000 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64;
    let mut unit = "";
    for larger in ["k", "M", "G", "T"] {
        // What would be shown as 1000.
        if size < 999.95 {
            break;
        }
        size /= 1e3;
        unit = larger;
    }
    format!("{size:.1} {unit}B")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::record::{Outcome, PairRecord};

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
        assert!(note.starts_with(
            "its allocations vary from call to call: 12 allocations of 120 B in 8 calls, and 10 to 12 "
        ));
        assert!(
            note.contains("allocations of 100 to 120 B of the baseline, so `max_allocations` sees only"),
            "{note}"
        );
        assert_eq!(record(0.0, exactly(12, 120), exactly(10, 100)).note(), None);
    }

    #[test]
    fn a_text_has_as_many_digits_as_it_takes() {
        let of = |candidate, baseline| texts([&candidate, &baseline]);
        assert_eq!(of(exactly(1, 24), exactly(0, 0)), ["1 allocation of 24 B", "no allocation"]);
        assert_eq!(
            of(exactly(12, 34_000), exactly(10, 1_234_567)),
            ["12 allocations of 34.0 kB", "10 allocations of 1.2 MB"]
        );
        assert_eq!(
            of(exactly(2, 34_001), exactly(2, 34_000)),
            ["2 allocations of 34001 B", "2 allocations of 34000 B"]
        );
        let [wide, _] = of(between([1, 9_000], [2, 12_000]), exactly(0, 0));
        assert_eq!(wide, "1 to 2 allocations of 9000 B to 12.0 kB");
        assert_eq!(
            [9_999, 10_000, 999_949, 999_950, 3_000_000_000, u64::MAX].map(bytes),
            ["9999 B", "10.0 kB", "999.9 kB", "1.0 MB", "3.0 GB", "18446744.1 TB"]
        );
    }

    #[test]
    fn a_broken_gate_fails_whatever_is_judged() {
        use Outcome::{Error, Fail, Ignored, Inconclusive, Measured, Pass};

        let plan = planned("", &[entry("a", 1, equal)]);
        let of = |outcome, max| {
            let before = PairRecord::ended(&plan, &plan.pairs[0], outcome, Some("noisy".to_owned()));
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
        let expected = "11 allocations of 100 B a call, and the baseline 10 allocations of 100 B: more than 0 % more\nnoisy";
        assert_eq!(of(Inconclusive, 0.0).reason(), Some(expected));
        assert_eq!(of(Pass, 0.1).reason(), Some("noisy"));
    }
}
