//! The texts about a measured pair or function, which every report lays out in its own way.

use bench_diff_system::text::counted;

use crate::record::{
    AllocationsOfOne, Check, Differs, Figures, IntervalRecord, Outcome, PairRecord, SlotsRecord, Timing,
    in_a_call,
};
use crate::text::numbers;
use crate::text::phrase::{self, Unit};

#[derive(Clone, Copy)]
pub(crate) struct PairText<'a> {
    pub(crate) record: &'a PairRecord,
    pub(crate) figures: &'a Figures,
}

impl<'a> PairText<'a> {
    /// `None` if the pair was not measured.
    pub(crate) fn of(record: &'a PairRecord) -> Option<Self> {
        Some(Self { record, figures: record.figures()? })
    }

    /// The change of the candidate: "1.85x faster", "3.2 % slower", "unchanged".
    pub(crate) fn change(self) -> String {
        if self.figures.same_code { "unchanged".to_owned() } else { phrase::difference(self.figures.ratio) }
    }

    /// The first difference in the machine code of both functions.
    pub(crate) fn differs(self) -> Option<String> {
        let differs = self.figures.differs.as_ref()?;
        let Differs { function, baseline_bytes, candidate_bytes, why } = differs;
        Some(format!("differs:  `{function}`: {baseline_bytes} -> {candidate_bytes} bytes, {why}"))
    }

    /// The change, and the ratio with its interval.
    pub(crate) fn summary(self) -> String {
        let interval = self.figures.interval;
        format!(
            "{}, ratio {}, {} interval {}",
            self.change(),
            numbers::ratio(self.figures.ratio),
            numbers::share(interval.level),
            numbers::interval(interval)
        )
    }

    /// The interval in the unit of the change: `[-0.9, +0.7] %`; empty if the machine code is unchanged.
    ///
    /// With few rounds, its ends are the smallest and the largest round, so a disturbed round makes one end
    /// meaningless. Unless the verdict is about that end, only the other one is shown: `below +0.7 %`.
    pub(crate) fn interval(self) -> String {
        let interval = self.figures.interval;
        if self.figures.same_code {
            return String::new();
        }
        let has_one_side = self.record.gate.as_ref().is_some_and(|gate| gate.lo2.is_none());
        let unit = Unit::of(self.figures.ratio);
        let far_ends = if has_one_side { self.far_ends() } else { [false; 2] };
        match (self.record.outcome_of_time(), far_ends, interval) {
            (Outcome::Pass, [true, false], IntervalRecord { high: Some(high), .. }) => unit.below(high),
            (Outcome::Fail, [false, true], IntervalRecord { low: Some(low), .. }) => unit.above(low),
            _ => unit.interval(interval),
        }
    }

    /// Returns whether a disturbed round made the lower end of the interval, and whether one made the higher.
    fn far_ends(self) -> [bool; 2] {
        let Figures { rounds, ratio, interval, .. } = self.figures;
        let Some([least, most]) = rounds.as_ref().map(|rounds| rounds.usual(ratio.ln())) else {
            return [false; 2];
        };
        [interval.low.is_some_and(|low| low.ln() < least), interval.high.is_some_and(|high| high.ln() > most)]
    }

    /// The latencies of a typical call of the baseline and of the candidate, in nanoseconds. Their ratio is
    /// that of the record, and the mean of their logarithms that of both medians. The medians alone could
    /// contradict the record if some rounds ran in slow modes of one function and some in those of the other.
    pub(crate) fn typical(self) -> [f64; 2] {
        let Figures { slots: SlotsRecord { candidate, .. }, baseline, ratio, .. } = self.figures;
        let middle = (candidate.median * baseline.median).sqrt();
        let half = ratio.sqrt();
        [middle / half, middle * half]
    }

    /// The latencies as text.
    pub(crate) fn latencies(self) -> [String; 2] {
        self.typical().map(numbers::latency)
    }

    /// The unit of evidence, one of them.
    pub(crate) fn unit(self) -> &'static str {
        if self.figures.rounds.is_some() { "round" } else { "duo" }
    }

    /// The smallest difference that fails in 95 % of such runs, in words; `None` if the pair failed.
    pub(crate) fn power(self) -> Option<String> {
        let is_open = matches!(self.record.outcome_of_time(), Outcome::Pass | Outcome::Inconclusive);
        let (gate, mde) = self.record.gate.as_ref().zip(self.figures.mde)?;
        if !is_open || self.figures.same_code {
            return None;
        }
        // A multiple of the gate's margin would mean nothing here.
        let needed = gate.hi.exp_m1();
        Some(if mde <= needed {
            format!("would {}", phrase::finds(gate, mde))
        } else {
            format!("might not {}", phrase::finds(gate, needed))
        })
    }

    /// The result of the check, the slow calls, the time it took.
    pub(crate) fn facts(self) -> String {
        let Figures { check, slots: SlotsRecord { candidate, elapsed_s, .. }, baseline, .. } = self.figures;
        let check = match check {
            Some(Check::Equal) => "the outputs are equal; ",
            Some(Check::None) => "the outputs cannot be compared; ",
            Some(Check::Off) => "the outputs are not compared; ",
            None => "",
        };
        let mut tails = String::new();
        // The slow calls of one piece of code differ only by chance.
        if !self.figures.same_code {
            let [p95, p99, of_baseline_p95, of_baseline_p99] =
                [candidate.p95, candidate.p99, baseline.p95, baseline.p99].map(numbers::latency);
            tails = format!("p95 {p95} against {of_baseline_p95}, p99 {p99} against {of_baseline_p99}; ");
        }
        format!("{check}{tails}measured in {}", numbers::latency(elapsed_s * 1e9))
    }

    /// The ignored difference, if it is more than the gate allows anyway.
    pub(crate) fn ignored(self) -> Option<String> {
        let ignored = self.record.ignored_beyond_gate()?;
        let decided = if ignored.decided { ", which decided" } else { "" };
        Some(format!(
            "a difference of less than {} per call counts as none: {} of {}{decided}",
            numbers::written_time(ignored.below_ns),
            numbers::percent(ignored.share),
            numbers::latency(ignored.below_ns / ignored.share),
        ))
    }

    /// The slowdown that the change allows; `None` if the machine code is unchanged.
    pub(crate) fn allowed(self) -> Option<String> {
        self.record.gate.as_ref().filter(|_| !self.figures.same_code).and_then(phrase::allowed)
    }

    /// Returns whether it failed in rounds of the binary as linked.
    pub(crate) fn is_as_linked(self) -> bool {
        self.record.outcome_of_time() == Outcome::Fail
            && self.figures.rounds.is_some()
            && self.figures.layouts.is_none()
            && !self.record.is_same_code()
    }
}

/// The texts of the columns, except the verdict.
pub(crate) fn latency_cells(timing: &Timing) -> [String; 4] {
    let ns = timing.latency.ns;
    let IntervalRecord { level, low, high } = timing.latency.interval;
    let interval = low.zip(high).map(|(low, high)| {
        Unit::Percent.interval(IntervalRecord { level, low: Some(low / ns), high: Some(high / ns) })
    });
    [String::new(), numbers::latency(ns), String::new(), interval.unwrap_or_default()]
}

/// The latency of a typical call, with its interval and its source.
pub(crate) fn latency_summary(timing: &Timing) -> String {
    let latency = &timing.latency;
    let IntervalRecord { level, low, high } = latency.interval;
    let rounds = counted(latency.rounds, "round");
    let mut summary = format!("{} per call in {rounds}", numbers::latency(latency.ns));
    if let (Some(low), Some(high)) = (low, high) {
        let [low, high] = [low, high].map(numbers::latency);
        summary += &format!(", {} interval {low} to {high}", numbers::share(level));
    }
    if let Some(linked) = latency.linked {
        summary += &format!(", {} as linked", numbers::latency(linked));
    }
    summary
}

/// The lines below a row.
pub(crate) fn latency_lines(record: &PairRecord) -> Vec<String> {
    let Some(timing) = record.timing() else { return Vec::new() };
    let Timing { slots: SlotsRecord { clock, candidate, elapsed_s, .. }, allocations, .. } = timing;
    let mut lines = vec![latency_summary(timing)];
    if let Some(AllocationsOfOne { candidate, .. }) = allocations
        && candidate.most_calls > 0
    {
        lines.push(format!("per call: {}", in_a_call(candidate)));
    }
    let [min, p5, p95, p99, max] =
        [candidate.min, candidate.p5, candidate.p95, candidate.p99, candidate.max].map(numbers::latency);
    lines.push(format!(
        "{} slots ({} clock): min {min}, p5 {p5}, p95 {p95}, p99 {p99}, max {max}; measured in {}",
        candidate.n,
        clock.name(),
        numbers::latency(elapsed_s * 1e9)
    ));
    lines
}

#[cfg(test)]
mod tests {
    use bench_diff_core::Gate;

    use super::*;
    use crate::fixture::{entry, judged, planned, verdict};
    use crate::record::{GateRecord, RoundsRecord};
    use crate::tests::summary;
    use crate::text::explain;
    use crate::text::phrase::tests::gate;

    fn text(record: &PairRecord) -> PairText<'_> {
        PairText::of(record).unwrap()
    }

    #[test]
    fn what_is_ignored_is_a_share_of_the_baseline() {
        let pair = planned("", &[entry("a", 1)]).pairs.remove(0);
        let record = |below| judged(&pair, [21_000, 20_000], Some(below));
        let said = text(&record(5_000.0)).ignored().unwrap();
        let (start, end) =
            ("a difference of less than 5 us per call counts as none: 24.", " us, which decided");
        assert!(said.starts_with(start) && said.contains(" % of 20.") && said.ends_with(end), "{said}");
        assert_eq!(text(&record(100.0)).ignored(), None, "the gate allows more");
    }

    /// Five rounds, of which one was disturbed.
    fn in_rounds(disturbed: f64, gate: Option<GateRecord>, outcome: Outcome) -> PairRecord {
        let contrasts = vec![0.0004, -0.0002, disturbed, 0.0006, 0.0001];
        let ends = [f64::min(disturbed, -0.0002), f64::max(disturbed, 0.0006)].map(|end| Some(end.exp()));
        let figures = Figures {
            verdict: verdict(outcome),
            ratio: 1.0002,
            interval: IntervalRecord { level: 0.9, low: ends[0], high: ends[1] },
            rounds: Some(RoundsRecord { n: 5, spread: 0.0004, t: None, df: 4, p: None, contrasts }),
            ..Figures::default()
        };
        PairRecord { gate, ..figures.into() }
    }

    #[test]
    fn a_disturbed_round_is_no_end_of_the_interval_beside_a_verdict_on_the_other_end() {
        let slowdown = || Some(gate(Gate::MaxSlowdown(0.02)));
        let shown = |disturbed, gate, outcome| text(&in_rounds(disturbed, gate, outcome)).interval();
        assert_eq!(shown(-1.27, slowdown(), Outcome::Pass), "below +0.06 %");
        assert_eq!(shown(-0.02, slowdown(), Outcome::Pass), "[-2.0, +0.06] %", "not far");
        assert_eq!(shown(0.2, slowdown(), Outcome::Fail), "above -0.02 %");
        for (gate, outcome) in [
            (slowdown(), Outcome::Inconclusive),
            (None, Outcome::Measured),
            (Some(gate(Gate::MaxDifference(0.02))), Outcome::Pass),
        ] {
            assert_eq!(shown(-1.27, gate, outcome), "[-71.9, +0.06] %");
        }
    }

    #[test]
    fn what_would_be_found_is_told_of_what_did_not_fail() {
        let power = |mde, outcome| {
            let record = in_rounds(0.0, Some(gate(Gate::MaxSlowdown(0.02))), outcome);
            text(&record.with(|figures| figures.mde = Some(mde))).power()
        };
        assert_eq!(power(0.013, Outcome::Pass).unwrap(), "would find 1.3 % slower");
        assert_eq!(power(5.56, Outcome::Inconclusive).unwrap(), "might not find 3.0 % slower");
        assert_eq!(power(0.013, Outcome::Fail), None);
    }

    #[test]
    fn the_work_of_a_call_by_its_latency() {
        let shown = |bytes, items| {
            let (candidate, baseline) = (summary(1000.0), summary(2000.0));
            let slots = SlotsRecord { bytes, items, candidate, ..SlotsRecord::default() };
            let figures = Figures { slots, ratio: 0.5, baseline, ..Figures::default() };
            explain::throughput(&figures.into())
        };
        assert_eq!(shown(Some(1240), None).unwrap(), "throughput: 1.24 GB/s against 620 MB/s");
        assert_eq!(shown(None, Some(1)).unwrap(), "throughput: 1.00 M items/s against 500 k items/s");
        assert_eq!(
            shown(Some(4096), Some(512)).unwrap(),
            "throughput: 4.10 GB/s against 2.05 GB/s, 512 M items/s against 256 M items/s"
        );
        assert_eq!(shown(None, None), None);
    }
}
