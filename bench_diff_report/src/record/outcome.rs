//! The outcome of a pair, the reason for it, and the doubts that make a slowdown inconclusive.

use std::sync::Arc;

use bench_diff_core::Verdict;
use bench_diff_system::exit::Exit;
use bench_diff_system::words;

use super::{AllocationsRecord, End, IgnoredRecord, PairRecord};

words! {
    /// The outcome of a pair.
    #[derive(Default)]
    pub enum Outcome {
        /// It is proven to keep its gate.
        Pass = "pass",
        /// It is proven to break its gate.
        Fail = "fail",
        /// Neither is proven.
        Inconclusive = "inconclusive",
        /// It could not be measured or judged.
        #[default]
        Error = "error",
        /// It was not measured, or not compared, on purpose.
        Ignored = "ignored",
        /// Measured, and deliberately not judged.
        Measured = "measured",
    }
}

impl Outcome {
    /// The outcomes that need attention, in the order in which the end of a run lists them.
    pub(crate) const SHOWN_AT_THE_END: [Self; 3] = [Self::Fail, Self::Inconclusive, Self::Error];

    /// Its word in tables.
    pub(crate) fn shown(self) -> &'static str {
        match self {
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
            Self::Pass | Self::Inconclusive | Self::Ignored | Self::Measured => self.name(),
        }
    }

    /// The outcome as the end of a sentence.
    pub(crate) fn predicate(self) -> &'static str {
        match self {
            Self::Pass => "passed",
            Self::Fail => "failed",
            Self::Inconclusive => "is inconclusive",
            Self::Error => "could not be measured",
            Self::Ignored => "is ignored",
            Self::Measured => "was measured",
        }
    }

    /// Returns whether it needs attention.
    pub(crate) fn is_shown_at_the_end(self) -> bool {
        Self::SHOWN_AT_THE_END.contains(&self)
    }

    /// The exit of a run with such a pair.
    pub fn exit(self, strict: bool) -> Exit {
        match self {
            Self::Pass | Self::Ignored | Self::Measured => Exit::Success,
            Self::Inconclusive if !strict => Exit::Success,
            Self::Inconclusive | Self::Fail => Exit::Failure,
            Self::Error => Exit::Error,
        }
    }
}

/// The gate that a pair failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailedGate {
    /// Its typical call.
    Ratio,
    /// The allocations of its calls, but not their time.
    Allocations,
}

impl PairRecord {
    /// The outcome of the pair. Too many allocations decide it, whatever its times prove, unless the old
    /// benchmark may do other work.
    pub fn outcome(&self) -> Outcome {
        let may_do_other_work = self.doubt().is_some_and(|doubt| doubt.kind == DoubtKind::OtherWork);
        match self.complaint_of_allocations() {
            None => self.outcome_of_time(),
            Some(_) if may_do_other_work => Outcome::Inconclusive,
            Some(_) => Outcome::Fail,
        }
    }

    /// The outcome by time alone.
    pub fn outcome_of_time(&self) -> Outcome {
        match &self.end {
            End::Ignored { .. } => Outcome::Ignored,
            End::Error { .. } => Outcome::Error,
            End::Unmeasured { .. } if self.gate.is_none() => Outcome::Ignored,
            End::Unmeasured { same_code: true } => Outcome::Pass,
            End::Unmeasured { same_code: false } => Outcome::Inconclusive,
            End::Timed(_) => Outcome::Measured,
            End::Measured(figures) => match figures.verdict {
                None => Outcome::Measured,
                Some(Verdict::Pass) => Outcome::Pass,
                Some(Verdict::Fail) if figures.doubt.is_none() || figures.same_code => Outcome::Fail,
                Some(Verdict::Fail | Verdict::Inconclusive) => Outcome::Inconclusive,
            },
        }
    }

    /// The reason for the outcome, if there is something to say.
    pub fn reason(&self) -> Option<String> {
        match &self.end {
            End::Ignored { reason, .. } => reason.clone(),
            End::Error { reason, .. } => Some(reason.clone()),
            End::Unmeasured { same_code: true } => {
                Some(format!("{SPENT}: it was not called, and is the same code"))
            }
            End::Unmeasured { same_code: false } => Some(format!("{SPENT}: it was not measured yet")),
            End::Measured(figures) => {
                let of_allocations = self.complaint_of_allocations();
                let of_doubt = self.reason_of_doubt(of_allocations.is_some());
                let all = [of_allocations, of_doubt, figures.reason.clone()];
                let all = Vec::from_iter(all.into_iter().flatten());
                (!all.is_empty()).then(|| all.join("\n"))
            }
            End::Timed(_) => None,
        }
    }

    /// The reason why it does not fail, if only a doubt keeps it from that.
    fn reason_of_doubt(&self, breaks_allocations: bool) -> Option<String> {
        let would_fail = breaks_allocations || self.is_proven_slower();
        let doubt = self.doubt().filter(|_| would_fail && self.outcome() == Outcome::Inconclusive);
        doubt.map(Doubt::reason)
    }

    /// The name of the baseline in texts: its path, or with `--against` the old revision.
    pub(crate) fn baseline_name(&self) -> &str {
        self.against.as_deref().unwrap_or("the baseline")
    }

    /// The output of the function while it was measured, if that ended in an error.
    pub(crate) fn output(&self) -> Option<&str> {
        if let End::Error { output, .. } = &self.end { output.as_deref() } else { None }
    }

    /// The gate that the pair failed, if it did.
    pub fn failed_gate(&self) -> Option<FailedGate> {
        (self.outcome() == Outcome::Fail).then(|| match self.outcome_of_time() {
            Outcome::Fail => FailedGate::Ratio,
            _ => FailedGate::Allocations,
        })
    }

    /// Returns whether both functions have identical machine code, so that their ratio is 1 at any address.
    pub(crate) fn is_same_code(&self) -> bool {
        match &self.end {
            End::Measured(figures) => figures.same_code,
            End::Unmeasured { same_code } => *same_code,
            End::Ignored { .. } | End::Error { .. } | End::Timed(_) => false,
        }
    }

    /// Returns whether its times prove a failure, whatever becomes of that.
    fn is_proven_slower(&self) -> bool {
        self.figures().is_some_and(|figures| figures.verdict == Some(Verdict::Fail))
    }

    /// The complaint if the candidate allocates more than the gate allows.
    fn complaint_of_allocations(&self) -> Option<String> {
        let figures = self.figures().filter(|figures| figures.verdict.is_some())?;
        figures.allocations?.complaint()
    }

    /// The ignored difference, if it is more than the gate allows anyway.
    pub(crate) fn ignored_beyond_gate(&self) -> Option<IgnoredRecord> {
        let gate = self.gate.as_ref()?;
        self.ignored.filter(|_| gate.zone(self.ignored) != gate.zone(None))
    }

    /// Returns whether it passes because of the ignored difference.
    pub(crate) fn passes_by_ignoring(&self) -> bool {
        self.outcome() == Outcome::Pass && self.ignored.is_some_and(|ignored| ignored.decided)
    }

    /// Returns whether it passes although it exceeds its own limit, since the change allows that.
    pub fn passes_by_allowance(&self) -> bool {
        let limit = self.gate.as_ref().filter(|gate| gate.allowed.is_some()).map(|gate| 1.0 + gate.margin);
        let ratio = self.figures().map(|figures| figures.ratio);
        self.outcome() == Outcome::Pass && ratio.zip(limit).is_some_and(|(ratio, limit)| ratio > limit)
    }

    /// Reports a slowdown as inconclusive for this reason, if there is one.
    pub fn doubted(self, doubt: Option<Doubt>) -> Self {
        self.with(|figures| {
            // A verdict on the duos of one process is about that process, wherever its code is.
            let is_about = |doubt: &Doubt| figures.rounds.is_some() || doubt.kind != DoubtKind::Place;
            figures.doubt = doubt.filter(is_about);
        })
    }

    /// The doubt about a slowdown of it, whether or not it is slower.
    pub fn doubt(&self) -> Option<&Doubt> {
        self.figures()?.doubt.as_ref()
    }

    /// The pair as a CI job reports it. If only code placement keeps it from failing, it becomes an error.
    /// Otherwise the job would pass, and few people open the report of a job that passed.
    pub fn in_ci(self) -> Result<Self, String> {
        let is_saved = self.outcome() == Outcome::Inconclusive && self.is_proven_slower();
        let is_by_place = self.doubt().is_some_and(|doubt| doubt.kind == DoubtKind::Place);
        if !is_saved || !is_by_place {
            return Ok(self);
        }
        let ratio = self.figures().map_or(1.0, |figures| figures.ratio);
        let reason = self.reason().unwrap_or_default();
        Err(format!(
            "ratio {ratio:.4}, which fails as linked; {reason}; with CI set, this is reported as an error; \
             `--layouts linked` accepts the verdict on the binary as it is"
        ))
    }

    /// Says that the time for the run was over before it was decided.
    pub fn over_budget(mut self) -> Self {
        let is_open = self.outcome() == Outcome::Inconclusive;
        match &mut self.end {
            End::Measured(figures) if is_open => {
                let figures = Arc::make_mut(figures);
                let others = figures.reason.take().map(|reason| format!("\n{reason}"));
                figures.reason = Some(SPENT.to_owned() + &others.unwrap_or_default());
            }
            End::Measured(figures) => Arc::make_mut(figures).slots.advice.push(SPENT.to_owned()),
            End::Timed(timing) => timing.slots.advice.push(SPENT.to_owned()),
            End::Ignored { .. } | End::Error { .. } | End::Unmeasured { .. } => {}
        }
        self
    }

    /// Adds the allocations of its calls.
    pub(crate) fn with_allocations(mut self, allocations: Option<AllocationsRecord>) -> Self {
        let note = allocations.as_ref().and_then(AllocationsRecord::note);
        self.notes.extend(note.filter(|note| !self.notes.contains(note)));
        self.with(|figures| figures.allocations = allocations)
    }
}

words! {
    /// The kind of a doubt about a slowdown.
    pub enum DoubtKind {
        /// Layouts were requested, but the verdict is about the binary as linked, so code placement could be
        /// the cause.
        Place = "place",
        /// The benchmarks of the old revision may do other work.
        OtherWork = "other_work",
        /// It passes if each crate is one codegen unit.
        Units = "units",
    }
}

/// A doubt about a slowdown.
#[derive(Clone, Debug, PartialEq, Eq, miniserde::Serialize)]
pub struct Doubt {
    /// The kind of the reason.
    pub kind: DoubtKind,
    /// The reason, as people read it.
    pub why: String,
}

impl Doubt {
    /// A doubt for this reason.
    pub fn new(kind: DoubtKind, why: &str) -> Self {
        Self { kind, why: why.to_owned() }
    }

    /// The doubt about a pair that passes if each crate is one codegen unit.
    pub fn of_units() -> Self {
        Self::new(DoubtKind::Units, AS_BUILT)
    }

    /// The reason for the outcome of a pair that would otherwise have failed.
    pub(super) fn reason(&self) -> String {
        let start = if self.kind == DoubtKind::Place { "code placement could be the cause: " } else { "" };
        format!("{start}{}", self.why)
    }
}

const SPENT: &str = "the budget is spent";

const AS_BUILT: &str = "your users get slower code, but not because of its source: the change made the compiler divide a \
    crate differently, so it inlined unchanged code differently. Compiled as one codegen unit for each crate, it passes; \
    `codegen-units = 1` in the profile on both sides prevents this";
