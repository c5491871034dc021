//! What a verdict proves, and from how much.

use super::numbers;
use crate::record::{GateRecord, IntervalRecord, Outcome, PairRecord};

/// The line below a row: the proof, the duos and what they can find, the figures of Welch's test.
pub(super) fn detail(record: &PairRecord) -> Option<String> {
    let duos = record.duos?;
    let mut parts = Vec::new();
    parts.extend(record.gate.as_ref().and_then(|gate| proof(record.outcome, gate)));
    let clock = record.clock.map(|clock| format!(" ({clock} clock)")).unwrap_or_default();
    let finds = record.mde.map(|mde| format!(" would find {}", bound(mde.ln_1p()))).unwrap_or_default();
    parts.push(format!("{duos} duos{clock}{finds}"));
    if let Some(welch) = record.welch
        && let (Some(t), Some(df), Some(p)) = (welch.t, welch.df, welch.p)
    {
        let nominal = if welch.nominal { " (nominal)" } else { "" };
        parts.push(format!("welch t {t:.1}, df {df:.1}, p {}{nominal}", numbers::p_value(p)));
    }
    Some(parts.join("; "))
}

/// The control, which stands below the ratio of its pair.
pub(super) fn control(record: &PairRecord) -> Option<String> {
    let control = record.control?;
    let (ratio, IntervalRecord { low, high, .. }) = (numbers::ratio(control.ratio?), control.interval);
    Some(format!("control: the baseline against itself {ratio} {}", numbers::interval(low, high)))
}

fn proof(outcome: Outcome, gate: &GateRecord) -> Option<String> {
    let GateRecord { lo, hi, lo2, .. } = *gate;
    let rate = |rate: f64| format!("error <= {}", numbers::small_share(rate));
    let two_sided = lo2.is_some();
    Some(match outcome {
        Outcome::Fail if two_sided => {
            format!("proves more than {} apart, {}", numbers::percent(lo.exp_m1()), rate(gate.alpha))
        }
        Outcome::Fail => format!("proves over {}, {}", bound(lo), rate(gate.alpha)),
        Outcome::Pass if two_sided => {
            format!("proves less than {} apart, {}", numbers::percent(hi.exp_m1()), rate(gate.beta))
        }
        Outcome::Pass => format!("proves under {}, {}", bound(hi), rate(gate.beta)),
        Outcome::Inconclusive => format!("proves neither over {} nor under {}", bound(lo), bound(hi)),
        Outcome::Error | Outcome::Ignored | Outcome::Measured => return None,
    })
}

/// A bound on ln(ratio) as a signed percentage.
fn bound(ln: f64) -> String {
    let share = ln.exp_m1();
    let sign = if share >= 0.0 { "+" } else { "" };
    format!("{sign}{}", numbers::percent(share))
}
