//! Processes of two programs that take turns, each with the same function of its program.

use std::time::Duration;

use bench_diff_core::apart::{Apart, ClocksApart, Function, Taken, Turns};
use bench_diff_core::{Clocks, MeasureError, Recording, SystemClocks, Turn};

use super::partner::Partner;
use crate::call::allocations::Allocations;
use crate::record::{End, IN_OLD_REVISION, RawRecord};
use crate::run::one_pair::{Finding, Task};
use crate::run::protocol::CostsRequest;
use crate::run::turns::{Answer, Ready, Wish};
use crate::system::affinity;

/// The end of a pair of which the function of this side cannot be measured; of the old one, nothing can be
/// said of the other.
fn failure(function: Function, reason: String, output: Option<String>) -> End {
    match function {
        Function::Candidate => End::Error { reason, output },
        Function::Baseline => End::Ignored { reason: Some(format!("{IN_OLD_REVISION}{reason}")) },
    }
}

/// The processes, that of today's program first.
pub(super) type Partners<'l> = [Partner<'l>; 2];

/// The same, at work on a function.
pub(super) struct Both<'l> {
    partners: Partners<'l>,
    /// The failure in a turn.
    failed: Option<End>,
}

impl<'l> Both<'l> {
    pub(super) fn new(partners: Partners<'l>) -> Self {
        Self { partners, failed: None }
    }

    /// The processes, where both can be asked for another function.
    pub(super) fn partners_that_stay(self) -> Option<Partners<'l>> {
        self.partners.iter().all(|partner| partner.stays).then_some(self.partners)
    }

    /// The findings of both, taking turns on this CPU if there is one.
    pub(super) fn found(
        &mut self,
        task: Task,
        costs: &CostsRequest,
        cpu: Option<usize>,
    ) -> Result<Finding, End> {
        let [now, old] =
            [self.each(Function::Candidate, Partner::ready)?, self.each(Function::Baseline, Partner::ready)?];
        let before = cpu.is_some().then(affinity::own);
        if let Some(cpu) = cpu {
            // The token comes back faster from there.
            affinity::confine(&[cpu]);
        }
        let measured = self.measured(task, costs, [&now, &old]);
        if let Some(before) = before {
            affinity::confine(&before);
        }
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        self.partners.iter_mut().for_each(Partner::finish);
        let work = self.each(Function::Candidate, Partner::done)?;
        self.each(Function::Baseline, Partner::done)?;
        let recording = measured.map_err(|error| failure(Function::Candidate, error.to_string(), None))?;
        Ok(Finding {
            allocations: allocations(&now, &old),
            work,
            recording: recording.as_ref().map(RawRecord::from),
            lacks_counts_there: now.allocations.is_some() && old.allocations.is_none(),
            call_notes: now.call_notes,
            // Values of two processes are not compared.
            ..Finding::default()
        })
    }

    /// Shows what today's function printed.
    pub(super) fn show(&mut self) {
        let [now, _] = &mut self.partners;
        now.output.show(now.output.length());
    }

    fn measured(
        &mut self,
        task: Task,
        costs: &CostsRequest,
        [now, old]: [&Ready; 2],
    ) -> Result<Option<Recording>, MeasureError> {
        let here = SystemClocks::new();
        let clocks = ClocksApart::new(here.wall(), costs.has_cpu());
        let mut pair = Apart::new(self, &clocks, [now.function(), old.function()]);
        let preparing = Duration::from_nanos(now.preparing + old.preparing);
        let first_calls = Some(pair.first_calls());
        task.measured(&costs.instruments(&clocks), &mut pair, None, preparing, first_calls)
    }

    /// Has the process of a function do something.
    fn each<T>(
        &mut self,
        function: Function,
        act: impl FnOnce(&mut Partner<'l>) -> Result<T, String>,
    ) -> Result<T, End> {
        let partner = &mut self.partners[function as usize];
        act(partner).map_err(|reason| {
            let output = partner.output.of_pair(partner.output.length(), &reason);
            failure(if partner.is_late { Function::Candidate } else { function }, reason, output)
        })
    }

    /// What the process of a function answers, unless one of them has failed.
    fn ask<T>(&mut self, function: Function, wish: Wish, told: fn(Answer) -> Result<T, String>) -> Option<T> {
        if self.failed.is_some() {
            return None;
        }
        let answer = self.each(function, |partner| partner.ask(wish).and_then(told));
        answer.map_err(|failure| self.failed = Some(failure)).ok()
    }
}

impl Turns for Both<'_> {
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken> {
        self.ask(function, Wish::Turn(turn, renews), |answer| match answer {
            Answer::Taken(taken) => Ok(taken),
            other => Err(other.instead()),
        })
    }

    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64> {
        self.ask(function, Wish::Inputs(iterations), |answer| match answer {
            Answer::Inputs(time) => Ok(time),
            other => Err(other.instead()),
        })
    }
}

/// The allocations of both, if each of them counts.
fn allocations(now: &Ready, old: &Ready) -> Option<Allocations> {
    let ((counted, candidate), (as_well, baseline)) = now.allocations.zip(old.allocations)?;
    Some(Allocations { counted: counted.min(as_well), candidate, baseline })
}
