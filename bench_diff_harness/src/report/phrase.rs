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

/// What a gate allows, and what is proven where it fails.
pub(super) fn allowance(gate: &GateRecord) -> String {
    let GateRecord { kind, margin, .. } = gate;
    let rate = numbers::error_rate(gate.alpha);
    let (allowed, proof) = if *kind == "min_speedup" {
        (format!("at least {margin}x faster"), "less".to_owned())
    } else {
        let what = if gate.lo2.is_some() { "apart" } else { "slower" };
        let proof = format!("more than {}", numbers::margin(gate.lo.exp_m1()));
        (format!("at most {} {what}", numbers::margin(*margin)), proof)
    };
    format!("{allowed} ({kind}); a failure proves {proof} at an error rate of {rate}")
}
