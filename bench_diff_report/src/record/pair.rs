//! The record of a pair: its name, place and limit, which the plan gives, and its result.

use std::sync::Arc;

use bench_diff_core::{ClockKind, JudgeKind, Verdict};

use super::{
    AllocationsRecord, Check, Differs, Doubt, FunctionAllocations, GateRecord, IgnoredRecord, IntervalRecord,
    LayoutsRecord, OverheadRecord, RoundsRecord, SummaryRecord, WelchRecord,
};

/// The advice of a pair whose older self has no counts.
pub(super) const NO_COUNTS_IN_OLD: &str =
    "`max_allocations` is not checked: the old revision has no allocator that counts";

/// One pair, and how it ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairRecord {
    /// The package of the bench.
    pub package: String,
    /// The name of the bench.
    pub bench: String,
    /// The name of the pair.
    pub name: String,
    /// The source file of the candidate, relative to the root of the workspace.
    pub file: String,
    /// The line of the attribute, from 1.
    pub line: u32,
    /// The baseline that the pair shares with others of the run, if there are any.
    pub group: Option<String>,
    /// The path of the baseline, or with `--against` the name of the old revision. `None` if the function has
    /// neither.
    pub against: Option<String>,
    /// The judge of the pair.
    pub judge: JudgeKind,
    /// The gate; `None` if nothing is judged.
    pub gate: Option<GateRecord>,
    /// `None` if every difference counts.
    pub ignored: Option<IgnoredRecord>,
    /// The seed of the run.
    pub seed: String,
    /// The notes that explain figures.
    pub notes: Vec<String>,
    /// The command that measures this pair again with the same coin.
    pub repeat: String,
    /// The id of the nextest run whose process measured it, if any.
    pub nextest_run_id: Option<String>,
    /// The end of the pair, with its figures if it has any.
    pub end: End,
}

/// The end of a pair. In JSON, its fields are among those of the pair.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// It was not to be measured, or not to be compared.
    Ignored {
        /// The reason, if there is one.
        reason: Option<String>,
        /// True if the function fails in the old revision alone, so there is nothing to compare with.
        fails_in_old: bool,
    },
    /// It could not be measured, or there can be no verdict.
    Error {
        /// The reason.
        reason: String,
        /// The output while it was measured.
        output: Option<String>,
    },
    /// The time for the run was over before it was measured.
    Unmeasured {
        /// True if both functions are proven to have identical machine code.
        same_code: bool,
    },
    /// Shared by all reports, rarely changed.
    Measured(Arc<Figures>),
    /// A function without a baseline.
    Timed(Box<Timing>),
}

/// The measurement of a pair, and its proofs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The verdict on its times; `None` if nothing is judged.
    pub verdict: Option<Verdict>,
    /// The reason if the judge reaches no verdict, or the run has no verdicts. All others follow from the
    /// figures.
    pub reason: Option<String>,
    /// The result of the check before the measurement.
    pub check: Option<Check>,
    /// The latency of the candidate over that of the baseline: above 1 is slower.
    pub ratio: f64,
    /// The interval of the ratio.
    pub interval: IntervalRecord,
    /// `None` if the duos of one process decided.
    pub rounds: Option<RoundsRecord>,
    /// The figures of random layouts; `None` if the rounds are those of the binary as linked.
    pub layouts: Option<LayoutsRecord>,
    /// True if both functions have identical machine code, so that their ratio is 1 by proof.
    pub same_code: bool,
    /// The first difference in machine code, if bench_diff looked for one.
    pub differs: Option<Differs>,
    /// The reason to report a slowdown as inconclusive, if there is one.
    pub doubt: Option<Doubt>,
    /// The p-value of a failure, which is compared with alpha.
    pub p_fail: Option<f64>,
    /// The p-value of a pass, which is compared with beta.
    pub p_pass: Option<f64>,
    /// The smallest slowdown that would fail in 95 % of such runs.
    pub mde: Option<f64>,
    /// What was measured, with the latencies of the candidate.
    pub slots: SlotsRecord,
    /// Welch's t-test of the slots.
    pub welch: WelchRecord,
    /// The share of overhead; `None` if it could not be measured.
    pub overhead: Option<OverheadRecord>,
    /// The latencies of the baseline.
    pub baseline: SummaryRecord,
    /// `None` if nothing counted them.
    pub allocations: Option<AllocationsRecord>,
}

/// What the slots of a pair, or of a function without a baseline, say by themselves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlotsRecord {
    /// The number of counted duos. Without a baseline, each is four slots of the function.
    pub duos: usize,
    /// The calls of a slot.
    pub iterations: u64,
    /// The clock of the slots.
    pub clock: ClockKind,
    /// The time that measuring took, in seconds.
    pub elapsed_s: f64,
    /// The bytes of one call, if the attribute gives them.
    pub bytes: Option<u64>,
    /// The items of one call, if the attribute gives them.
    pub items: Option<u64>,
    /// The latencies of the candidate, or of the only function.
    pub candidate: SummaryRecord,
    /// Notes that ask a reader to change something.
    pub advice: Vec<String>,
}

impl PairRecord {
    /// The figures, if it was compared.
    pub fn figures(&self) -> Option<&Figures> {
        if let End::Measured(figures) = &self.end { Some(figures) } else { None }
    }

    /// The measurement, if this is a function without a baseline.
    pub fn timing(&self) -> Option<&Timing> {
        if let End::Timed(timing) = &self.end { Some(timing) } else { None }
    }

    /// What its slots say, if it was measured.
    pub(crate) fn slots(&self) -> Option<&SlotsRecord> {
        match &self.end {
            End::Measured(figures) => Some(&figures.slots),
            End::Timed(timing) => Some(&timing.slots),
            End::Ignored { .. } | End::Error { .. } | End::Unmeasured { .. } => None,
        }
    }

    /// Changes its figures, if it has any.
    pub(crate) fn with(mut self, change: impl FnOnce(&mut Figures)) -> Self {
        if let End::Measured(figures) = &mut self.end {
            change(Arc::make_mut(figures));
        }
        self
    }

    /// The advice to change something about the benchmark or its machine.
    pub fn advice(&self) -> &[String] {
        self.slots().map_or(&[], |slots| &slots.advice)
    }

    /// What was asked of it and could not be checked, whatever the verdict on its time.
    pub(crate) fn unchecked(&self) -> Option<&String> {
        self.advice().iter().find(|advice| *advice == NO_COUNTS_IN_OLD)
    }

    /// The time that it took to measure it.
    pub(crate) fn elapsed_s(&self) -> f64 {
        self.slots().map_or(0.0, |slots| slots.elapsed_s)
    }
}

impl Default for End {
    fn default() -> Self {
        Self::Ignored { reason: None, fails_in_old: false }
    }
}

/// A function that was measured by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// The time of a typical call.
    pub latency: LatencyRecord,
    /// What was measured, with the latencies of all slots.
    pub slots: SlotsRecord,
    /// `None` if nothing counted them.
    pub allocations: Option<AllocationsOfOne>,
}

/// The latency of a typical call, in nanoseconds: the median over the rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, miniserde::Serialize)]
pub struct LatencyRecord {
    /// The time.
    pub ns: f64,
    /// The interval of the time.
    pub interval: IntervalRecord,
    /// The number of rounds.
    pub rounds: usize,
    /// In the binary as linked, from one round, if the rounds that count ran in random layouts.
    pub linked: Option<f64>,
}

/// The allocations of the counted calls of a function.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Serialize)]
pub struct AllocationsOfOne {
    /// The calls that were counted.
    pub counted: usize,
    /// The allocations of the function.
    pub candidate: FunctionAllocations,
}
