//! One pair in this process: its functions in, what was found of them out.

use std::time::Duration;

use bench_diff_core::{
    Instruments, MOST_ROUNDS, MeasureError, Order, Plan, Recording, Round, measure, measure_round,
};

use crate::call::allocations::{Allocations, Count, counted};
use crate::call::heap::keep_freed_memory;
use crate::call::panics;
use crate::call::probe::{Check, Comparison, FirstCalls, Probe, check, work_on};
use crate::call::work::Work;
use crate::layout::{PROGRAMS, symbol};
use crate::record::RawRecord;
use crate::register::MeasurePair;

/// The number of the process of the program as linked, beside rounds in random layouts: behind all that are
/// judged, since it has coins of its own.
pub(super) const AS_LINKED: usize = MOST_ROUNDS * PROGRAMS;

/// The symbol of the run, by which that finds itself in the program as the linker describes it.
pub(crate) const ANCHOR: &str = symbol!("the_run");

#[expect(unsafe_code, reason = "of the function nothing but its address is used")]
unsafe extern "Rust" {
    #[link_name = symbol!("the_run")]
    fn the_run();
}

/// Addresses of code of this process, as they are in every process of this program.
pub(super) fn behind_anchor(addresses: [usize; 2]) -> (i64, i64) {
    let anchor = the_run as unsafe fn() as usize;
    addresses.map(|address| address.wrapping_sub(anchor) as i64).into()
}

/// The task of a process with a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every task is of the large one")]
pub(crate) enum Task {
    /// Call each function once.
    Check,
    /// Call nothing: tell where the code of both functions begins.
    Compare,
    /// Measure a share of a round, or all of the pair in this process.
    Measure { plan: Plan, round: Option<Share> },
}

/// The share of a process in the rounds of a pair.
#[derive(Clone, Copy, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Share {
    /// The number of the process in all rounds, from 0.
    pub(crate) number: usize,
    pub(crate) duos: usize,
    /// The calls of the slots that are tried first.
    pub(crate) iterations: u64,
    /// True if it counts allocations.
    pub(crate) counts: bool,
}

impl Task {
    /// Returns whether it is the first task of its pair that is judged, the one of which users see output and
    /// notes.
    pub(super) fn is_first_judged(self) -> bool {
        match self {
            Self::Measure { round, .. } => round.is_none_or(|share| share.number == 0),
            Self::Check => true,
            Self::Compare => false,
        }
    }

    /// Returns whether it counts allocations.
    pub(super) fn counts(self) -> bool {
        matches!(self, Self::Measure { round, .. } if round.is_none_or(|share| share.counts))
    }

    /// The share of one of the programs of a round in it, where it is that of the first of them: a part of
    /// the duos and of the warm-up.
    pub(super) fn share_of(self, program: usize) -> Self {
        let Self::Measure { plan, round: Some(share) } = self else { return self };
        Self::Measure {
            plan: Plan { warmup: plan.warmup / PROGRAMS as u32, ..plan },
            round: Some(Share {
                number: share.number + program,
                duos: share.duos.div_ceil(PROGRAMS),
                counts: share.counts && program == 0,
                ..share
            }),
        }
    }

    /// Returns whether the candidate has no part in it.
    fn is_self_test(self) -> bool {
        matches!(self, Self::Measure { plan, .. } if plan.self_test.is_some())
    }
}

/// The finding of a process on a pair.
#[derive(Clone, Debug, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Finding {
    pub(crate) check: Check,
    /// The offset from [`ANCHOR`](super::ANCHOR) of the code of candidate and baseline, if that was asked
    /// for.
    pub(crate) entries: Option<(i64, i64)>,
    /// The offsets of the code that registered the pair and of the code that times slots.
    pub(crate) roots: Option<(i64, i64)>,
    /// The allocations of the functions; `None` if they were not to be counted, or cannot be.
    pub(crate) allocations: Option<Allocations>,
    /// The work of one call.
    pub(crate) work: Work,
    /// None where nothing was to be measured.
    pub(crate) recording: Option<RawRecord>,
    /// The untimed work around slots.
    pub(crate) call_notes: Vec<String>,
}

/// Calls the functions of a pair as the task says.
///
/// # Errors
///
/// If it cannot be judged: a panic, an `Err`, outputs that differ, or what [`MeasureError`] says.
pub(crate) fn run_pair(
    run: &MeasurePair,
    arg: Option<&str>,
    task: Task,
    stack_place: Option<u8>,
    instruments: &Instruments<'_>,
    count: Count,
) -> Result<Finding, String> {
    let stopwatch = &*instruments.clocks.wall().stopwatch();
    let at_work = AtWork { instruments, count, arg, task, stack_place, stopwatch };
    let (found, work) = with_functions_of(run, false, |functions| at_work.work(functions))?;
    Ok(Finding { work, ..found })
}

/// Applies `act` to the functions of a pair, or to its candidate alone. The work of one call comes back as
/// well.
///
/// # Errors
///
/// A panic, the error of `act`, or the problem with that work.
pub(super) fn with_functions_of<T>(
    run: &MeasurePair,
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
    Ok((done.unwrap_or_else(|| Err(MEASURES_NOTHING.to_owned()))?, work))
}

pub(super) const MEASURES_NOTHING: &str = "its registration measures nothing";

struct AtWork<'a> {
    instruments: &'a Instruments<'a>,
    count: Count,
    arg: Option<&'a str>,
    task: Task,
    /// The place of the stack on its cache line; random if `None`.
    stack_place: Option<u8>,
    /// The time since its start.
    stopwatch: &'a dyn Fn() -> Duration,
}

impl AtWork<'_> {
    fn work(&self, functions: &mut dyn Comparison) -> Result<Finding, String> {
        let found = |check| Finding {
            check,
            entries: None,
            roots: None,
            allocations: None,
            work: Work::default(),
            recording: None,
            call_notes: Vec::new(),
        };
        let order = match self.task {
            Task::Compare => {
                let entries = functions.entries().map(behind_anchor);
                return Ok(Finding { entries, ..found(Check::None) });
            }
            Task::Check => Order::CandidateFirst,
            Task::Measure { plan, round } => {
                round.map_or(plan.seed, |share| plan.seed.for_round(share.number)).first_calls()
            }
        };
        let (check, first_calls) = if self.task.is_self_test() {
            (Check::Off, None)
        } else {
            let first = FirstCalls::new(order, self.stopwatch);
            (check(functions, self.arg, &first)?, Some(first.time()))
        };
        if self.task == Task::Check {
            return Ok(found(check));
        }
        let counts = self.task.counts() && !self.task.is_self_test();
        let allocations = counts.then(|| counted(functions, order, self.count)).flatten();
        let mut call_notes = Vec::new();
        functions.with_functions(&mut |functions| {
            call_notes.extend(functions.candidate.hooks.map(|hooks| hooks.note().to_owned()));
        });
        let recording = self.measured(functions, first_calls);
        match functions.take_error() {
            Some(error) => Err(error),
            None => {
                let recording = recording.map_err(|error| error.to_string())?;
                let recording = recording.as_ref().map(RawRecord::from);
                Ok(Finding { allocations, recording, call_notes, ..found(check) })
            }
        }
    }

    fn measured(
        &self,
        functions: &mut dyn Comparison,
        first_calls: Option<Duration>,
    ) -> Result<Option<Recording>, MeasureError> {
        let instruments = self.instruments;
        match self.task {
            Task::Check | Task::Compare => Ok(None),
            Task::Measure { plan, round: Some(Share { number, duos, iterations, .. }) } => {
                let preparing = (self.stopwatch)();
                let stack_place = self.stack_place;
                let round = Round { number, stack_place, duos, iterations, preparing, first_calls };
                measure_round(instruments, functions, &plan, &round).map(Some)
            }
            Task::Measure { plan, round: None } => {
                let measurement = measure(instruments, functions, &plan)?;
                Ok(measurement.rounds.into_iter().flatten().next())
            }
        }
    }
}
