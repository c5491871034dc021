//! Processes of two binaries that take turns: each calls its version of the same function.

use std::time::Duration;

use bench_diff_core::apart::{Apart, ClocksApart, Function, Taken, Turns};
use bench_diff_core::{Clocks, MeasureError, Recording, SystemClocks, Turn};
use bench_diff_system::affinity;

use super::failure::{Failure, Stage};
use super::partner::Partner;
use crate::call::allocations::Allocations;
use crate::run::fault::Fault;
use crate::run::one_pair::{Finding, Task};
use crate::run::protocol::CostsRequest;
use crate::run::raw::RawRecord;
use crate::run::turns::{Answer, Instruction, Ready};

/// The processes of both binaries, the working tree's first.
pub(super) type Partners<'l> = [Partner<'l>; 2];

/// Both processes while they measure a function.
pub(super) struct Both<'l> {
    pub(super) partners: Partners<'l>,
    stage: Stage,
    /// The first failure in a turn.
    failed: Option<Failure>,
    /// The last requested turn.
    last: Turn,
    /// The number of calls in all turns: a lower bound for the new function, and an upper bound for the old
    /// one.
    calls: [u64; 2],
}

/// A turn of one call.
const SINGLE_CALL: Turn = Turn { is_empty: false, iterations: 1, uncounted: 0, counted: 1, by_cpu: false };

impl<'l> Both<'l> {
    pub(super) fn new(partners: Partners<'l>) -> Self {
        Self { partners, stage: Stage::FirstCalls, failed: None, last: SINGLE_CALL, calls: [0; 2] }
    }

    /// The finding on the pair, from turns of both processes. They are on this CPU, if there is one, unless a
    /// function uses other threads.
    pub(super) fn found(
        &mut self,
        task: Task,
        costs: &CostsRequest,
        cpu: Option<usize>,
    ) -> Result<Finding, Failure> {
        let [new, old] =
            [self.each(Function::Candidate, Partner::ready)?, self.each(Function::Baseline, Partner::ready)?];
        self.stage = Stage::Turns;
        // Threads that one function starts would share the CPU, and both need the same conditions.
        let cpu = cpu.filter(|_| !new.has_threads && !old.has_threads);
        let before = cpu.is_some().then(affinity::own);
        if let Some(cpu) = cpu {
            self.partners.iter_mut().for_each(|partner| partner.tell(Instruction::Confine { cpu }));
            // On the same CPU, the processes hand over faster.
            affinity::confine(&[cpu]);
        }
        let measured = self.measured(task, costs, [&new, &old]);
        if let Some(before) = before {
            affinity::confine(&before);
        }
        if let Some(failure) = self.failed.take() {
            return Err(failure);
        }
        self.stage = Stage::LastWords;
        for partner in &mut self.partners {
            // All is measured, and a spent budget must not lose it.
            partner.end = None;
            partner.tell(Instruction::End);
        }
        let work = self.each(Function::Candidate, Partner::done)?;
        self.each(Function::Baseline, Partner::done)?;
        let recording = measured.map_err(|error| Failure::of_new(error.into()))?;
        Ok(Finding {
            allocations: allocations(&new, &old),
            work,
            recording: recording.as_ref().map(RawRecord::from),
            lacks_counts_in_old: new.allocations.is_some() && old.allocations.is_none(),
            has_equal_heaps: new.heap.is_some() && new.heap == old.heap && new.allocations == old.allocations,
            is_renamed: new.is_renamed || old.is_renamed,
            call_note: new.call_note,
            // The outputs of two processes are not compared.
            ..Finding::default()
        })
    }

    /// Calls the new function as often as the old one was called, at least once, and ends its turns.
    ///
    /// # Errors
    ///
    /// The failure of the new function.
    pub(super) fn new_function_goes_on(&mut self) -> Result<(), Failure> {
        if self.stage == Stage::LastWords {
            // Its turns ended before the old function failed.
            return Ok(());
        }
        let [before, enough] = self.calls;
        while self.calls[0] == before || self.calls[0] < enough {
            self.call(Function::Candidate, self.last, true)?;
        }
        self.stage = Stage::LastWords;
        self.partners[0].tell(Instruction::End);
        self.each(Function::Candidate, Partner::done).map(drop)
    }

    fn measured(
        &mut self,
        task: Task,
        costs: &CostsRequest,
        [new, old]: [&Ready; 2],
    ) -> Result<Option<Recording>, MeasureError> {
        let here = SystemClocks::new();
        let clocks = ClocksApart::new(here.wall(), costs.cpu.is_some());
        let mut pair = Apart::new(self, &clocks, [new.function(), old.function()]);
        let preparing = Duration::from_nanos(new.preparing + old.preparing);
        let first_calls = pair.first_calls();
        task.measured(&costs.instruments(&clocks), &mut pair, None, preparing, first_calls)
    }

    /// Applies `act` to the process of a function.
    fn each<T>(
        &mut self,
        function: Function,
        act: impl FnOnce(&mut Partner<'l>) -> Result<T, Fault>,
    ) -> Result<T, Failure> {
        let (stage, partner) = (self.stage, &mut self.partners[function as usize]);
        act(partner).map_err(|fault| {
            let output = partner.output.of_pair(partner.output.length(), &fault.to_string());
            Failure {
                function: if partner.is_late { Function::Candidate } else { function },
                stage,
                fault,
                output,
            }
        })
    }

    /// Lets the process of a function take a turn.
    fn call(&mut self, function: Function, turn: Turn, renews: bool) -> Result<Taken, Failure> {
        if !turn.is_empty {
            self.last = turn;
            // By chance, one more slot may be uncounted.
            let more = u64::from(function == Function::Baseline);
            self.calls[function as usize] += turn.iterations * (turn.uncounted + turn.counted + more);
        }
        self.each(function, |partner| match partner.ask(Instruction::Turn { turn, renews })? {
            Answer::Taken(taken) => Ok(taken),
            other => Err(other.unexpected()),
        })
    }

    /// Makes a request unless one of the processes has failed, and keeps the first failure.
    fn unless_failed<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Option<T> {
        if self.failed.is_some() {
            return None;
        }
        ask(self).map_err(|failure| self.failed = Some(failure)).ok()
    }
}

impl Turns for Both<'_> {
    fn turn(&mut self, function: Function, turn: Turn, renews: bool) -> Option<Taken> {
        self.unless_failed(|both| both.call(function, turn, renews))
    }

    fn time_of_inputs(&mut self, function: Function, iterations: u64) -> Option<u64> {
        self.unless_failed(|both| {
            both.each(function, |partner| match partner.ask(Instruction::Inputs { calls: iterations })? {
                Answer::Inputs(time) => Ok(time),
                other => Err(other.unexpected()),
            })
        })
    }
}

/// The allocations of both functions, if both were counted.
fn allocations(new: &Ready, old: &Ready) -> Option<Allocations> {
    let ((counted, candidate), (as_well, baseline)) = new.allocations.zip(old.allocations)?;
    Some(Allocations { max: None, counted: counted.min(as_well), candidate, baseline })
}
