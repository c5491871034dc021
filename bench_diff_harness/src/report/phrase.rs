//! A comparison in plain words.

use super::numbers;
use crate::record::{FailedGate, GateKind, GateRecord, Outcome, PairRecord};
use crate::system::text::counted;

/// Speed-ups and slowdowns from here on are told as "times".
const TIMES_FROM: f64 = 2.0;

/// The word for the outcome, and what decided it where that is not the share of a difference; with at most so
/// many characters, if it can be.
pub(super) fn verdict(record: &PairRecord, room: usize) -> String {
    let word = record.failed_gate().map_or(record.outcome.shown(), FailedGate::shown);
    let Some(ignored) = record.passes_by_ignoring() else { return word.to_owned() };
    let time = numbers::written_time(ignored.below_ns).replace(' ', "");
    let exact = format!("{word} (<{time})");
    if exact.len() <= room { exact } else { format!("{word} (small)") }
}

/// What the candidate is: "1.85x faster", "3.2 % slower", "the same code"; none where nothing was measured.
pub(super) fn change(record: &PairRecord) -> Option<String> {
    let ratio = record.ratio?;
    Some(if record.is_one_code() { "the same code".to_owned() } else { difference(ratio) })
}

/// The interval of the change in percent: `[-0.9, +0.7]`.
///
/// With few rounds its ends are the least and the greatest of them, so a disturbed one makes an end that says
/// nothing. Where that is not the end that a verdict is about, the other end stands alone: `below +0.7`.
pub(super) fn interval(record: &PairRecord) -> Option<String> {
    let interval = record.interval.filter(|_| !record.is_one_code())?;
    Some(match far_end(record) {
        Some(FarEnd { decides: false, is_low, .. }) => {
            let (word, end) = if is_low { ("below", interval.high) } else { ("above", interval.low) };
            let end = end.map(numbers::change_of);
            end.map_or_else(|| numbers::changes(interval), |end| format!("{word} {end}"))
        }
        _ => numbers::changes(interval),
    })
}

/// An end of an interval that a disturbed round made.
struct FarEnd {
    is_low: bool,
    ratio: f64,
    /// Whether it is part of why the pair ended as it did.
    decides: bool,
}

fn far_end(record: &PairRecord) -> Option<FarEnd> {
    let (rounds, (ratio, interval)) = record.rounds.as_ref().zip(record.ratio.zip(record.interval))?;
    let [least, most] = rounds.usual(ratio.ln());
    let low = interval.low.filter(|low| low.ln() < least).map(|ratio| (true, ratio));
    let high = interval.high.filter(|high| high.ln() > most).map(|ratio| (false, ratio));
    let (is_low, ratio) = low.xor(high)?;
    let has_one_side = record.gate.as_ref().is_some_and(|gate| gate.lo2.is_none());
    let decides = match record.outcome_of_time() {
        Outcome::Pass => !is_low,
        Outcome::Fail => is_low,
        _ => true,
    };
    Some(FarEnd { is_low, ratio, decides: decides || !has_one_side })
}

/// Why an interval is so wide.
pub(super) fn disturbed(record: &PairRecord) -> Option<String> {
    let FarEnd { is_low, ratio, .. } = far_end(record)?;
    let (interval, rounds) = record.interval.zip(record.rounds.as_ref())?;
    let [least, most] = rounds.usual(record.ratio?.ln());
    let is_far = |contrast: &&f64| if is_low { **contrast < least } else { **contrast > most };
    let (lie, or_beyond) = match (rounds.contrasts.iter().filter(is_far).count(), is_low) {
        (1, _) => ("1 of them lies".to_owned(), ""),
        (count, true) => (format!("{count} of them lie"), " or less"),
        (count, false) => (format!("{count} of them lie"), " or more"),
    };
    Some(format!(
        "in {} the interval is {}: {lie} far from the others, at {} %{or_beyond}",
        counted(rounds.n, unit(record)),
        numbers::changes(interval),
        numbers::change_of(ratio),
    ))
}

/// What a reader should do, then what explains figures.
pub(super) fn notes(record: &PairRecord) -> impl Iterator<Item = String> {
    record.advice().iter().chain(&record.notes).cloned()
}

/// A ratio in plain words, whether or not it is clear of 1.
pub(super) fn difference(ratio: f64) -> String {
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

/// What a failure proves, and what a pass does.
pub(super) fn claims(gate: &GateRecord) -> [String; 2] {
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

/// The latencies of a typical call of the baseline and of the candidate, in nanoseconds: those whose ratio is
/// that of the record, and whose mean of logarithms is that of both medians. The medians of all slots
/// together may say otherwise, where some rounds ran in slow modes of one function and some in those of the
/// other.
pub(super) fn typical(record: &PairRecord) -> Option<[f64; 2]> {
    let (candidate, baseline) = record.candidate.zip(record.baseline)?;
    let middle = (candidate.median * baseline.median).sqrt();
    let half = record.ratio?.sqrt();
    Some([middle / half, middle * half])
}

/// What the verdict is made of, one of them.
pub(super) fn unit(record: &PairRecord) -> &'static str {
    match (&record.layouts, &record.rounds) {
        (Some(_), _) => "layout",
        (None, Some(_)) => "round",
        (None, None) => "duo",
    }
}

/// The smallest difference that fails in 95 % of such runs, as what they do; none of what has failed, which
/// was found.
pub(super) fn power(record: &PairRecord) -> Option<String> {
    let is_open = matches!(record.outcome_of_time(), Outcome::Pass | Outcome::Inconclusive);
    let (gate, mde) = record.gate.as_ref().zip(record.mde).filter(|_| is_open && !record.is_one_code())?;
    let needed = gate.hi.exp_m1();
    // How much more it is than what the gate has to tell says nothing.
    Some(if mde <= needed {
        format!("would {}", finds(gate, mde))
    } else {
        format!("might not {}", finds(gate, needed))
    })
}

fn finds(gate: &GateRecord, mde: f64) -> String {
    if gate.kind == GateKind::MinSpeedup {
        let (margin, speedup) = (gate.margin, 1.0 / (1.0 + mde));
        // As many digits as it takes to see that they differ.
        let differ = |digits: &usize| format!("{speedup:.digits$}") != format!("{margin:.digits$}");
        let digits = (2..6).find(differ).unwrap_or(6);
        format!("tell {speedup:.digits$}x from {margin}x")
    } else if gate.lo2.is_some() {
        format!("find {} apart", numbers::percent(mde))
    } else {
        format!("find {}", difference(1.0 + mde))
    }
}

/// What a gate allows: "at most 2 % slower".
pub(super) fn allowed(gate: &GateRecord) -> String {
    let GateRecord { kind, margin, lo2, .. } = gate;
    if *kind == GateKind::MinSpeedup {
        return format!("at least {margin}x faster");
    }
    let what = if lo2.is_some() { "apart" } else { "slower" };
    format!("at most {} {what}", numbers::share(*margin))
}

/// What the gate of a tail allows.
pub(super) fn allowed_tail(margin: f64) -> String {
    format!("at most {margin} times as many calls beyond the baseline's p99 (max_tail)")
}

/// What is no difference, where that is more than the gate allows anyway.
pub(super) fn ignored(record: &PairRecord) -> Option<String> {
    let ignored = record.ignored_beyond_gate()?;
    let decided = if ignored.decided { ", which decided" } else { "" };
    Some(format!(
        "a difference of less than {} a call counts as none: {} of the baseline's {}{decided}",
        numbers::written_time(ignored.below_ns),
        numbers::percent(ignored.share),
        numbers::latency(ignored.call()),
    ))
}

/// What a gate allows, and what is proven where it fails.
pub(super) fn allowance(gate: &GateRecord) -> String {
    let rate = numbers::small_share(gate.alpha);
    let proof = if gate.kind == GateKind::MinSpeedup {
        "less".to_owned()
    } else {
        format!("more than {}", numbers::share(gate.lo.exp_m1()))
    };
    let (allowed, kind) = (allowed(gate), gate.gate().name());
    format!("{allowed} ({kind}); a failure proves {proof} and is wrong in at most {rate} of runs")
}

#[cfg(test)]
mod tests {
    use bench_diff_core::{Gate, JudgeKind};

    use super::*;
    use crate::fixture::{entry, equal, planned, ran, slower};
    use crate::record::{IgnoredRecord, IntervalRecord, RoundsRecord};

    fn gate(gate: Gate) -> GateRecord {
        let plain = entry("a", 1, equal);
        let entry = match gate {
            Gate::MinSpeedup(times) => plain.min_speedup(times),
            Gate::MaxDifference(share) => plain.max_difference(share),
            _ => plain,
        };
        let plan = planned("", &[entry]);
        PairRecord::unmeasured(&plan, &plan.pairs[0], Outcome::Inconclusive, None).gate.unwrap()
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
    fn what_is_ignored_is_a_share_of_the_baseline() {
        let pair = entry("a", 1, slower).judge(JudgeKind::Sequential);
        let record = |below| ran("", &[pair.ignore_below(below)]).1.remove(0);
        let text = ignored(&record(5_000.0)).unwrap();
        let (start, end) =
            ("a difference of less than 5 us a call counts as none: 24.", " us, which decided");
        assert!(
            text.starts_with(start) && text.contains(" % of the baseline's 20.") && text.ends_with(end),
            "{text}"
        );
        assert_eq!(ignored(&record(100.0)), None, "the gate allows more");
    }

    #[test]
    fn a_verdict_says_what_decided_it() {
        let word = |below_ns, decided, outcome| {
            let ignored = Some(IgnoredRecord { below_ns, share: 0.1, decided });
            verdict(&PairRecord { outcome, ignored, ..PairRecord::default() }, 12)
        };
        assert_eq!(word(1.0, true, Outcome::Pass), "pass (<1ns)");
        assert_eq!(word(10e3, true, Outcome::Pass), "pass (<10us)");
        assert_eq!(word(0.25, true, Outcome::Pass), "pass (small)");
        assert_eq!(word(1.0, false, Outcome::Pass), "pass");
        assert_eq!(word(1.0, true, Outcome::Inconclusive), "inconclusive");
    }

    /// Five rounds, of which one was disturbed.
    fn in_rounds(disturbed: f64, gate: Option<GateRecord>, outcome: Outcome) -> PairRecord {
        let contrasts = vec![0.0004, -0.0002, disturbed, 0.0006, 0.0001];
        let ends = [f64::min(disturbed, -0.0002), f64::max(disturbed, 0.0006)].map(|end| Some(end.exp()));
        PairRecord {
            outcome,
            gate,
            ratio: Some(1.0002),
            interval: Some(IntervalRecord { level: 0.9, low: ends[0], high: ends[1] }),
            rounds: Some(RoundsRecord { n: 5, spread: 0.0004, t: None, df: 4, p: None, contrasts }),
            ..PairRecord::default()
        }
    }

    #[test]
    fn a_disturbed_round_is_no_end_of_the_interval_beside_a_verdict_on_the_other_end() {
        let slowdown = || Some(gate(Gate::MaxSlowdown(0.02)));
        let shown = |disturbed, gate, outcome| interval(&in_rounds(disturbed, gate, outcome)).unwrap();
        assert_eq!(shown(-1.27, slowdown(), Outcome::Pass), "below +0.06");
        assert_eq!(shown(-0.02, slowdown(), Outcome::Pass), "[-2.0, +0.06]", "not far");
        assert_eq!(shown(0.2, slowdown(), Outcome::Fail), "above -0.02");
        for (gate, outcome) in [
            (slowdown(), Outcome::Inconclusive),
            (None, Outcome::Measured),
            (Some(gate(Gate::MaxDifference(0.02))), Outcome::Pass),
        ] {
            assert_eq!(shown(-1.27, gate, outcome), "[-71.9, +0.06]");
        }
        let why = disturbed(&in_rounds(-1.27, slowdown(), Outcome::Pass)).unwrap();
        assert_eq!(
            why,
            "in 5 rounds the interval is [-71.9, +0.06]: 1 of them lies far from the others, at -71.9 %"
        );
        assert_eq!(disturbed(&in_rounds(0.0, slowdown(), Outcome::Pass)), None);
    }

    #[test]
    fn what_would_be_found_is_told_of_what_did_not_fail() {
        let power = |mde, outcome| {
            power(&PairRecord {
                mde: Some(mde),
                ..in_rounds(0.0, Some(gate(Gate::MaxSlowdown(0.02))), outcome)
            })
        };
        assert_eq!(power(0.013, Outcome::Pass).unwrap(), "would find 1.3 % slower");
        assert_eq!(power(5.56, Outcome::Inconclusive).unwrap(), "might not find 3.0 % slower");
        assert_eq!(power(0.013, Outcome::Fail), None);
    }

    #[test]
    fn a_factor_has_as_many_digits_as_a_reader_needs() {
        assert_eq!(
            [1.02, 0.4, 123.4, 1e160, 0.99996].map(difference),
            ["2.0 % slower", "2.50x faster", "123x slower", "1e160x slower", "0.00 %"]
        );
    }

    #[test]
    fn an_allowance_says_what_a_failure_proves() {
        let rate = "and is wrong in at most 1 % of runs";
        assert_eq!(
            [Gate::MaxSlowdown(0.02), Gate::MinSpeedup(1.5), Gate::MaxDifference(0.02)]
                .map(|kind| allowance(&gate(kind))),
            [
                format!("at most 2 % slower (max_slowdown); a failure proves more than 1 % {rate}"),
                format!("at least 1.5x faster (min_speedup); a failure proves less {rate}"),
                format!("at most 2 % apart (max_difference); a failure proves more than 1 % {rate}"),
            ]
        );
    }
}
