//! A child process of a run: it carries out one request and ends. The user's code that is called here may do
//! anything to this process.

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::panic;
use std::path::Path;

use bench_diff_binary::Entries;
use bench_diff_core::{Chance, Functions, SlotTime, SystemClocks, Turn};
use bench_diff_system::exit::Exit;
use bench_diff_system::{lifeline, stderr};

use super::one_pair::{Finding, Task, run_pair, with_functions_of};
use super::output;
use super::protocol::{AnswerWriter, Line, ListedRecord, PairRequest, Request, RoundRequest};
use super::search::Search;
use super::turns;
use crate::call::allocations::count;
use crate::call::heap;
use crate::register::{Case, MeasurePair, PairEntry, cases_of, visit};

/// Answers the request in this file about the pairs of these attributes. The run reports on the machine; this
/// process only measures.
pub(crate) fn answer(request: &Path, attributes: &[PairEntry]) -> Exit {
    match try_answer(request, attributes) {
        Ok(()) => Exit::Success,
        Err(reason) => {
            stderr::error(reason);
            // A function may have left an exit handler that never returns.
            Exit::Error.leave()
        }
    }
}

/// Succeeds if this binary has found its attributes and can unwind. A relinked binary may fail at either.
pub(crate) fn try_out(attributes: &[PairEntry]) -> Exit {
    lifeline::end_with(lifeline::parent());
    if cfg!(panic = "unwind") {
        let _ = panic::catch_unwind(|| panic::resume_unwind(Box::new(())));
    }
    if attributes.is_empty() { Exit::Error } else { Exit::Success }
}

fn try_answer(path: &Path, attributes: &[PairEntry]) -> Result<(), String> {
    let request = Request::take(path)?;
    lifeline::end_with(request.run);
    if request.takes_turns {
        return turns::take_all_turns(attributes);
    }
    let answer = AnswerWriter::to(path);
    let written = match &request.round {
        None => list(&request, attributes, |line| answer.emit(&line)),
        Some(round) => {
            heap::begin_after(round.start.heap);
            measure(attributes, round, path, |line| answer.emit(&line))
        }
    };
    written.map_err(|error| format!("cannot write what was found: {error}"))
}

fn list(
    request: &Request,
    attributes: &[PairEntry],
    emit: impl Fn(Line) -> io::Result<()>,
) -> io::Result<()> {
    emit(Line::Attributes(attributes.len()))?;
    for (index, entry) in attributes.iter().enumerate() {
        if !request.without.contains(&index) {
            let cases = cases_of(entry);
            let listed = cases.iter().map(|case| ListedRecord::new(entry, case)).collect();
            emit(Line::Pairs(listed))?;
        }
    }
    Ok(())
}

fn measure(
    attributes: &[PairEntry],
    round: &RoundRequest,
    path: &Path,
    emit: impl Fn(Line) -> io::Result<()>,
) -> io::Result<()> {
    let clocks = SystemClocks::new();
    let mut untold = attributes;
    let mut find = |pair: &PairRequest, case: &Case, run: &mut MeasurePair<'_>| -> Result<Finding, String> {
        case.require_measurable()?;
        match pair.task() {
            Task::Compare => entries_of(run, case, &attributes[pair.key.attribute], &mut untold),
            task => {
                let instruments = round.costs.instruments(&clocks);
                run_pair(run, case.arg.as_deref(), task, round.start.stack, &instruments, count)
            }
        }
    };
    let mut requests = round.pairs.iter().enumerate().peekable();
    let mut search = Search::default();
    while let Some(&(first, &PairRequest { key, .. })) = requests.peek() {
        search.begin(key.attribute);
        let mut written = Ok(());
        // If the requested pairs are in the order of the source, one visit finds all pairs of an
        // attribute.
        let mut meet = |case: Case, run: &mut MeasurePair<'_>| {
            search.meet(&case.name);
            if let Some((_, pair)) = requests.next_if(|(_, pair)| search.is_at(pair.key)) {
                let begun = emit(Line::Begun { printed: output::written(path) });
                written = begun.and_then(|()| {
                    emit(match find(pair, &case, run) {
                        Ok(mut finding) => {
                            finding.is_renamed = search.is_renamed(pair.key);
                            Line::Found(Box::new(finding))
                        }
                        Err(reason) => Line::Failed(reason),
                    })
                });
            }
            let is_next = requests.peek().is_some_and(|(_, next)| next.key.attribute == key.attribute);
            if written.is_ok() && is_next { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let visited = attributes.get(key.attribute).map_or(Ok(()), |entry| visit(entry, &mut meet));
        written?;
        if requests.peek().is_some_and(|(index, _)| *index == first) && !search.goes_on(key) {
            let failed = match visited {
                Ok(()) => NO_SUCH_PAIR.to_owned(),
                Err(reason) => format!("{NO_SUCH_PAIR}; it {reason}"),
            };
            emit(Line::Begun { printed: output::written(path) })?;
            emit(Line::Failed(failed))?;
            requests.next();
        }
    }
    emit(Line::End)
}

#[expect(unsafe_code, reason = "only the address of the function is used")]
unsafe extern "Rust" {
    #[link_name = bench_diff_binary::symbol!("the_run")]
    fn the_run();
}

/// The offsets of the functions of a pair; the functions are not called. `untold` are the attributes of which
/// no earlier pair has told the offsets.
///
/// # Errors
///
/// A panic, or an error in the declared work of a call.
fn entries_of(
    run: &mut MeasurePair<'_>,
    case: &Case,
    entry: &PairEntry,
    untold: &mut &[PairEntry],
) -> Result<Finding, String> {
    let (functions, work) = with_functions_of(run, false, |functions| Ok(functions.entries()))?;
    let turn: fn(Turn, &mut Functions<'_>, &mut Chance) -> SlotTime = turn;
    let anchor = the_run as unsafe fn() as usize;
    let offset = |code: usize| code.wrapping_sub(anchor) as i64;
    let entries = functions.map(|[candidate, baseline]| Entries {
        candidate: offset(candidate),
        baseline: offset(baseline),
        body: case.body.map(offset),
        registers: offset(entry.cases as usize),
        attributes: mem::take(untold).iter().map(|entry| offset(entry.cases as usize)).collect(),
        times: offset(turn as usize),
    });
    Ok(Finding { entries, work, ..Finding::default() })
}

/// A turn by the clocks of the system. This code has to be the same in both binaries of a comparison.
fn turn(turn: Turn, functions: &mut Functions<'_>, chance: &mut Chance) -> SlotTime {
    turn.measure(&SystemClocks::new(), functions, chance)
}

pub(super) const NO_SUCH_PAIR: &str = "its process has no pair of this name: `args` have to give the same values, without a panic, \
    in every process of this binary";
