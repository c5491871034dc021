//! What proves a verdict and what else was found: tests, duos, allocations.

use bench_diff_core::stats::t_upper_tail;
use bench_diff_system::text::counted;

use crate::record::{
    AllocationsRecord, Figures, FunctionAllocations, GateRecord, IntervalRecord, Outcome, RoundsRecord,
    SlotsRecord, WelchRecord, in_a_call,
};
use crate::text::pair::PairText;
use crate::text::{numbers, phrase};

impl PairText<'_> {
    /// Student's t-test over the rounds.
    fn over_rounds(self) -> Option<String> {
        let RoundsRecord { t: Some(t), df, .. } = *self.figures.rounds.as_ref()? else { return None };
        let p = 2.0 * t_upper_tail(t.abs(), df as f64);
        let unit = self.unit();
        let text = format!("t over {unit}s {t:.1}, df {df}, two-sided p {}", numbers::p_value(p));
        self.agrees(t, p).then_some(text)
    }

    /// Welch's test of the slots.
    fn welch(self) -> Option<String> {
        let WelchRecord { t, df, p_two_sided, nominal, .. } = self.figures.welch;
        let (t, df, p) = (t?, df?, p_two_sided?);
        let nominal_only = if nominal { " if slots were independent" } else { "" };
        let p_value = numbers::p_value(p);
        let text = format!("Welch's t over slots {t:.1}, df {df:.1}, two-sided p {p_value}{nominal_only}");
        (!nominal || self.agrees(t, p)).then_some(text)
    }

    /// Returns whether a test has the sign of the ratio, and is significant if the interval is.
    fn agrees(self, t: f64, p: f64) -> bool {
        let IntervalRecord { level, low, high } = self.figures.interval;
        let is_clear = low.is_some_and(|low| low > 1.0) || high.is_some_and(|high| high < 1.0);
        t.is_sign_positive() == (self.figures.ratio >= 1.0) && (p <= 1.0 - level) == is_clear
    }

    /// The line below a row: the proof, the duos and the effect that they can find, the figures of the t-test
    /// over rounds and of Welch's test.
    ///
    /// It only shows a test that agrees with the row. Other tests take means, which a few disturbed rounds or
    /// slots move, and decide nothing; records have them.
    pub(crate) fn proof(self) -> String {
        let Figures { rounds, slots: SlotsRecord { duos, clock, .. }, .. } = self.figures;
        let mut parts = Vec::new();
        let is_same_code = self.figures.same_code;
        let gate = self.record.gate.as_ref().filter(|_| !is_same_code);
        parts.extend(gate.and_then(|gate| proof(self.record.outcome_of_time(), gate)));
        let rounds = rounds.as_ref().map(|rounds| format!(" in {}", counted(rounds.n, self.unit())));
        let rounds = rounds.unwrap_or_default();
        let power = self.power().map(|power| format!(", which {power}")).unwrap_or_default();
        let duos = counted(*duos, "duo");
        parts.push(format!("{duos}{rounds} ({} clock){power}", clock.name()));
        if !is_same_code {
            parts.extend(self.over_rounds());
            parts.extend(self.welch());
        }
        parts.join("; ")
    }
}

/// Rounds that spread by more than this leave small changes open.
const WIDE: f64 = 0.03;

/// Fewer rounds say little about what makes them differ.
const FEWEST: usize = 20;

impl PairText<'_> {
    /// The spread of rounds, if it is wide, and what makes most of it.
    pub(crate) fn spread(self) -> Option<String> {
        let RoundsRecord { n, spread, .. } = *self.figures.rounds.as_ref()?;
        let share = self.figures.layouts.as_ref()?.share_of_order()?;
        let cause = if share > 0.5 { "on the order of functions" } else { "on each process" };
        (n >= FEWEST && spread > WIDE).then(|| {
            format!(
                "spread:   {} from round to round, which depends mostly {cause}",
                numbers::percent(spread)
            )
        })
    }
}

/// What an outcome proves.
fn proof(outcome: Outcome, gate: &GateRecord) -> Option<String> {
    let [fail, pass] = phrase::claims(gate);
    let proven = |claim: &str, rate| format!("proves {claim}, error <= {}", numbers::small_share(rate));
    match outcome {
        Outcome::Fail => Some(proven(&fail, gate.alpha)),
        Outcome::Pass => Some(proven(&pass, gate.beta)),
        Outcome::Inconclusive => Some(format!("proves neither {fail} nor {pass}")),
        Outcome::Error | Outcome::Ignored | Outcome::Measured => None,
    }
}

/// The name of the gate on allocations.
pub(crate) const GATE: &str = "max_allocations";

impl PairText<'_> {
    /// The allocations of a call of both functions; `None` if there are none and no gate on them.
    pub(crate) fn allocations(self) -> Option<String> {
        let AllocationsRecord { candidate, baseline, max, .. } = self.figures.allocations.as_ref()?;
        if max.is_none() && candidate.most_calls == 0 && baseline.most_calls == 0 {
            return None;
        }
        let [candidate, baseline] = [candidate, baseline].map(in_a_call_and_at_once);
        Some(format!("per call: {candidate}, against {baseline}"))
    }

    /// The limit on allocations, if the pair exceeds it.
    pub(crate) fn limit_of_allocations(self) -> Option<String> {
        let allocations = self.figures.allocations.as_ref()?;
        let max = numbers::share(allocations.max.filter(|_| allocations.complaint().is_some())?);
        Some(format!("limit:    +{max} allocations and bytes over {} ({GATE})", self.record.baseline_name()))
    }

    /// The note on a limit on allocations that vary from call to call.
    pub(crate) fn varying_allocations(self) -> Option<String> {
        self.figures.allocations.as_ref().filter(|allocations| allocations.max.is_some())?.note()
    }
}

/// The allocations of a call, and the most that it holds at once.
fn in_a_call_and_at_once(function: &FunctionAllocations) -> String {
    let at_once = if function.peak == 0 { String::new() } else { format!(", {} B at once", function.peak) };
    in_a_call(function) + &at_once
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{LayoutsRecord, PairRecord};

    fn tested(ratio: f64, [low, high]: [f64; 2], t: f64) -> PairRecord {
        let figures = Figures {
            slots: SlotsRecord { duos: 40, ..SlotsRecord::default() },
            ratio,
            interval: IntervalRecord { level: 0.9, low: Some(low), high: Some(high) },
            rounds: Some(RoundsRecord { n: 5, spread: 0.0, t: Some(t), df: 4, p: None, contrasts: vec![] }),
            welch: WelchRecord {
                t: Some(t),
                df: Some(30.0),
                p: None,
                p_two_sided: Some(if t.abs() > 3.0 { 0.005 } else { 0.5 }),
                nominal: true,
            },
            ..Figures::default()
        };
        figures.into()
    }

    #[test]
    fn a_wide_spread_has_its_cause() {
        let record = tested(1.03, [1.02, 1.04], 9.0);
        let shown = |rounds: usize, spread: f64, of_round: fn(f64) -> [f64; 2]| {
            let programs = (0..rounds).map(|round| of_round((round % 2) as f64).to_vec()).collect();
            let record = record.clone().with(|figures| {
                figures.rounds = Some(RoundsRecord { n: rounds, spread, ..figures.rounds.clone().unwrap() });
                figures.layouts = Some(LayoutsRecord { programs, ..LayoutsRecord::default() });
            });
            PairText::of(&record).unwrap().spread()
        };
        let line =
            |cause: &str| format!("spread:   6.8 % from round to round, which depends mostly on {cause}");
        assert_eq!(shown(20, 0.068, |it| [it, it + 0.1]), Some(line("the order of functions")));
        assert_eq!(shown(20, 0.068, |it| [it, 1.0 - it]), Some(line("each process")));
        assert_eq!(shown(19, 0.068, |it| [it, it + 0.1]), None);
        assert_eq!(shown(20, 0.029, |it| [it, it + 0.1]), None);
    }

    #[test]
    fn a_test_that_says_otherwise_than_the_row_is_left_out() {
        let shown = |record: &PairRecord| PairText::of(record).unwrap().proof();
        let both = "; t over rounds 9.0, df 4, two-sided p 8e-4; Welch's t over slots 9.0, df 30.0, two-sided p 0.005 if \
                slots were independent";
        let slower = tested(1.03, [1.02, 1.04], 9.0);
        assert_eq!(shown(&slower), format!("40 duos in 5 rounds (wall clock){both}"));
        for record in [
            tested(1.03, [1.02, 1.04], -9.0),
            tested(1.03, [1.02, 1.04], 0.5),
            tested(1.001, [0.99, 1.01], 9.0),
            tested(1.0, [1.0, 1.0], 0.5).with(|figures| figures.same_code = true),
        ] {
            assert_eq!(shown(&record), "40 duos in 5 rounds (wall clock)");
        }
        let equal = shown(&tested(0.999, [0.99, 1.01], -0.5));
        assert!(equal.contains("t over rounds -0.5, df 4, two-sided p 0.64"), "{equal}");
        // The test that decided is shown in any case.
        let welch = WelchRecord { t: Some(-9.0), nominal: false, ..slower.of().welch };
        assert!(
            shown(&slower.with(|figures| figures.welch = welch))
                .ends_with("; Welch's t over slots -9.0, df 30.0, two-sided p 0.005")
        );
    }
}
