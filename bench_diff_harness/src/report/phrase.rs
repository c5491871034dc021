//! A comparison in plain words.

use super::numbers;
use crate::record::{GateRecord, IntervalRecord};

/// Speed-ups and slowdowns from here on are told as "times".
const TIMES_FROM: f64 = 1.5;

/// What the candidate is: "1.85x faster", "3.2 % slower".
pub(super) fn comparison(ratio: f64, interval: IntervalRecord) -> String {
    let below = interval.low.is_none_or(|low| low <= 1.0);
    let above = interval.high.is_none_or(|high| high >= 1.0);
    if below && above { "no clear difference".to_owned() } else { difference(ratio) }
}

/// A ratio in plain words, whether or not it is clear of 1.
pub(super) fn difference(ratio: f64) -> String {
    let (factor, word) = if ratio < 1.0 { (1.0 / ratio, "faster") } else { (ratio, "slower") };
    if factor < TIMES_FROM {
        format!("{} {word}", numbers::percent(factor - 1.0))
    } else if factor < 99.5 {
        format!("{factor:.2}x {word}")
    } else {
        format!("{factor:.0}x {word}")
    }
}

/// What a gate allows and what breaking it takes.
pub(super) fn allowance(gate: &GateRecord) -> String {
    let proof = numbers::margin(gate.lo.exp_m1());
    let alpha = format!("{:.1e}", gate.alpha);
    match gate.kind {
        "min_speedup" => format!(
            "at least {}x faster (min_speedup); it fails once less is proven at an error rate of {alpha}",
            gate.margin
        ),
        kind => {
            let margin = numbers::margin(gate.margin);
            let what = if gate.lo2.is_some() { "different" } else { "slower" };
            format!(
                "at most {margin} {what} ({kind}); it fails once more than {proof} is proven at an error rate of {alpha}"
            )
        }
    }
}
