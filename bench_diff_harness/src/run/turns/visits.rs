//! A process that takes turns with its functions, which the run requests one after the other.
//!
//! ```text
//! process ─┬─ copy that visits an attribute ─┬─ copy that calls one of its functions
//!          │                                 └─ copy that calls another one
//!          └─ copy that visits another attribute ── …
//! ```
//!
//! Each function is called by a process that has called no other function, since the state that other
//! functions leave in the heap affects its speed. Registering the functions of an attribute may take seconds,
//! so one visit serves all requests that come in its order. A process that cannot be copied calls the first
//! function and ends.

use std::io;
use std::ops::ControlFlow;
use std::process;

use bench_diff_core::SystemClocks;
use bench_diff_system::exit::Exit;
use bench_diff_system::{copy, lifeline};

use super::answer::Answer;
use super::channel::{self, Channel};
use super::instruction::{Begin, CallsRequest};
use super::serve::{Serving, serve};
use crate::call::allocations::count;
use crate::call::heap;
use crate::register::{Case, MeasurePair, PairEntry, visit};
use crate::run::search::Search;

/// Answers all requests that come through the channel of this process.
///
/// # Errors
///
/// If there is no channel, or the run is gone.
pub(in crate::run) fn take_all_turns(attributes: &[PairEntry]) -> Result<(), String> {
    let mut channel =
        channel::of_this_process().map_err(|error| format!("there is no channel to the run: {error}"))?;
    let process = process::id();
    while let Some(begin) = Begin::next(&channel) {
        if !copy::did_the_rest() {
            let is_copy = process::id() != process;
            return take_turns_of(attributes, begin, &mut channel, is_copy)
                .map_err(|error| format!("cannot write what was found: {error}"));
        }
    }
    Ok(())
}

/// Answers this request and the ones after it, as long as their pairs follow in the same visit of the
/// attribute.
fn take_turns_of(
    attributes: &[PairEntry],
    begin: Begin,
    channel: &mut Channel,
    is_copy: bool,
) -> io::Result<()> {
    let process = process::id();
    let since = heap::keep_blocks(begin.blocks);
    heap::begin_after(begin.heap);
    let search = Search::default();
    let mut visitor = Visitor { process, since, begin: Some(begin), search, channel, found: Found::Nothing };
    if let Some(entry) = attributes.get(begin.key.attribute) {
        loop {
            visitor.search.begin(begin.key.attribute);
            // If a panic comes before the pair, there is no pair of this name.
            let _ = visit(entry, &mut |case, run| visitor.meet(&case, run));
            lifeline::end_copy_of(process);
            if !matches!(visitor.found, Found::Nothing) || !visitor.search.goes_on(begin.key) {
                break;
            }
        }
    }
    let Visitor { found, .. } = visitor;
    match found {
        Found::Nothing => Answer::NoSuchPair.send(channel),
        // Only now, since the attribute may clean up after the visit.
        Found::CalledHere if is_copy => Answer::Ended.send(channel),
        Found::CalledHere | Found::CalledByCopies => Ok(()),
    }
}

/// A process that visits an attribute.
struct Visitor<'c> {
    process: u32,
    /// The highest address of the blocks that it keeps.
    since: usize,
    /// The beginning of the next request in the channel, if this process may answer it.
    begin: Option<Begin>,
    search: Search,
    channel: &'c mut Channel,
    found: Found,
}

/// What happened to the requested pairs.
enum Found {
    Nothing,
    CalledByCopies,
    /// The visitor itself called the last one.
    CalledHere,
}

impl Visitor<'_> {
    fn meet(&mut self, case: &Case, run: &mut MeasurePair<'_>) -> ControlFlow<()> {
        self.search.meet(&case.name);
        if let Some(begin) = self.begin.filter(|begin| self.search.is_at(begin.key)) {
            lifeline::end_copy_of(self.process);
            if copy::did_the_rest() {
                self.found = Found::CalledByCopies;
                // If the run is gone, there is no next request.
                let _ = Answer::Ended.send(self.channel);
                self.begin =
                    Begin::next(self.channel).filter(|next| next.key.attribute == begin.key.attribute);
            } else {
                self.call(case, run, self.search.is_renamed(begin.key));
                self.found = Found::CalledHere;
                self.begin = None;
            }
        }
        if self.begin.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Calls the function in this process. If this is a copy of the visitor, the process ends afterwards.
    fn call(&mut self, case: &Case, run: &mut MeasurePair<'_>, is_renamed: bool) {
        let process = process::id();
        let sent = CallsRequest::receive(self.channel).and_then(|request| {
            let clocks = &SystemClocks::new();
            let serving = Serving { clocks, count, request: &request, since: self.since, is_renamed };
            let done = case.require_measurable().and_then(|()| serve(run, &serving, self.channel));
            lifeline::end_copy_of(process);
            Answer::Done(done).send(self.channel).ok()
        });
        if sent.is_none() {
            // The run is gone.
            Exit::Error.leave();
        }
        if process != self.process {
            // The attribute's values are still in use here; the visitor leaves the attribute and cleans
            // up.
            process::exit(0);
        }
    }
}
