//! What a verdict proves, and from how much.

use bench_diff_core::stats::t_upper_tail;

use super::{numbers, phrase};
use crate::record::json::Word;
use crate::record::{GateRecord, IntervalRecord, Outcome, PairRecord, RoundsRecord, TailRecord, WelchRecord};
use crate::system::text::counted;

/// The line below a row: the proof, the duos and what they can find, the figures of the t-test over rounds
/// and of Welch's test.
///
/// Only a test that says the same as the row stands there. Another one takes means, which a few disturbed
/// rounds or slots move, and decides nothing: records have it.
pub(super) fn detail(record: &PairRecord) -> Option<String> {
    let mut parts = vec![claim(record)?];
    if !record.is_one_code() {
        parts.extend(over_rounds(record));
        parts.extend(welch(record));
    }
    Some(parts.join("; "))
}

/// Student's t-test over the rounds.
fn over_rounds(record: &PairRecord) -> Option<String> {
    let RoundsRecord { t, df, .. } = record.rounds.as_ref()?;
    let t = (*t)?;
    let p = 2.0 * t_upper_tail(t.abs(), *df as f64);
    agrees(record, t, p).then(|| {
        let unit = phrase::unit(record);
        format!("t over {unit}s {t:.1}, df {df}, two-sided p {}", numbers::p_value(p))
    })
}

/// Welch's test of the slots.
fn welch(record: &PairRecord) -> Option<String> {
    let WelchRecord { t, df, p_two_sided, nominal, .. } = record.welch?;
    let (t, df, p) = (t?, df?, p_two_sided?);
    let nominal_only = if nominal { " if slots were independent" } else { "" };
    (!nominal || agrees(record, t, p)).then(|| {
        format!("Welch's t over slots {t:.1}, df {df:.1}, two-sided p {}{nominal_only}", numbers::p_value(p))
    })
}

/// Whether a test points where the ratio does, and sees a difference where the interval does.
fn agrees(record: &PairRecord, t: f64, p: f64) -> bool {
    let Some((ratio, IntervalRecord { level, low, high })) = record.ratio.zip(record.interval) else {
        return false;
    };
    let is_clear = low.is_some_and(|low| low > 1.0) || high.is_some_and(|high| high < 1.0);
    t.is_sign_positive() == (ratio >= 1.0) && (p <= 1.0 - level) == is_clear
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
    let power = phrase::power(record).map(|power| format!(", which {power}")).unwrap_or_default();
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

    fn tested(ratio: f64, [low, high]: [f64; 2], t: f64) -> PairRecord {
        PairRecord {
            duos: Some(40),
            ratio: Some(ratio),
            interval: Some(IntervalRecord { level: 0.9, low: Some(low), high: Some(high) }),
            rounds: Some(RoundsRecord { n: 5, spread: 0.0, t: Some(t), df: 4, p: None, contrasts: vec![] }),
            welch: Some(WelchRecord {
                t: Some(t),
                df: Some(30.0),
                p: None,
                p_two_sided: Some(if t.abs() > 3.0 { 0.005 } else { 0.5 }),
                nominal: true,
            }),
            ..PairRecord::default()
        }
    }

    #[test]
    fn a_test_that_says_otherwise_than_the_row_is_left_out() {
        let shown = |record: &PairRecord| detail(record).unwrap();
        let both = "; t over rounds 9.0, df 4, two-sided p 8e-4; Welch's t over slots 9.0, df 30.0, two-sided p 0.005 if \
                    slots were independent";
        let slower = tested(1.03, [1.02, 1.04], 9.0);
        assert_eq!(shown(&slower), format!("40 duos in 5 rounds{both}"));
        for record in [
            tested(1.03, [1.02, 1.04], -9.0),
            tested(1.03, [1.02, 1.04], 0.5),
            tested(1.001, [0.99, 1.01], 9.0),
            tested(1.0, [1.0, 1.0], 0.5),
        ] {
            assert_eq!(shown(&record), "40 duos in 5 rounds");
        }
        let equal = shown(&tested(0.999, [0.99, 1.01], -0.5));
        assert!(equal.contains("t over rounds -0.5, df 4, two-sided p 0.64"), "{equal}");
        // The test that decided is shown, whatever it says.
        let welch = slower.welch.map(|welch| WelchRecord { t: Some(-9.0), nominal: false, ..welch });
        assert!(
            shown(&PairRecord { welch, ..slower })
                .ends_with("; Welch's t over slots -9.0, df 30.0, two-sided p 0.005")
        );
    }

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
