//! The run: the plan in, events out.
//!
//! Rounds follow each other until every pair is decided. In each, processes of its own measure every pair
//! that is still open, once: four of four layouts, or one of the program as linked. This process plans,
//! judges and tells, and measures nothing.

mod child;
mod each_layout;
mod end;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
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
mod revisions;
mod side;
pub(crate) mod smoke;
mod started;
#[cfg(test)]
mod tests;
mod turns;

use std::mem;
use std::ops::ControlFlow;
use std::time::Instant;

pub(crate) use self::child::{answer, try_out};
use self::inbox::FindingResult;
pub(crate) use self::list::{Functions, functions_of, list};
pub(crate) use self::one_pair::{ANCHOR, Task};
use self::open::OpenPair;
pub(crate) use self::parent::{Children, Entries};
pub(crate) use self::revisions::Revisions;
pub(crate) use self::side::Side;
pub(crate) use self::started::FLAG;
use crate::machine::Machine;
use crate::plan::{PairPlan, RunPlan};
use crate::record::{
    BY_OTHERS, End, Event, FailedGate, FinishedPair, Outcome, PairRecord, RoundRecord, RunRecord, StartRecord,
};
use crate::system::exit::Exit;
use crate::system::stderr;

/// Processes that measure pairs.
pub(crate) trait Processes {
    /// Has each of these pairs measured by the processes of a round, in this order, and tells what each of
    /// them finds; to the end, or until who hears it breaks off.
    fn round(
        &mut self,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()>;

    /// Processes of a program that has no other pair.
    ///
    /// # Errors
    ///
    /// The reason that there are none.
    fn alone(&self, _pair: &PairPlan) -> Result<Box<dyn Processes + '_>, String> {
        Err("it has another side".to_owned())
    }
}

/// A pair that takes part in a round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// Its place among the pairs of the run.
    pub(crate) index: usize,
    pub(crate) pair: &'a PairPlan,
    pub(crate) task: Task,
    /// True if it is measured in layouts, and not in the program as linked.
    pub(crate) in_layout: bool,
}

/// A message about a process, for the pair in this place of the run.
pub(crate) enum Message {
    /// It is at work on it, and that takes a while.
    Started(usize),
    Found {
        index: usize,
        found: Box<FindingResult>,
        /// Its output, if that is needed to understand an error.
        output: Option<String>,
    },
    /// Nothing can be said of it, since the function with which it is compared fails: for this reason.
    Incomparable { index: usize, reason: String },
}

impl Message {
    /// The pair that is at its end with this.
    fn failed(&self) -> Option<usize> {
        match self {
            Self::Started(_) => None,
            Self::Found { index, found, .. } => found.is_err().then_some(*index),
            Self::Incomparable { index, .. } => Some(*index),
        }
    }

    /// A finding without any output.
    fn found(index: usize, found: FindingResult) -> Self {
        Self::Found { index, found: Box::new(found), output: None }
    }
}

/// Measures the planned pairs, round by round, and tells what happens.
pub(crate) fn run(
    plan: &RunPlan,
    machine: &Machine,
    processes: &mut dyn Processes,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let start = Instant::now();
    let started = StartRecord::of(plan, machine);
    emit(&Event::RunStarted(&started));
    let outcomes = Vec::with_capacity(plan.pairs.len());
    let mut run = Run { plan, emit, open: Vec::new(), doubted: Vec::new(), outcomes };
    let _ = run.all_rounds(processes);
    let outcomes = run.outcomes;
    let record = RunRecord::of(&started, &outcomes, start.elapsed().as_secs_f64());
    emit(&Event::RunFinished(&record));
    outcomes.iter().map(|outcome| outcome.exit(plan.strict)).max().unwrap_or(Exit::Success)
}

struct Run<'p, 't> {
    plan: &'p RunPlan,
    emit: &'t mut dyn FnMut(&Event<'_>),
    /// In the order of the plan.
    open: Vec<OpenPair<'p>>,
    /// The pairs whose failure other callers may explain, by their places in the plan.
    doubted: Vec<(usize, FinishedPair)>,
    outcomes: Vec<Outcome>,
}

impl Run<'_, '_> {
    /// Breaks off where `--fail-fast` says so.
    fn all_rounds(&mut self, processes: &mut dyn Processes) -> ControlFlow<()> {
        for (index, pair) in self.plan.pairs.iter().enumerate() {
            let unmeasured = |end| FinishedPair::from(PairRecord::unmeasured(self.plan, pair, end));
            let decided = match (pair.ignored, &pair.can_run) {
                (Some(reason), _) => {
                    let reason = Some(reason).filter(|reason| !reason.is_empty()).map(str::to_owned);
                    unmeasured(End::Ignored { reason })
                }
                (None, Err(reason)) => unmeasured(End::Error { reason: reason.clone(), output: None }),
                (None, Ok(_)) => {
                    self.open.push(OpenPair::new(self.plan, index, pair));
                    continue;
                }
            };
            self.finish(&decided)?;
        }
        self.rounds(processes)?;
        for (index, failed) in mem::take(&mut self.doubted) {
            let decided = self.measured_alone(&*processes, index, failed);
            self.finish(&decided)?;
        }
        ControlFlow::Continue(())
    }

    /// The same failure, or an inconclusive pair if it does not fail in a program without any other.
    fn measured_alone(&self, processes: &dyn Processes, index: usize, failed: FinishedPair) -> FinishedPair {
        let pair = &self.plan.pairs[index];
        stderr::say(&format!(
            "compiling the bench with `{}` alone, since others may be why it fails",
            pair.name
        ));
        let mut processes = match processes.alone(pair) {
            Ok(processes) => processes,
            Err(why) => {
                stderr::note(format!("`{}` is not measured alone: {why}", pair.name));
                return failed;
            }
        };
        let open = vec![OpenPair::new(self.plan, index, pair)];
        let emit = &mut |_: &Event<'_>| {};
        let mut alone = Run { plan: self.plan, emit, open, doubted: Vec::new(), outcomes: Vec::new() };
        let _ = alone.rounds(&mut *processes);
        match alone.outcomes[..] {
            [Outcome::Pass | Outcome::Inconclusive] => {
                FinishedPair { record: failed.record.in_its_place(Some(BY_OTHERS)), ..failed }
            }
            _ => failed,
        }
    }

    /// Measures until all open pairs are decided.
    fn rounds(&mut self, processes: &mut dyn Processes) -> ControlFlow<()> {
        for number in 1.. {
            let asked: Vec<Asked<'_>> = self.open.iter().map(OpenPair::asked).collect();
            if asked.is_empty() {
                break;
            }
            (self.emit)(&Event::RoundStarted { number, open: asked.len() });
            processes.round(&asked, &mut |message| match message {
                Message::Started(index) => {
                    (self.emit)(&Event::PairStarted { name: &self.plan.pairs[index].name });
                    ControlFlow::Continue(())
                }
                Message::Found { index, found, output } => self.found(index, *found, output),
                Message::Incomparable { index, reason } => self.incomparable(index, reason),
            })?;
        }
        ControlFlow::Continue(())
    }

    fn found(&mut self, index: usize, found: FindingResult, output: Option<String>) -> ControlFlow<()> {
        let Some(place) = self.open.iter().position(|open| open.index == index) else {
            return ControlFlow::Continue(());
        };
        let open = &mut self.open[place];
        let Some(round) = open.gather(found).transpose() else { return ControlFlow::Continue(()) };
        if let Ok(round) = &round {
            let program = self.plan.program.as_deref().filter(|_| !open.is_in_layout());
            let record = RoundRecord::new(&open.pair.name, open.number_of(round), program, round);
            (self.emit)(&Event::RoundMeasured(&record));
        }
        match open.add(self.plan, round) {
            None => ControlFlow::Continue(()),
            Some(mut decided) => {
                if let End::Error { output: of_error, .. } = &mut decided.record.end {
                    *of_error = output;
                }
                let OpenPair { pair, .. } = self.open.remove(place);
                let is_of_one_program = self.plan.against.is_none();
                if is_of_one_program
                    && pair.may_fail_by_others()
                    && decided.record.failed_gate() == Some(FailedGate::Ratio)
                {
                    self.doubted.push((index, decided));
                    return ControlFlow::Continue(());
                }
                self.finish(&decided)
            }
        }
    }

    fn incomparable(&mut self, index: usize, reason: String) -> ControlFlow<()> {
        let Some(place) = self.open.iter().position(|open| open.index == index) else {
            return ControlFlow::Continue(());
        };
        let OpenPair { pair, .. } = self.open.remove(place);
        let end = End::Ignored { reason: Some(reason) };
        self.finish(&PairRecord::unmeasured(self.plan, pair, end).into())
    }

    fn finish(&mut self, FinishedPair { record, measured }: &FinishedPair) -> ControlFlow<()> {
        (self.emit)(&Event::PairFinished { record, measured: measured.as_ref() });
        self.outcomes.push(record.outcome());
        let stops = self.plan.fail_fast && record.outcome().exit(self.plan.strict) != Exit::Success;
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
