//! The run: it takes a plan and emits events.
//!
//! Rounds follow each other until every pair is decided. In each round, child processes measure every open
//! pair once: four processes in four layouts, or one process of the binary as linked. The run itself plans,
//! judges and reports, and measures nothing.

mod child;
mod fault;
#[cfg(test)]
pub(crate) mod here;
mod inbox;
mod list;
mod one_pair;
mod open;
mod output;
mod parent;
mod process;
mod protocol;
mod raw;
mod search;
pub(crate) mod smoke;
mod started;
#[cfg(test)]
mod tests;
mod turns;

use std::collections::BTreeSet;
use std::mem;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bench_diff_report::record::{
    Check, Doubt, End, Event, FailedGate, FinishedPair, Machine, Outcome, RunRecord,
};
use bench_diff_system::exit::Exit;
use bench_diff_system::stderr;
use bench_diff_system::text::{counted, few};

pub(crate) use self::child::{answer, try_out};
pub(crate) use self::list::{Functions, functions_of, list};
use self::one_pair::Finding;
pub(crate) use self::one_pair::Task;
use self::open::OpenPair;
pub(crate) use self::parent::Children;
pub(crate) use self::started::{FLAG, Side};
use crate::plan::{PairKey, PairPlan, RunPlan};
use crate::recorded;

/// Processes that measure pairs.
pub(crate) trait Processes {
    /// Measures each of these pairs in the processes of a round, in this order, and passes every message to
    /// `receive`, until that breaks. Processes that answer nothing end after the time that is left.
    fn round(
        &mut self,
        pairs: &[RoundPair<'_>],
        left: Option<Duration>,
        receive: Receive<'_>,
    ) -> ControlFlow<()>;
}

/// A pair that takes part in a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundPair<'a> {
    /// Its index among the pairs of the run.
    pub(crate) index: usize,
    pub(crate) pair: &'a PairPlan,
    /// Its key in the binary that measures it, the working tree's if there are two.
    pub(crate) key: PairKey,
    pub(crate) task: Task,
    /// The number of random layouts in which it is measured; 0 for the binary as linked.
    pub(crate) layouts: usize,
    /// True if both sides may let their heaps begin at the same line, because they left them alike.
    pub(crate) has_equal_heaps: bool,
}

impl<'a> RoundPair<'a> {
    /// The task of a pair in a process of the binary as linked.
    fn as_linked(index: usize, pair: &'a PairPlan, task: Task) -> Self {
        Self { index, pair, key: pair.listed.key, task, layouts: 0, has_equal_heaps: false }
    }
}

/// The receiver of messages about pairs.
pub(crate) type Receive<'a> = &'a mut dyn FnMut(Message) -> ControlFlow<()>;

/// A message about a pair, which is given by its index in the run.
pub(crate) enum Message {
    /// A process is measuring it, and that takes a while.
    Started(usize),
    /// The finding on it, or the reason why there is none.
    Found { index: usize, found: Box<Result<Finding, End>> },
}

/// Judges failed pairs again, with both sides built with one codegen unit per crate, and returns the new
/// outcome of each pair by its time. `None` if the compiler does not split crates, or there is one side.
pub(crate) type OneUnit<'a> = Option<&'a mut dyn FnMut(&[&PairPlan]) -> Result<Vec<Outcome>, String>>;

/// Measures the planned pairs round by round, and emits an event for everything that happens.
pub(crate) fn run(
    plan: &RunPlan,
    machine: &Machine,
    processes: &mut dyn Processes,
    one_unit: OneUnit<'_>,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let start = Instant::now();
    run_by(plan, machine, processes, one_unit, &|| start.elapsed(), emit)
}

/// The run, with a clock that has the time since its start.
fn run_by(
    plan: &RunPlan,
    machine: &Machine,
    processes: &mut dyn Processes,
    one_unit: OneUnit<'_>,
    elapsed: &dyn Fn() -> Duration,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let started = recorded::started(plan, machine);
    emit(&Event::RunStarted(&started));
    let mut run = Run {
        plan,
        emit,
        elapsed,
        one_unit,
        open: Vec::new(),
        doubted: Vec::new(),
        renamed: BTreeSet::new(),
        outcomes: Vec::with_capacity(plan.pairs.len()),
        settling: Duration::ZERO,
        over_budget: 0,
        has_unmeasured: false,
        allowed: 0,
        unchecked: 0,
    };
    let _ = run.all_rounds(processes);
    let Run { outcomes, over_budget, has_unmeasured, allowed, unchecked, .. } = run;
    if unchecked > 0 {
        stderr::note(format_args!(
            "the outputs of {} are not compared, since they have no `==` or no content: `check = path` names a \
             function that compares",
            counted(unchecked, "pair")
        ));
    }
    let mut record =
        RunRecord { over_budget, allowed, ..RunRecord::of(&started, &outcomes, elapsed().as_secs_f64()) };
    if let Some(side) = record.against.as_mut().filter(|_| has_unmeasured) {
        // With more time, something is compared.
        side.uncompared = None;
    }
    emit(&Event::RunFinished(&record));
    // A process of nextest runs only one pair; other processes compare the rest of the bench.
    let is_part = plan.config.surroundings.nextest_run.is_some() && !plan.elsewhere.is_empty();
    let uncompared = record.uncompared().map(|why| why.exit(plan.config.strict && !is_part));
    outcomes
        .iter()
        .map(|outcome| outcome.exit(plan.config.strict))
        .chain(uncompared)
        .max()
        .unwrap_or(Exit::Success)
}

/// The most pairs that are named in a line.
const NAMED: usize = 5;

/// Says which pairs have other names in the processes that call them.
fn note_renamed(plan: &RunPlan, renamed: &BTreeSet<usize>) {
    let names: Vec<String> =
        renamed.iter().map(|index| format!("`{}`", plan.pairs[*index].listed.name)).collect();
    stderr::note(format_args!(
        "bench_diff finds benchmarks whose names differ from process to process by their order: {}",
        few(&names, NAMED)
    ));
}

struct Run<'p, 't, 'u> {
    plan: &'p RunPlan,
    emit: &'t mut dyn FnMut(&Event<'_>),
    elapsed: &'t dyn Fn() -> Duration,
    one_unit: OneUnit<'u>,
    /// In the order of the plan.
    open: Vec<OpenPair<'p>>,
    /// The failures that are to be judged again with one codegen unit, by their index in the plan.
    doubted: Vec<(usize, FinishedPair)>,
    /// The pairs that have other names in the processes that measure them, by their index in the plan.
    renamed: BTreeSet<usize>,
    outcomes: Vec<Outcome>,
    /// The time spent on judging failures again, which does not count towards the budget.
    settling: Duration,
    /// The number of inconclusive outcomes that the budget ended.
    over_budget: usize,
    /// True if the budget ended before every pair was measured.
    has_unmeasured: bool,
    /// The number of passes beyond the limit, which the change allows.
    allowed: usize,
    /// How many pairs have outputs that cannot be compared.
    unchecked: usize,
}

impl Run<'_, '_, '_> {
    /// Breaks off if `--fail-fast` says so.
    fn all_rounds(&mut self, processes: &mut dyn Processes) -> ControlFlow<()> {
        for (index, pair) in self.plan.pairs.iter().enumerate() {
            let unmeasured = |end| FinishedPair::from(recorded::unmeasured(self.plan, pair, end));
            let decided = match (pair.ignored, &pair.unmeasurable) {
                (Some(reason), _) => {
                    let reason = Some(reason).filter(|reason| !reason.is_empty()).map(str::to_owned);
                    unmeasured(End::Ignored { reason, fails_in_old: false })
                }
                (None, Some(reason)) => unmeasured(End::Error { reason: reason.clone(), output: None }),
                (None, None) => {
                    self.open.push(OpenPair::new(self.plan, index, pair));
                    continue;
                }
            };
            self.finish(&decided)?;
        }
        if self.rounds(processes).is_break() {
            // Nothing more is measured, but earlier failures are still reported.
            self.one_unit = None;
        }
        self.settle_doubted()
    }

    /// Judges failures again, and finishes them.
    fn settle_doubted(&mut self) -> ControlFlow<()> {
        let mut doubted = mem::take(&mut self.doubted);
        if !doubted.is_empty() {
            let start = (self.elapsed)();
            self.judge_with_one_unit(&mut doubted);
            self.settling += (self.elapsed)() - start;
        }
        let mut flow = ControlFlow::Continue(());
        for (_, failed) in doubted {
            if self.finish(&failed).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        flow
    }

    /// Reports a failure as inconclusive if the pair passes with one codegen unit per crate. If that is
    /// undecided, it is still a failure. Neither way to split a crate is the true one, so a failure has to
    /// hold in both.
    fn judge_with_one_unit(&mut self, failed: &mut [(usize, FinishedPair)]) {
        let Some(judge) = &mut self.one_unit else { return };
        let pairs: Vec<&PairPlan> = failed.iter().map(|(index, _)| &self.plan.pairs[*index]).collect();
        let names: Vec<String> = pairs.iter().map(|pair| format!("`{}`", pair.listed.name)).collect();
        stderr::say(&format!(
            "building both sides with one codegen unit for each crate, since {} may be slower only because the compiler \
             split a crate differently",
            few(&names, NAMED)
        ));
        let outcomes = judge(&pairs).unwrap_or_else(|why| {
            stderr::note(format!(
                "a slowdown as built is a failure, since the bench cannot be measured with one codegen unit for each crate: {why}"
            ));
            Vec::new()
        });
        for ((_, FinishedPair { record, .. }), outcome) in failed.iter_mut().zip(outcomes) {
            let stands = match outcome {
                Outcome::Pass => {
                    *record = mem::take(record).doubted(Some(Doubt::of_units()));
                    continue;
                }
                Outcome::Fail => "fails with one codegen unit for each crate as well",
                Outcome::Inconclusive => {
                    "fails as built; with one codegen unit for each crate it is inconclusive"
                }
                Outcome::Error | Outcome::Ignored | Outcome::Measured => {
                    "fails as built, and could not be measured with one codegen unit for each crate"
                }
            };
            stderr::say(&format!("`{}` {stands}", record.name));
        }
    }

    /// Measures until all open pairs are decided, or the budget is spent.
    fn rounds(&mut self, processes: &mut dyn Processes) -> ControlFlow<()> {
        for number in 1.. {
            let pairs = open::next_round(&self.open, self.time_left());
            if pairs.is_empty() {
                break;
            }
            let (open, of, known) = (self.open.len(), self.plan.pairs.len(), self.renamed.len());
            let left = (number > 1).then(|| open::left(&self.open, self.time_left()));
            (self.emit)(&Event::RoundStarted { number, open, of, left, elapsed: (self.elapsed)() });
            let flow = processes.round(&pairs, self.time_left(), &mut |message| {
                match message {
                    Message::Started(index) => {
                        let (name, elapsed) = (&self.plan.pairs[index].listed.name, (self.elapsed)());
                        (self.emit)(&Event::PairStarted { name, elapsed });
                    }
                    Message::Found { index, found } => self.found(index, *found)?,
                }
                if self.has_time() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if self.renamed.len() > known {
                note_renamed(self.plan, &self.renamed);
            }
            if self.has_time() {
                flow?;
            }
            if self.plan.config.fail_fast {
                self.settle_doubted()?;
            }
        }
        for open in mem::take(&mut self.open) {
            let ended = open.over_budget(self.plan);
            self.over_budget += usize::from(ended.record.outcome() == Outcome::Inconclusive);
            self.has_unmeasured |= ended.record.end == End::Unmeasured { same_code: false };
            self.finish(&ended)?;
        }
        ControlFlow::Continue(())
    }

    /// What is left of the budget; `None` without one.
    fn time_left(&self) -> Option<Duration> {
        let spent = (self.elapsed)() - self.settling;
        self.plan.config.budget_of_run().map(|budget| budget.saturating_sub(spent))
    }

    fn has_time(&self) -> bool {
        self.time_left().is_none_or(|left| !left.is_zero())
    }

    fn found(&mut self, index: usize, found: Result<Finding, End>) -> ControlFlow<()> {
        let Some(place) = self.open.iter().position(|open| open.index == index) else {
            return ControlFlow::Continue(());
        };
        if found.as_ref().is_ok_and(|finding| finding.is_renamed) {
            self.renamed.insert(index);
        }
        let open = &mut self.open[place];
        let decided = found.and_then(|finding| {
            open.take(self.plan, finding).map_err(|reason| End::Error { reason, output: None })
        });
        let Some(decided) = decided.transpose() else { return ControlFlow::Continue(()) };
        let OpenPair { pair, .. } = self.open.remove(place);
        let decided = decided.unwrap_or_else(|end| recorded::unmeasured(self.plan, pair, end).into());
        if self.one_unit.is_some() && decided.record.failed_gate() == Some(FailedGate::Ratio) {
            self.doubted.push((index, decided));
            return ControlFlow::Continue(());
        }
        self.finish(&decided)
    }

    fn finish(&mut self, FinishedPair { record, rounds }: &FinishedPair) -> ControlFlow<()> {
        (self.emit)(&Event::PairFinished { record, rounds });
        self.outcomes.push(record.outcome());
        self.allowed += usize::from(record.passes_by_allowance());
        let is_unchecked = record.figures().is_some_and(|it| !it.same_code && it.check == Some(Check::None));
        self.unchecked += usize::from(is_unchecked && self.plan.against.is_none());
        let stops =
            self.plan.config.fail_fast && record.outcome().exit(self.plan.config.strict) != Exit::Success;
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
