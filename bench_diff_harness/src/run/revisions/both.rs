//! Processes of two programs that take turns, each with the same function of its program.

use std::time::Duration;

use bench_diff_core::apart::{Apart, ClocksApart, Function, Taken, Turns};
use bench_diff_core::{Clocks, MeasureError, Recording, Round, SystemClocks, Turn, measure, measure_round};

use super::partner::Partner;
use crate::call::allocations::Allocations;
use crate::call::probe::Check;
use crate::record::RawRecord;
use crate::run::one_pair::{Finding, Share, Task};
use crate::run::protocol::CostsRequest;
use crate::run::turns::{Answer, Ready, Wish};
use crate::system::affinity;

/// The reason that a pair cannot be measured, and the side whose function it is.
pub(super) struct Failure {
    pub(super) function: Function,
    pub(super) reason: String,
    /// Its output.
    pub(super) output: Option<String>,
}

impl Failure {
    pub(super) fn of(function: Function, reason: impl Into<String>) -> Self {
        Self { function, reason: reason.into(), output: None }
    }
}

/// The processes, that of today's program first.
pub(super) type Partners<'l> = [Partner<'l>; 2];

/// The same, at work on a function.
pub(super) struct Both<'l> {
    partners: Partners<'l>,
    /// The failure in a turn.
    failed: Option<(Function, String)>,
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
    ) -> Result<Finding, Failure> {
        let [now, old] =
            [self.each(Function::Candidate, Partner::ready)?, self.each(Function::Baseline, Partner::ready)?];
        let measured = {
            let _near = cpu.map(Near::to);
            self.measured(task, costs, [&now, &old])
        };
        if let Some((function, reason)) = self.failed.take() {
            return Err(self.failure(function, reason));
        }
        self.partners.iter_mut().for_each(Partner::finish);
        let work = self.each(Function::Candidate, Partner::done)?;
        self.each(Function::Baseline, Partner::done)?;
        let recording = measured.map_err(|error| Failure::of(Function::Candidate, error.to_string()))?;
        Ok(Finding {
            // Values of two processes are not compared.
            check: Check::None,
            entries: None,
            roots: None,
            allocations: allocations(&now, &old),
            work,
            recording: recording.as_ref().map(RawRecord::from),
            call_notes: now.call_notes,
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
        let instruments = costs.instruments(&clocks);
        let mut pair = Apart::new(self, &clocks, [now.function(), old.function()]);
        let first_calls = Some(pair.first_calls());
        match task {
            Task::Check | Task::Compare => Ok(None),
            Task::Measure { plan, round: Some(Share { number, duos, iterations, .. }) } => {
                let preparing = Duration::from_nanos(now.preparing + old.preparing);
                let round = Round { number, stack_place: None, duos, iterations, preparing, first_calls };
                measure_round(&instruments, &mut pair, &plan, &round).map(Some)
            }
            Task::Measure { plan, round: None } => {
                let measurement = measure(&instruments, &mut pair, &plan)?;
                Ok(measurement.rounds.into_iter().flatten().next())
            }
        }
    }

    /// Has the process of a function do something.
    fn each<T>(
        &mut self,
        function: Function,
        act: impl FnOnce(&mut Partner<'l>) -> Result<T, String>,
    ) -> Result<T, Failure> {
        act(&mut self.partners[function as usize]).map_err(|reason| self.failure(function, reason))
    }

    fn failure(&self, function: Function, reason: String) -> Failure {
        let output = &self.partners[function as usize].output;
        Failure { function, output: output.of_pair(output.length(), &reason), reason }
    }

    /// Asks the process of a function, unless one of them has failed.
    fn ask(&mut self, function: Function, wish: Wish) -> Option<Answer> {
        if self.failed.is_some() {
            return None;
        }
        match self.partners[function as usize].ask(wish) {
            Ok(answer) => Some(answer),
            Err(reason) => {
                self.failed = Some((function, reason));
                None
            }
        }
    }

    fn fail<T>(&mut self, function: Function, answer: Answer) -> Option<T> {
        self.failed = Some((function, answer.instead()));
        None
    }
}

impl Turns for Both<'_> {
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken> {
        match self.ask(function, Wish::Turn(turn, renews))? {
            Answer::Taken(taken) => Some(taken),
            other => self.fail(function, other),
        }
    }

    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64> {
        match self.ask(function, Wish::Inputs(iterations))? {
            Answer::Inputs(time) => Some(time),
            other => self.fail(function, other),
        }
    }
}

/// The allocations of both, if each of them counts.
fn allocations(now: &Ready, old: &Ready) -> Option<Allocations> {
    let ((counted, candidate), (as_well, baseline)) = now.allocations.zip(old.allocations)?;
    Some(Allocations { counted: counted.min(as_well), candidate, baseline })
}

/// This thread on the CPU of those to which it hands the token: it comes back faster from there.
struct Near {
    before: Vec<usize>,
}

impl Near {
    fn to(cpu: usize) -> Self {
        let before = affinity::own();
        affinity::confine(&[cpu]);
        Self { before }
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        affinity::confine(&self.before);
    }
}
