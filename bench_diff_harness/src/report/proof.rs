//! What a verdict proves, and from how much.

use super::{numbers, phrase};
use crate::record::json::Word;
use crate::record::{GateRecord, IntervalRecord, Outcome, PairRecord, RoundsRecord, TailRecord};
use crate::system::text::counted;

/// The line below a row: the proof, the duos and what they can find, the figures of the t-test over rounds
/// and of Welch's test.
pub(super) fn detail(record: &PairRecord) -> Option<String> {
    let parts = [without_welch(record)?].into_iter().chain(welch(record, true));
    Some(parts.collect::<Vec<_>>().join("; "))
}

/// The same without a test that did not decide, and that a reader may find to say something else.
pub(super) fn without_welch(record: &PairRecord) -> Option<String> {
    let mut parts = vec![claim(record)?];
    let unit = phrase::unit(record);
    parts.extend(record.rounds.as_ref().and_then(|rounds| over_rounds(rounds, unit)));
    parts.extend(welch(record, false));
    Some(parts.join("; "))
}

/// Welch's test: the one that is nominal, or the one that decided.
fn welch(record: &PairRecord, nominal: bool) -> Option<String> {
    let welch = record.welch.filter(|welch| welch.nominal == nominal)?;
    let (t, df, p) = (welch.t?, welch.df?, welch.p?);
    let nominal = if nominal { " (nominal)" } else { "" };
    Some(format!("Welch's t {t:.1}, df {df:.1}, p {}{nominal}", numbers::p_value(p)))
}

/// The proof, the duos and what they can find.
pub(super) fn claim(record: &PairRecord) -> Option<String> {
    let duos = record.duos?;
    let mut parts = Vec::new();
    // Where the tail decided, the outcome says nothing of the ratio.
    let of_ratio = record.tail.and_then(|_| record.proven_of_ratio()).unwrap_or(record.outcome_of_time());
    parts.extend(record.gate.as_ref().and_then(|gate| proof(of_ratio, gate)));
    parts.extend(tail(record));
    let unit = phrase::unit(record);
    let rounds = record.rounds.as_ref().map(|rounds| format!(" in {}", counted(rounds.n, unit)));
    let rounds = rounds.unwrap_or_default();
    let clock = record.clock.map(|Word(clock)| format!(" ({} clock)", clock.name())).unwrap_or_default();
    let power = phrase::power(record).map(|power| format!(" would {power}")).unwrap_or_default();
    parts.push(format!("{duos} duos{rounds}{clock}{power}"));
    Some(parts.join("; "))
}

/// How many slow calls there were, and what they prove; nothing of one piece of code, which needs no proof.
fn tail(record: &PairRecord) -> Option<String> {
    let (tail, gate) = record.tail.filter(|tail| tail.calls > 0).zip(record.gate.as_ref())?;
    let TailRecord { calls, candidate, baseline, lo, hi, .. } = tail;
    let times = tail.times_as_many();
    let error = |rate: f64| format!("error <= {}", numbers::small_share(rate));
    let proof = match tail.outcome(gate) {
        Outcome::Fail => format!("proves over {lo:.2} times, {}", error(gate.alpha)),
        Outcome::Pass => format!("proves under {hi:.2} times, {}", error(gate.beta)),
        _ => format!("proves neither over {lo:.2} nor under {hi:.2} times"),
    };
    Some(format!(
        "of {calls} calls each, {candidate} of the candidate are slower than the baseline's p99, and {baseline} of the \
         baseline{times}, which {proof}"
    ))
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

#[cfg(test)]
mod tests {
    use bench_diff_core::JudgeKind;

    use super::*;
    use crate::fixture::{entry, ran, rarely_slow};

    #[test]
    fn a_tail_is_proven_beside_the_ratio() {
        let pair = entry("a", 1, rarely_slow).judge(JudgeKind::Sequential).max_slowdown(3.0).max_tail(2.0);
        let record = ran("", &[pair]).1.remove(0);
        let detail = detail(&record).unwrap();
        assert!(detail.starts_with("proves under +450 %, error <= 5 %; of "), "{detail}");
        assert!(
            detail.contains(" times as many, which proves over 1.41 times, error <= 0.5 %; "),
            "{detail}"
        );
        let of_one_code = TailRecord { calls: 0, ..record.tail.unwrap() };
        assert_eq!(tail(&PairRecord { tail: Some(of_one_code), ..record }), None);
    }
}
