//! A process of a run: does what it is asked for, and ends. What is called here may do whatever it likes to
//! this process.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::panic;
use std::path::Path;
use std::process;

use bench_diff_core::{Chance, Functions, Seed, SlotTime, SystemClocks, Turn};

use super::one_pair::{Entries, Finding, Task, inputs_of, run_pair, with_functions_of};
use super::output;
use super::protocol::{AnswerWriter, Line, ListedRecord, PairRequest, Request, RoundRequest, TurnsRequest};
use super::turns::{self, Serving, serve};
use crate::call::allocations::count;
use crate::call::heap;
use crate::call::probe::Maker;
use crate::layout::symbol;
use crate::register::{Cases, MeasurePair, PairEntry, RegisteredPair, attributes, pairs_of, shown_pairs_of};
use crate::system::exit::Exit;
use crate::system::{copy, lifeline, stderr};

/// Answers the request in this file. Whoever asked knows the machine and tells what there is to tell.
pub(crate) fn answer(request: &Path) -> Exit {
    match try_answer(request) {
        Ok(()) => Exit::Success,
        Err(reason) => {
            stderr::error(reason);
            // A function may have left an exit handler that never returns.
            Exit::Error.leave()
        }
    }
}

/// Succeeds if this program finds its attributes and unwinds, which one that was linked again may not.
pub(crate) fn try_out() -> Exit {
    lifeline::end_with(lifeline::parent());
    if cfg!(panic = "unwind") {
        let _ = panic::catch_unwind(|| panic::resume_unwind(Box::new(())));
    }
    if attributes().is_empty() { Exit::Error } else { Exit::Success }
}

fn try_answer(path: &Path) -> Result<(), String> {
    let request = Request::take(path)?;
    lifeline::end_with(request.run);
    let answer = AnswerWriter::to(path, &request);
    let emit = |line| answer.emit(line).map_err(|error| format!("cannot write what was found: {error}"));
    match &request.round {
        None if request.takes_turns => take_all_turns(),
        None => list(&request, emit),
        Some(round) => {
            heap::begin_after(round.start.heap);
            measure(&request.without, round, path, emit)
        }
    }
}

/// The attributes but those in these places.
fn attributes_but(without: &[usize]) -> impl Iterator<Item = PairEntry> {
    let places = attributes().into_iter().enumerate();
    places.filter(|(place, _)| !without.contains(place)).map(|(_, entry)| entry)
}

fn list(request: &Request, emit: impl Fn(Line) -> Result<(), String>) -> Result<(), String> {
    emit(Line { attributes: Some(attributes().len()), ..Line::default() })?;
    let pairs_of = if request.shows_args { shown_pairs_of } else { pairs_of };
    for entry in attributes_but(&request.without) {
        // What `args` made is for a round to drop.
        let pairs = ManuallyDrop::new(pairs_of(&entry));
        let listed = pairs.iter().map(|pair| ListedRecord::new(&entry, pair)).collect();
        emit(Line { pairs: Some(listed), ..Line::default() })?;
    }
    Ok(())
}

fn measure(
    without: &[usize],
    round: &RoundRequest,
    path: &Path,
    emit: impl Fn(Line) -> Result<(), String>,
) -> Result<(), String> {
    // By the time that they would be dropped all has been said, and what `args` made could end the process
    // otherwise.
    let shows = |pair: &PairRequest| matches!(pair.task(), Ok(Task::Show));
    let pairs_of = if round.pairs.iter().any(shows) { shown_pairs_of } else { pairs_of };
    let pairs: ManuallyDrop<Vec<RegisteredPair>> =
        ManuallyDrop::new(attributes_but(without).flat_map(|entry| pairs_of(&entry)).collect());
    let clocks = SystemClocks::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, pair) in pairs.iter().enumerate() {
        places.insert(&pair.name, place);
    }
    let find = |pair: &PairRequest| -> Result<Finding, String> {
        let registered = &pairs[*places.get(pair.name.as_str()).ok_or(NO_SUCH_PAIR)?];
        let run = registered.run.as_ref().map_err(String::clone)?;
        match pair.task()? {
            Task::Compare => entries_of(run, registered.cases),
            Task::Show => shown(run, registered.arg_digest),
            task => {
                let instruments = round.costs.instruments(&clocks);
                run_pair(run, registered.arg.as_deref(), task, round.start.stack, &instruments, count)
            }
        }
    };
    for (place, pair) in round.pairs.iter().enumerate() {
        emit(Line { begun: Some((place, output::written(path))), ..Line::default() })?;
        emit(match find(pair) {
            Ok(finding) => Line { found: Some((place, finding)), ..Line::default() },
            Err(reason) => Line { failed: Some((place, reason)), ..Line::default() },
        })?;
    }
    emit(Line { end: Some(true), ..Line::default() })
}

/// The symbol of the run, by which that finds itself in the program as the linker describes it.
pub(crate) const ANCHOR: &str = symbol!("the_run");

#[expect(unsafe_code, reason = "of the function nothing but its address is used")]
unsafe extern "Rust" {
    #[link_name = symbol!("the_run")]
    fn the_run();
}

/// The offsets of the functions of a pair, which are not called.
///
/// # Errors
///
/// A panic, or the problem with the work of a call.
fn entries_of(run: &MeasurePair, cases: fn(&mut Cases)) -> Result<Finding, String> {
    let (functions, work, makers) = with_functions_of(run, false, |functions| Ok(functions.entries()))?;
    let turn: fn(Turn, &mut Functions<'_>, &mut Chance) -> SlotTime = turn;
    let anchor = the_run as unsafe fn() as usize;
    let behind = |code: usize| code.wrapping_sub(anchor) as i64;
    let entries = functions.map(|[candidate, baseline]| Entries {
        candidate: behind(candidate),
        baseline: behind(baseline),
        registers: behind(cases as usize),
        times: behind(turn as usize),
        makers: makers.into_iter().flatten().map(|made| (made.maker, behind(made.code))).collect(),
    });
    Ok(Finding { entries, work, ..Finding::default() })
}

/// Digests of what a pair would work on.
///
/// # Errors
///
/// A panic in what makes it.
fn shown(run: &MeasurePair, arg: Option<u64>) -> Result<Finding, String> {
    let made = inputs_of(run)?.into_iter().flatten().map(|made| (made.maker, made.digest));
    let inputs = [(Maker::Args, arg)].into_iter().chain(made).collect();
    Ok(Finding { inputs: Some(inputs), ..Finding::default() })
}

/// A turn by the clocks of the system: code that two programs have to share.
fn turn(turn: Turn, functions: &mut Functions<'_>, chance: &mut Chance) -> SlotTime {
    turn.measure(&SystemClocks::new(), functions, chance)
}

/// Has one function after the other called, each by a copy of this process, which has called no other. Where
/// there can be no copies, this process calls the first one and ends.
fn take_all_turns() -> Result<(), String> {
    let mut channel = turns::Channel::of_this_process()
        .map_err(|error| format!("there is no channel to the run: {error}"))?;
    while let Some(length) = turns::next_request(&mut channel) {
        if copy::did_the_rest() {
            let told = turns::Answer::Ended.send(&mut channel);
            told.map_err(|error| format!("cannot tell of an end: {error}"))?;
            continue;
        }
        return take_turns(&TurnsRequest::receive(&mut channel, length)?, &mut channel);
    }
    Ok(())
}

/// Calls a function whenever it is its turn.
fn take_turns(request: &TurnsRequest, channel: &mut turns::Channel) -> Result<(), String> {
    let process = process::id();
    // They stay: where they were, a function of a program with more of them would find more room.
    let attributes = ManuallyDrop::new(attributes());
    heap::keep_blocks(Seed(request.blocks));
    heap::begin_after(request.start.heap);
    // What other functions do to the heap decides how fast this one is: theirs are not evaluated.
    let pairs = ManuallyDrop::new(attributes.get(request.attribute).map(pairs_of).unwrap_or_default());
    let serving = Serving { clocks: &SystemClocks::new(), count, request };
    let answer = match pairs.iter().find(|pair| pair.name == request.name) {
        Some(RegisteredPair { run, .. }) => {
            let run = run.as_ref().map_err(String::clone);
            turns::Answer::Done(run.and_then(|run| serve(run, &serving, channel)))
        }
        None => turns::Answer::NoSuchPair,
    };
    lifeline::end_copy_of(process);
    answer.send(channel).map_err(|error| format!("cannot tell what was found: {error}"))
}

pub(super) const NO_SUCH_PAIR: &str = "its process has no pair of this name: `args` have to give the same values, without a panic, \
    in every process of this program";
