//! What a verdict proves, and from how much.

use super::{numbers, phrase};
use crate::record::{GateRecord, IntervalRecord, Outcome, PairRecord, RoundsRecord};
use crate::system::text::counted;

/// The line below a row: the proof, the duos and what they can find, the figures of the t-test over rounds
/// and of Welch's test.
pub(super) fn detail(record: &PairRecord) -> Option<String> {
    let mut parts = vec![claim(record)?];
    let unit = phrase::unit(record);
    parts.extend(record.rounds.as_ref().and_then(|rounds| over_rounds(rounds, unit)));
    if let Some(welch) = record.welch
        && let (Some(t), Some(df), Some(p)) = (welch.t, welch.df, welch.p)
    {
        let nominal = if welch.nominal { " (nominal)" } else { "" };
        parts.push(format!("welch t {t:.1}, df {df:.1}, p {}{nominal}", numbers::p_value(p)));
    }
    Some(parts.join("; "))
}

/// The proof, the duos and what they can find.
pub(super) fn claim(record: &PairRecord) -> Option<String> {
    let duos = record.duos?;
    let mut parts = Vec::new();
    parts.extend(record.gate.as_ref().and_then(|gate| proof(record.outcome, gate)));
    let unit = phrase::unit(record);
    let rounds = record.rounds.as_ref().map(|rounds| format!(" in {}", counted(rounds.n, unit)));
    let rounds = rounds.unwrap_or_default();
    let clock = record.clock.as_ref().map(|clock| format!(" ({clock} clock)")).unwrap_or_default();
    let power = phrase::power(record).map(|power| format!(" would {power}")).unwrap_or_default();
    parts.push(format!("{duos} duos{rounds}{clock}{power}"));
    Some(parts.join("; "))
}

/// The control, which stands below the ratio of its pair.
pub(super) fn control(record: &PairRecord) -> Option<String> {
    let control = record.control?;
    let (ratio, IntervalRecord { low, high, .. }) = (numbers::ratio(control.ratio?), control.interval);
    Some(format!("control: the baseline against itself {ratio} {}", numbers::interval(low, high)))
}

/// Student's t-test over the rounds.
fn over_rounds(RoundsRecord { t, df, p, .. }: &RoundsRecord, unit: &str) -> Option<String> {
    let (t, p) = t.zip(*p)?;
    Some(format!("t over {unit}s {t:.1}, df {df}, p {}", numbers::p_value(p)))
}

fn proof(outcome: Outcome, gate: &GateRecord) -> Option<String> {
    let error = |rate: f64| format!("error <= {}", numbers::small_share(rate));
    let [fail, pass] = phrase::claims(gate);
    Some(match outcome {
        Outcome::Fail => format!("proves {fail}, {}", error(gate.alpha)),
        Outcome::Pass => format!("proves {pass}, {}", error(gate.beta)),
        Outcome::Inconclusive => format!("proves neither {fail} nor {pass}"),
        Outcome::Error | Outcome::Ignored | Outcome::Measured => return None,
    })
}
