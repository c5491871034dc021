//! A process of a run: does what it is asked for, and ends. What is called here may do whatever it likes to
//! this process.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::panic;
use std::path::Path;
use std::process;

use bench_diff_core::{Chance, Functions, Seed, SlotTime, SystemClocks, Turn};

use super::one_pair::{Finding, Task, behind_anchor, run_pair};
use super::output;
use super::protocol::{AnswerWriter, Line, ListedRecord, PairRequest, Request, RoundRequest, TurnsRequest};
use super::turns::{self, Serving, serve};
use crate::call::allocations::{Count, count};
use crate::call::heap;
use crate::register::{Cases, PairEntry, RegisteredPair, attributes, pairs_of};
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
        None => list(&request.without, emit),
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

fn list(without: &[usize], emit: impl Fn(Line) -> Result<(), String>) -> Result<(), String> {
    emit(Line::Attributes { count: attributes().len() })?;
    for entry in attributes_but(without) {
        // What `args` made is for a round to drop.
        let pairs = ManuallyDrop::new(pairs_of(&entry));
        emit(Line::Listed { pairs: pairs.iter().map(|pair| ListedRecord::new(&entry, pair)).collect() })?;
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
    let pairs: ManuallyDrop<Vec<RegisteredPair>> =
        ManuallyDrop::new(attributes_but(without).flat_map(|entry| pairs_of(&entry)).collect());
    let clocks = SystemClocks::new();
    let registered: HashMap<&str, &RegisteredPair> =
        pairs.iter().map(|pair| (pair.name.as_str(), pair)).collect();
    let find = |pair: &PairRequest| -> Result<Finding, String> {
        let registered = registered.get(pair.name.as_str()).ok_or(NO_SUCH_PAIR)?;
        let run = registered.run.as_ref().map_err(String::clone)?;
        let instruments = round.costs.instruments(&clocks);
        let task = pair.task()?;
        let found = run_pair(run, registered.arg.as_deref(), task, round.start.stack, &instruments, count)?;
        let turn: fn(Turn, &mut Functions<'_>, &mut Chance) -> SlotTime = turn;
        let roots = (task == Task::Compare)
            .then(|| behind_anchor([registered.cases as fn(&mut Cases) as usize, turn as usize]));
        Ok(Finding { roots, ..found })
    };
    for (place, pair) in round.pairs.iter().enumerate() {
        emit(Line::Begun { pair: place, printed: output::written(path) })?;
        emit(Line::Found { pair: place, found: Box::new(find(pair)) })?;
    }
    emit(Line::End)
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
    let TurnsRequest { attribute, name, start: memory, blocks, stacks, cpu, counts } = request;
    let process = process::id();
    // They stay: where they were, a function of a program with more of them would find more room.
    let attributes = ManuallyDrop::new(attributes());
    heap::keep_blocks(Seed(*blocks));
    heap::begin_after(memory.heap);
    // What other functions do to the heap decides how fast this one is: theirs are not evaluated.
    let pairs = ManuallyDrop::new(attributes.get(*attribute).map(pairs_of).unwrap_or_default());
    let pair = pairs.iter().find(|pair| pair.name == *name).ok_or(NO_SUCH_PAIR.to_owned());
    let clocks = SystemClocks::new();
    let serving = Serving {
        clocks: &clocks,
        count: counts.then_some(count as Count),
        seed: Seed(*stacks),
        stack: memory.stack,
        cpu: *cpu,
    };
    let done = pair
        .and_then(|pair| pair.run.as_ref().map_err(String::clone))
        .and_then(|run| serve(run, &serving, channel));
    lifeline::end_copy_of(process);
    turns::Answer::Done(done).send(channel).map_err(|error| format!("cannot tell what was found: {error}"))
}

const NO_SUCH_PAIR: &str = "its process has no pair of this name: `args` have to give the same values, without a panic, \
    in every process of this program";
