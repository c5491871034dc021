//! Runs one pair in this process, and returns the finding on it.

use std::time::Duration;

use bench_diff_binary::{Entries, PROGRAMS};
use bench_diff_core::{
    Instruments, MOST_ROUNDS, MeasureError, Order, Pair, Plan, Recording, Round, measure, measure_round,
};

use crate::call::allocations::{Allocations, Count, FEW, counted};
use crate::call::heap::keep_freed_memory;
use crate::call::panics;
use crate::call::probe::{Check, Comparison, FirstCalls, Probe, check, work_on};
use crate::call::work::Work;
use crate::register::MeasurePair;
use crate::run::raw::RawRecord;

/// The process number of the binary as linked, when it is measured in addition to random layouts. The number
/// is beyond those of all judged processes, so that its random numbers differ from theirs.
pub(super) const AS_LINKED: usize = MOST_ROUNDS * PROGRAMS;

/// What a process does with a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Task {
    /// Call each function once.
    Check,
    /// Call nothing, and report where the code of both functions begins.
    Compare,
    /// Measure a share of a round, or the whole pair in this process.
    Measure { plan: Plan, round: Option<Share> },
}

/// The share of a process in the rounds of a pair.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Share {
    /// The number of the process, counted from 0 over all rounds.
    pub(crate) number: usize,
    pub(crate) duos: usize,
    /// The number of calls in the first slots, which are tried out.
    pub(crate) iterations: u64,
    /// True for the first process that measures the pair.
    pub(crate) is_first: bool,
    /// True if it is one of the processes of four layouts.
    pub(crate) is_of_four: bool,
}

impl Task {
    /// Returns whether this is the first task of its pair. Its output is shown, and it counts allocations.
    pub(super) fn is_first(self) -> bool {
        match self {
            Self::Measure { round, .. } => round.is_none_or(|share| share.is_first),
            Self::Check => true,
            Self::Compare => false,
        }
    }

    /// The share of one binary in a round, given the task for the whole round: a part of the duos and of the
    /// warm-up.
    pub(super) fn share_of(self, program: usize) -> Self {
        let Self::Measure { plan, round: Some(share) } = self else { return self };
        Self::Measure {
            plan: Plan { warmup: plan.warmup / PROGRAMS as u32, ..plan },
            round: Some(Share {
                number: share.number + program,
                duos: share.duos.div_ceil(PROGRAMS),
                is_of_four: true,
                ..share
            }),
        }
    }

    /// Measures a pair, if that is the task.
    pub(super) fn measured(
        self,
        instruments: &Instruments<'_>,
        pair: &mut dyn Pair,
        stack_place: Option<u8>,
        preparing: Duration,
        first_calls: Duration,
    ) -> Result<Option<Recording>, MeasureError> {
        match self {
            Self::Check | Self::Compare => Ok(None),
            Self::Measure { plan, round: Some(Share { number, duos, iterations, is_of_four, .. }) } => {
                let round =
                    Round { number, stack_place, duos, iterations, preparing, first_calls, is_of_four };
                measure_round(instruments, pair, &plan, &round).map(Some)
            }
            Self::Measure { plan, round: None } => {
                let measurement = measure(instruments, pair, &plan)?;
                Ok(measurement.rounds.into_iter().flatten().next())
            }
        }
    }
}

/// The finding of a process on a pair.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Finding {
    pub(crate) check: Check,
    /// `None` unless they were requested.
    pub(crate) entries: Option<Entries>,
    /// The allocations of the functions; `None` if they were not requested, or nothing counts them.
    pub(crate) allocations: Option<Allocations>,
    /// True if this binary could count them, but the old binary that takes turns with it could not.
    pub(crate) lacks_counts_in_old: bool,
    /// True if the heaps of the new and the old process were alike before anything was timed.
    pub(crate) has_equal_heaps: bool,
    /// True if the pair has another name in this process, or in that of the old binary, than the run knows.
    pub(crate) is_renamed: bool,
    /// The work of one call.
    pub(crate) work: Work,
    /// `None` unless there was something to measure.
    pub(crate) recording: Option<RawRecord>,
    /// The note on untimed work around slots.
    pub(crate) call_note: Option<String>,
}

/// Calls the functions of a pair as the task requires.
///
/// # Errors
///
/// If the pair cannot be judged: after a panic, an `Err`, different outputs, or a [`MeasureError`].
pub(crate) fn run_pair(
    run: &mut MeasurePair<'_>,
    arg: Option<&str>,
    task: Task,
    stack_place: Option<u8>,
    instruments: &Instruments<'_>,
    count: Count,
) -> Result<Finding, String> {
    let since_start = instruments.clocks.wall().stopwatch();
    let order = match task {
        Task::Measure { plan, round } => {
            round.map_or(plan.seed, |share| plan.seed.for_round(share.number)).first_calls()
        }
        Task::Check | Task::Compare => Order::CandidateFirst,
    };
    let (found, work) = with_functions_of(run, false, |functions| {
        let mut found = Finding::default();
        let first = FirstCalls::new(order, &*since_start);
        found.check = check(functions, arg, &first)?;
        if task == Task::Check {
            return Ok(found);
        }
        // Only the first process counts allocations, so that is no part of preparing.
        let preparing = since_start();
        if task.is_first() {
            found.allocations = counted(functions, order, FEW, count);
            functions.with_functions(&mut |functions| {
                found.call_note = functions.candidate.hooks.map(|hooks| hooks.note().to_owned());
            });
        }
        let recording = task.measured(instruments, functions, stack_place, preparing, first.time());
        if let Some(error) = functions.take_error() {
            return Err(error);
        }
        found.recording = recording?.as_ref().map(RawRecord::from);
        Ok(found)
    })?;
    Ok(Finding { work, ..found })
}

/// Applies `act` to the functions of a pair, or only to its candidate if `alone`. Also returns the work of
/// one call.
///
/// # Errors
///
/// A panic, the error of `act`, or an error in the declared work.
pub(super) fn with_functions_of<T>(
    run: &mut MeasurePair<'_>,
    alone: bool,
    act: impl FnMut(&mut dyn Comparison) -> Result<T, String>,
) -> Result<(T, Work), String> {
    keep_freed_memory();
    let mut work = Ok(Work::default());
    let pair = |probe: &mut Probe<'_>| {
        if alone {
            probe.without_baseline();
        }
        run(probe);
        work = probe.work_of_call();
    };
    let done = panics::catch(|| work_on(pair, act))?;
    let work = work?;
    Ok((done.unwrap_or_else(|| Err(MEASURES_NOTHING.into()))?, work))
}

pub(super) const MEASURES_NOTHING: &str = "it measures nothing: it calls no method such as `iter` or `bench`";
