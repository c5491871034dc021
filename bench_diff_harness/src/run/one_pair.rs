//! One pair in this process: its functions in, what was found of them out.

use std::time::Duration;

use bench_diff_core::{
    Instruments, MOST_ROUNDS, MeasureError, Order, Pair, Plan, Recording, Round, measure, measure_round,
};

use crate::call::allocations::{Allocations, Count, FEW, counted};
use crate::call::heap::keep_freed_memory;
use crate::call::panics;
use crate::call::probe::{Check, Comparison, FirstCalls, Maker, Makers, Probe, check, shown_inputs, work_on};
use crate::call::work::Work;
use crate::layout::PROGRAMS;
use crate::record::RawRecord;
use crate::register::MeasurePair;

/// The number of the process of the program as linked, beside rounds in random layouts: behind all that are
/// judged, since it has coins of its own.
pub(super) const AS_LINKED: usize = MOST_ROUNDS * PROGRAMS;

/// The task of a process with a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every task is of the large one")]
pub(crate) enum Task {
    /// Call each function once.
    Check,
    /// Call nothing: tell where the code of both functions begins.
    Compare,
    /// Call no function: tell what they would work on.
    Show,
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
            Self::Compare | Self::Show => false,
        }
    }

    /// Returns whether it counts allocations.
    pub(super) fn counts(self) -> bool {
        matches!(self, Self::Measure { round, .. } if round.is_none_or(|share| share.counts))
    }

    /// The share of one of the programs of a round in it, where it is that of the first of them: a part of
    /// the duos, of the warm-up and of the time.
    pub(super) fn share_of(self, program: usize) -> Self {
        let Self::Measure { plan, round: Some(share) } = self else { return self };
        Self::Measure {
            plan: Plan {
                warmup: plan.warmup / PROGRAMS as u32,
                max_time: plan.max_time / PROGRAMS as u32,
                ..plan
            },
            round: Some(Share {
                number: share.number + program,
                duos: share.duos.div_ceil(PROGRAMS),
                counts: share.counts && program == 0,
                ..share
            }),
        }
    }

    /// Measures a pair, where that is the task.
    pub(super) fn measured(
        self,
        instruments: &Instruments<'_>,
        pair: &mut dyn Pair,
        stack_place: Option<u8>,
        preparing: Duration,
        first_calls: Option<Duration>,
    ) -> Result<Option<Recording>, MeasureError> {
        match self {
            Self::Check | Self::Compare | Self::Show => Ok(None),
            Self::Measure { plan, round: Some(Share { number, duos, iterations, .. }) } => {
                let round = Round { number, stack_place, duos, iterations, preparing, first_calls };
                measure_round(instruments, pair, &plan, &round).map(Some)
            }
            Self::Measure { plan, round: None } => {
                let measurement = measure(instruments, pair, &plan)?;
                Ok(measurement.rounds.into_iter().flatten().next())
            }
        }
    }

    /// Returns whether the candidate has no part in it.
    fn is_self_test(self) -> bool {
        matches!(self, Self::Measure { plan, .. } if plan.self_test.is_some())
    }
}

/// The offsets from [`ANCHOR`](super::ANCHOR) of code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Entries {
    pub(crate) candidate: i64,
    pub(crate) baseline: i64,
    /// That of the code that registered them and no other function, where there is some.
    pub(crate) body: Option<i64>,
    /// That of the code that registered them.
    pub(crate) registers: i64,
    /// That of the code that times slots.
    pub(crate) times: i64,
    /// Those of what makes their inputs, but for `args`.
    pub(crate) makers: Vec<(Maker, i64)>,
}

/// The makers of what a function works on, each with a digest of what it made if that can be shown.
pub(crate) type Inputs = Vec<(Maker, Option<u64>)>;

/// The finding of a process on a pair.
#[derive(Clone, Debug, Default, PartialEq, miniserde::Deserialize, miniserde::Serialize)]
pub(crate) struct Finding {
    pub(crate) check: Check,
    /// None where that was not asked for.
    pub(crate) entries: Option<Entries>,
    /// None where that was not asked for.
    pub(crate) inputs: Option<Inputs>,
    /// The allocations of the functions; `None` if they were not to be counted, or cannot be.
    pub(crate) allocations: Option<Allocations>,
    /// True if this program could count them, and the old one that takes turns with it could not.
    pub(crate) lacks_counts_there: bool,
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
        Task::Check | Task::Compare | Task::Show => Order::CandidateFirst,
    };
    let (found, work, _) = with_functions_of(run, false, |functions| {
        let mut found = Finding::default();
        let mut first_calls = None;
        if task.is_self_test() {
            found.check = Check::Off;
        } else {
            let first = FirstCalls::new(order, &*since_start);
            found.check = check(functions, arg, &first)?;
            first_calls = Some(first.time());
            found.allocations = if task.counts() { counted(functions, order, FEW, count) } else { None };
        }
        if task == Task::Check {
            return Ok(found);
        }
        functions.with_functions(&mut |functions| {
            found.call_notes.extend(functions.candidate.hooks.map(|hooks| hooks.note().to_owned()));
        });
        let recording = task.measured(instruments, functions, stack_place, since_start(), first_calls);
        if let Some(error) = functions.take_error() {
            return Err(error);
        }
        found.recording = recording.map_err(|error| error.to_string())?.as_ref().map(RawRecord::from);
        Ok(found)
    })?;
    Ok(Finding { work, ..found })
}

/// The makers of the inputs of a pair, with digests of what they make.
///
/// # Errors
///
/// A panic in one of them.
pub(super) fn inputs_of(run: &mut MeasurePair<'_>) -> Result<Makers, String> {
    panics::catch(|| shown_inputs(|probe| run(probe)))
}

/// Applies `act` to the functions of a pair, or to its candidate alone. The work of one call and the makers
/// of inputs come back as well.
///
/// # Errors
///
/// A panic, the error of `act`, or the problem with that work.
pub(super) fn with_functions_of<T>(
    run: &mut MeasurePair<'_>,
    alone: bool,
    act: impl FnMut(&mut dyn Comparison) -> Result<T, String>,
) -> Result<(T, Work, Makers), String> {
    keep_freed_memory();
    let (mut work, mut makers) = (Ok(Work::default()), Makers::default());
    let pair = |probe: &mut Probe<'_>| {
        if alone {
            probe.without_baseline();
        }
        run(probe);
        (work, makers) = (probe.work_of_call(), probe.makers());
    };
    let done = panics::catch(|| work_on(pair, act))?;
    let work = work?;
    Ok((done.unwrap_or_else(|| Err(MEASURES_NOTHING.to_owned()))?, work, makers))
}

pub(super) const MEASURES_NOTHING: &str = "its registration measures nothing";
