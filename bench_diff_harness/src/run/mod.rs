//! The run: the plan in, events out.
//!
//! Rounds follow each other until every pair is decided. In each, processes of its own measure every pair
//! that is still open, once: four of four layouts, or one of the program as linked. This process plans,
//! judges and tells, and measures nothing.

mod child;
mod fault;
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
mod side;
pub(crate) mod smoke;
mod started;
mod test_events;
#[cfg(test)]
mod tests;
mod turns;

use std::mem;
use std::ops::ControlFlow;
use std::time::Instant;

pub(crate) use self::child::{ANCHOR, answer, try_out};
pub(crate) use self::list::{Functions, functions_of, list};
use self::one_pair::Finding;
pub(crate) use self::one_pair::{Entries, Inputs, Task};
use self::open::OpenPair;
pub(crate) use self::parent::Children;
pub(crate) use self::side::Side;
pub(crate) use self::started::FLAG;
use crate::machine::Machine;
use crate::plan::{PairPlan, RunPlan};
use crate::record::{
    Doubt, End, Event, FailedGate, FinishedPair, Outcome, PairRecord, RunRecord, StartRecord,
};
use crate::system::exit::Exit;
use crate::system::stderr;
use crate::system::text::few;

/// Processes that measure pairs.
pub(crate) trait Processes {
    /// Has each of these pairs measured by the processes of a round, in this order, and tells what each of
    /// them finds; to the end, or until who hears it breaks off.
    fn round(&mut self, asked: &[Asked<'_>], receive: Receive<'_>) -> ControlFlow<()>;

    /// Processes of a program that has no other pair.
    ///
    /// # Errors
    ///
    /// The reason that there are none.
    fn alone(&self, pair: &PairPlan) -> Result<Box<dyn Processes + '_>, String>;
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

/// The receiver of messages about pairs.
pub(crate) type Receive<'a> = &'a mut dyn FnMut(Message) -> ControlFlow<()>;

/// A message about a process, for the pair in this place of the run.
pub(crate) enum Message {
    /// It is at work on it, and that takes a while.
    Started(usize),
    /// The finding on it, or its end.
    Found { index: usize, found: Box<Result<Finding, End>> },
}

impl Message {
    /// A finding, or the reason that there is none, without any output.
    fn found(index: usize, found: Result<Finding, String>) -> Self {
        let found = found.map_err(|reason| End::Error { reason, output: None });
        Self::Found { index, found: Box::new(found) }
    }
}

/// Judges pairs that failed once more, built with one codegen unit for each crate, and returns what becomes
/// of each of them there.
pub(crate) type OneUnit<'a> = &'a mut dyn FnMut(&[&PairPlan]) -> Result<Vec<Outcome>, String>;

/// Measures the planned pairs, round by round, and tells what happens.
pub(crate) fn run(
    plan: &RunPlan,
    machine: &Machine,
    processes: &mut dyn Processes,
    one_unit: OneUnit<'_>,
    emit: &mut dyn FnMut(&Event<'_>),
) -> Exit {
    let start = Instant::now();
    let started = StartRecord::of(plan, machine);
    emit(&Event::RunStarted(&started));
    let outcomes = Vec::with_capacity(plan.pairs.len());
    let mut run = Run { plan, emit, open: Vec::new(), doubted: Vec::new(), outcomes };
    let _ = run.all_rounds(processes, one_unit);
    let outcomes = run.outcomes;
    let record = RunRecord::of(&started, &outcomes, start.elapsed().as_secs_f64());
    emit(&Event::RunFinished(&record));
    // A process of nextest runs one pair, and others compare the rest of the bench.
    let is_part = plan.in_nextest && !plan.elsewhere.is_empty();
    let uncompared = record.uncompared().map(|why| why.exit(plan.strict && !is_part));
    outcomes.iter().map(|outcome| outcome.exit(plan.strict)).chain(uncompared).max().unwrap_or(Exit::Success)
}

/// The most pairs that a line names.
const NAMED: usize = 5;

struct Run<'p, 't> {
    plan: &'p RunPlan,
    emit: &'t mut dyn FnMut(&Event<'_>),
    /// In the order of the plan.
    open: Vec<OpenPair<'p>>,
    /// The pairs whose failure other callers or codegen units may explain, by their places in the plan.
    doubted: Vec<(usize, FinishedPair)>,
    outcomes: Vec<Outcome>,
}

impl Run<'_, '_> {
    /// Breaks off where `--fail-fast` says so.
    fn all_rounds(&mut self, processes: &mut dyn Processes, one_unit: OneUnit<'_>) -> ControlFlow<()> {
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
        let mut flow = self.rounds(processes);
        let mut doubted = mem::take(&mut self.doubted);
        if flow.is_continue() && self.plan.against.is_some() && !doubted.is_empty() {
            self.judge_with_one_unit(&mut doubted, one_unit);
        }
        for (index, failed) in doubted {
            // Once the run breaks off nothing more is measured, and what was is told.
            let decided = match flow {
                ControlFlow::Continue(()) if self.plan.against.is_none() => {
                    self.measured_alone(&*processes, index, failed)
                }
                _ => failed,
            };
            if self.finish(&decided).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        flow
    }

    /// Makes those failures inconclusive that pass where each crate is one codegen unit. If that is
    /// undecided, the failure stands.
    fn judge_with_one_unit(&self, failed: &mut [(usize, FinishedPair)], judge: OneUnit<'_>) {
        let pairs: Vec<&PairPlan> = failed.iter().map(|(index, _)| &self.plan.pairs[*index]).collect();
        let names: Vec<String> = pairs.iter().map(|pair| format!("`{}`", pair.name)).collect();
        stderr::say(&format!(
            "building both sides with one codegen unit for each crate, since {} may fail for nothing else",
            few(&names, NAMED)
        ));
        let outcomes = judge(&pairs).unwrap_or_else(|why| {
            stderr::note(format!(
                "failures are judged as built, since with one codegen unit they cannot be: {why}"
            ));
            Vec::new()
        });
        for ((_, FinishedPair { record, .. }), outcome) in failed.iter_mut().zip(outcomes) {
            let stands = match outcome {
                Outcome::Pass => {
                    *record = mem::take(record).doubted(Some(Doubt::UNITS));
                    continue;
                }
                Outcome::Fail => "fails with one codegen unit for each crate as well",
                Outcome::Inconclusive => {
                    "fails as built; with one codegen unit for each crate it is inconclusive"
                }
                Outcome::Error | Outcome::Ignored | Outcome::Measured => continue,
            };
            stderr::say(&format!("`{}` {stands}", record.name));
        }
    }

    /// The same failure, or an inconclusive pair if it does not fail in a program without any other.
    fn measured_alone(
        &mut self,
        processes: &dyn Processes,
        index: usize,
        failed: FinishedPair,
    ) -> FinishedPair {
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
        // Its verdict is no result, but it takes time.
        let emit = &mut |event: &Event<'_>| {
            if let Event::RoundStarted { .. } = event {
                (self.emit)(event);
            }
        };
        let mut alone = Run { plan: self.plan, emit, open, doubted: Vec::new(), outcomes: Vec::new() };
        let _ = alone.rounds(&mut *processes);
        match alone.outcomes[..] {
            [Outcome::Pass | Outcome::Inconclusive] => {
                FinishedPair { record: failed.record.doubted(Some(Doubt::OTHERS)), ..failed }
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
                Message::Found { index, found } => self.found(index, *found),
            })?;
        }
        ControlFlow::Continue(())
    }

    fn found(&mut self, index: usize, found: Result<Finding, End>) -> ControlFlow<()> {
        let Some(place) = self.open.iter().position(|open| open.index == index) else {
            return ControlFlow::Continue(());
        };
        let open = &mut self.open[place];
        let decided = found.and_then(|finding| {
            let decided = open.take(self.plan, finding, self.emit);
            decided.map_err(|reason| End::Error { reason, output: None })
        });
        let Some(decided) = decided.transpose() else { return ControlFlow::Continue(()) };
        let OpenPair { pair, .. } = self.open.remove(place);
        let decided = decided.unwrap_or_else(|end| PairRecord::unmeasured(self.plan, pair, end).into());
        let may_fail_by_build = match self.plan.against {
            Some(_) => pair.may_fail_by_units,
            None => pair.may_fail_by_others(),
        };
        if may_fail_by_build && decided.record.failed_gate() == Some(FailedGate::Ratio) {
            self.doubted.push((index, decided));
            return ControlFlow::Continue(());
        }
        self.finish(&decided)
    }

    fn finish(&mut self, FinishedPair { record, measured }: &FinishedPair) -> ControlFlow<()> {
        (self.emit)(&Event::PairFinished { record, measured: measured.as_ref() });
        self.outcomes.push(record.outcome());
        let stops = self.plan.fail_fast && record.outcome().exit(self.plan.strict) != Exit::Success;
        if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
