//! A comparison in plain words.

use crate::record::{AllowedRecord, FailedGate, GateKind, GateRecord, IntervalRecord, PairRecord};
use crate::text::numbers;

/// The factor from which on speed-ups and slowdowns are written as "times".
const TIMES_FROM: f64 = 2.0;

/// The word for the outcome or for the gate that failed, and whether it passes because of `ignore_below`.
pub(crate) fn verdict(record: &PairRecord) -> String {
    let word = match record.failed_gate() {
        Some(FailedGate::Allocations) => "FAIL (alloc)",
        _ => record.outcome().shown(),
    };
    if record.passes_by_ignoring() { format!("{word} (small)") } else { word.to_owned() }
}

/// A ratio in plain words, whether or not it is significant.
pub(crate) fn difference(ratio: f64) -> String {
    let (factor, share, word) =
        if ratio < 1.0 { (1.0 / ratio, 1.0 - ratio, "faster") } else { (ratio, ratio - 1.0, "slower") };
    if share < 5e-5 {
        numbers::percent(0.0)
    } else if factor < TIMES_FROM {
        format!("{} {word}", numbers::percent(share))
    } else if factor < 99.5 {
        format!("{factor:.2}x {word}")
    } else if factor < 1e6 {
        format!("{factor:.0}x {word}")
    } else {
        format!("{factor:.0e}x {word}")
    }
}

/// The unit of a change, in which its interval is written as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unit {
    Percent,
    TimesSlower,
    TimesFaster,
}

impl Unit {
    /// The unit of this ratio in `difference`.
    pub(crate) fn of(ratio: f64) -> Self {
        if ratio >= TIMES_FROM {
            Self::TimesSlower
        } else if 1.0 / ratio >= TIMES_FROM {
            Self::TimesFaster
        } else {
            Self::Percent
        }
    }

    /// The two ends of an interval: `[-0.9, +0.7] %`, `[8.06x, 8.40x]` as times.
    pub(crate) fn interval(self, interval: IntervalRecord) -> String {
        let [low, high] = [interval.low.unwrap_or(0.0), interval.high.unwrap_or(f64::INFINITY)];
        match self {
            Self::Percent => format!("{} %", numbers::changes(interval)),
            Self::TimesSlower => format!("[{}, {}]", self.end(low), self.end(high)),
            Self::TimesFaster => format!("[{}, {}]", self.end(high), self.end(low)),
        }
    }

    /// The claim that a ratio is below this one.
    pub(crate) fn below(self, high: f64) -> String {
        let side = if self == Self::TimesFaster { "above" } else { "below" };
        format!("{side} {}", self.end(high))
    }

    /// The claim that a ratio is above this one.
    pub(crate) fn above(self, low: f64) -> String {
        let side = if self == Self::TimesFaster { "below" } else { "above" };
        format!("{side} {}", self.end(low))
    }

    fn end(self, ratio: f64) -> String {
        match self {
            Self::Percent => format!("{} %", numbers::change_of(ratio)),
            Self::TimesSlower => numbers::times(ratio),
            Self::TimesFaster => numbers::times(1.0 / ratio),
        }
    }
}

/// The claims that a failure and a pass prove.
pub(crate) fn claims(gate: &GateRecord) -> [String; 2] {
    let GateRecord { kind, margin, lo, hi, lo2, .. } = *gate;
    let percent = |bound: f64| numbers::percent(bound.exp_m1());
    if kind == GateKind::MinSpeedup {
        [format!("less than {margin}x faster"), format!("more than {:.2}x faster", (-hi).exp())]
    } else if lo2.is_some() {
        [format!("more than {} apart", percent(lo)), format!("less than {} apart", percent(hi))]
    } else {
        [format!("over +{}", percent(lo)), format!("under +{}", percent(hi))]
    }
}

/// The effect of this size that a pair can find.
pub(crate) fn finds(gate: &GateRecord, mde: f64) -> String {
    if gate.kind == GateKind::MinSpeedup {
        let (margin, speedup) = (gate.margin, 1.0 / (1.0 + mde));
        // As few digits as keep them different.
        let differ = |digits: &usize| format!("{speedup:.digits$}") != format!("{margin:.digits$}");
        let digits = (2..6).find(differ).unwrap_or(6);
        format!("tell {speedup:.digits$}x from {margin}x")
    } else if gate.lo2.is_some() {
        format!("find {} apart", numbers::percent(mde))
    } else {
        format!("find {}", difference(1.0 + mde))
    }
}

/// The limit of a gate: "2 % slower". It is the middle of the grey zone, so a smaller change may fail.
fn limit(gate: &GateRecord) -> String {
    let GateRecord { kind, margin, lo2, .. } = gate;
    if *kind == GateKind::MinSpeedup {
        return format!("{margin}x faster");
    }
    let what = if lo2.is_some() { "apart" } else { "slower" };
    format!("{} {what}", numbers::share(*margin))
}

/// The limit beside a change that has the same direction: "2 %", "1.5x faster".
pub(crate) fn short_limit(gate: &GateRecord) -> String {
    let limit = if gate.kind == GateKind::MaxSlowdown { numbers::share(gate.margin) } else { limit(gate) };
    limit + &and_allowed(gate)
}

/// The slowdown that the change allows: "allowed by 3f2c9e1: 12 %".
pub(crate) fn allowed(gate: &GateRecord) -> Option<String> {
    let AllowedRecord { slowdown, by } = gate.allowed.as_ref()?;
    Some(format!("allowed by {by}: {}", numbers::share(*slowdown)))
}

fn and_allowed(gate: &GateRecord) -> String {
    allowed(gate).map(|allowed| format!(", {allowed}")).unwrap_or_default()
}

/// The limit of a gate, the option that sets it, and the claim that a failure proves.
pub(crate) fn limit_and_proof(gate: &GateRecord) -> String {
    let proof = if gate.kind == GateKind::MinSpeedup {
        format!("less than {}x", gate.margin)
    } else {
        format!("more than {}", numbers::share(gate.lo.exp_m1()))
    };
    format!("{} ({}){}; a failure proves {proof}", limit(gate), gate.gate().name(), and_allowed(gate))
}

/// The limit, and how often a failure is wrong.
pub(crate) fn limit_and_error_rate(gate: &GateRecord) -> String {
    format!("{} and is wrong in at most {} of runs", limit_and_proof(gate), numbers::small_share(gate.alpha))
}

#[cfg(test)]
pub(crate) mod tests {
    use bench_diff_core::Gate;

    use super::*;
    use crate::fixture::{self, entry, planned};
    use crate::record::{Figures, IgnoredRecord, Outcome};

    pub(crate) fn gate(gate: Gate) -> GateRecord {
        planned("", &[entry("a", 1).gate(gate)]).pairs[0].gate.clone().unwrap()
    }

    #[test]
    fn a_gate_is_told_in_the_words_of_its_option() {
        let slowdown = gate(Gate::MaxSlowdown(0.02));
        assert_eq!(claims(&slowdown), ["over +1.0 %", "under +3.0 %"]);
        assert_eq!(finds(&slowdown, 0.013), "find 1.3 % slower");
        let difference = gate(Gate::MaxDifference(0.02));
        assert_eq!(claims(&difference), ["more than 1.0 % apart", "less than 3.0 % apart"]);
        assert_eq!(finds(&difference, 0.013), "find 1.3 % apart");
        let speedup = gate(Gate::MinSpeedup(5.0));
        assert_eq!(claims(&speedup), ["less than 5x faster", "more than 4.90x faster"]);
        assert_eq!(finds(&speedup, -0.792), "tell 4.81x from 5x");
        assert_eq!(finds(&speedup, 1.0 / 4.9987 - 1.0), "tell 4.999x from 5x");
    }

    #[test]
    fn a_verdict_says_what_decided_it() {
        let word = |decided, outcome| {
            let ignored = Some(IgnoredRecord { below_ns: 1.0, share: 0.1, decided });
            let end =
                PairRecord::from(Figures { verdict: fixture::verdict(outcome), ..Figures::default() }).end;
            verdict(&PairRecord { ignored, end, ..PairRecord::default() })
        };
        assert_eq!(word(true, Outcome::Pass), "pass (small)");
        assert_eq!(word(false, Outcome::Pass), "pass");
        assert_eq!(word(true, Outcome::Inconclusive), "inconclusive");
    }

    #[test]
    fn a_factor_has_as_many_digits_as_a_reader_needs() {
        assert_eq!(
            [1.02, 0.4, 123.4, 1e160, 0.99996].map(difference),
            ["2.0 % slower", "2.50x faster", "123x slower", "1e160x slower", "0.00 %"]
        );
    }

    #[test]
    fn an_interval_has_the_unit_of_its_change() {
        let interval = |ratio: f64, low, high| {
            let shown = Unit::of(ratio).interval(IntervalRecord { level: 0.9, low, high });
            // The width of the column.
            assert!(shown.len() <= 14, "{shown}");
            shown
        };
        assert_eq!(interval(1.02, Some(1.01), Some(1.03)), "[+1.0, +3.0] %");
        assert_eq!(interval(2.0, Some(1.96), Some(2.123)), "[1.96x, 2.12x]");
        assert_eq!(interval(1.0 / 8.24, Some(1.0 / 8.4), Some(1.0 / 8.06)), "[8.06x, 8.40x]");
        assert_eq!(interval(0.4, Some(0.2), Some(1.1)), "[0.91x, 5.00x]");
        assert_eq!(interval(0.4, None, None), "[0x, inf]");
        assert_eq!(interval(40.0, Some(39.96), Some(123.4)), "[40.0x, 123x]");
        assert_eq!(interval(1e6, Some(99_999.0), Some(1e7)), "[99999x, 1e7x]");
        let [slower, faster] = [3.0, 1.0 / 3.0].map(Unit::of);
        assert_eq!([slower.below(4.0), slower.above(2.5)], ["below 4.00x", "above 2.50x"]);
        assert_eq!([faster.below(0.5), faster.above(0.25)], ["above 2.00x", "below 4.00x"]);
    }

    #[test]
    fn a_limit_says_what_a_failure_proves() {
        let rate = "and is wrong in at most 1 % of runs";
        assert_eq!(
            [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02)]
                .map(|kind| limit_and_error_rate(&gate(kind))),
            [
                format!("2 % slower (max_slowdown); a failure proves more than 1 % {rate}"),
                format!("1.5x faster (min_speedup); a failure proves less than 1.5x {rate}"),
                format!("2 % apart (max_difference); a failure proves more than 1 % {rate}"),
            ]
        );
    }
}
