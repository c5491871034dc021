//! A process that takes turns with the functions that it is asked for, one after the other.
//!
//! ```text
//! process ─┬─ copy that visits an attribute ─┬─ copy that calls one of its functions
//!          │                                 └─ copy that calls another one
//!          └─ copy that visits another attribute ── …
//! ```
//!
//! Each function is called by a process that has called no other, since what others do to the heap decides
//! how fast it is. What registers the functions of an attribute may take seconds: it runs once for all that
//! are asked for in its order. A process that cannot be copied calls the first function and ends.

use std::io;
use std::ops::ControlFlow;
use std::process;

use bench_diff_core::SystemClocks;

use super::channel::Channel;
use super::message::{Answer, Begin};
use super::serve::{Serving, serve};
use crate::call::allocations::count;
use crate::call::heap;
use crate::register::{Case, MeasurePair, PairEntry, visit};
use crate::system::exit::Exit;
use crate::system::{copy, lifeline};

/// Answers all requests that come through the channel of this process.
///
/// # Errors
///
/// If there is no channel, or the run is gone.
pub(in crate::run) fn take_all_turns(attributes: &[PairEntry]) -> Result<(), String> {
    let mut channel =
        Channel::of_this_process().map_err(|error| format!("there is no channel to the run: {error}"))?;
    let process = process::id();
    while let Some(begin) = Begin::next(&channel) {
        if !copy::did_the_rest() {
            let is_copy = process::id() != process;
            return take_turns_of(attributes, begin, &mut channel, is_copy)
                .map_err(|error| format!("cannot tell what was found: {error}"));
        }
    }
    Ok(())
}

/// Answers this request, and those behind it as long as they are for pairs that follow in a visit of the same
/// attribute.
fn take_turns_of(
    attributes: &[PairEntry],
    begin: Begin,
    channel: &mut Channel,
    is_copy: bool,
) -> io::Result<()> {
    let process = process::id();
    heap::keep_blocks(begin.blocks);
    heap::begin_after(begin.heap);
    let mut visitor = Visitor { process, begin: Some(begin), channel, found: Found::Nothing };
    if let Some(entry) = attributes.get(begin.attribute) {
        // A panic before the pair leaves none of this name.
        let _ = visit(entry, false, &mut |case, run| visitor.comes_across(&case, run));
    }
    lifeline::end_copy_of(process);
    let Visitor { found, .. } = visitor;
    match found {
        Found::Nothing => Answer::NoSuchPair.send(channel),
        // After this process has come back from the attribute, which may clean up.
        Found::CalledHere if is_copy => Answer::Ended.send(channel),
        Found::CalledHere | Found::CalledByCopies => Ok(()),
    }
}

/// A process that visits an attribute.
struct Visitor<'c> {
    process: u32,
    /// The beginning of the request that stands next in the channel, if this process may answer it.
    begin: Option<Begin>,
    channel: &'c mut Channel,
    found: Found,
}

/// What became of the pairs that were asked for.
enum Found {
    Nothing,
    CalledByCopies,
    /// The last one, by the visitor itself.
    CalledHere,
}

impl Visitor<'_> {
    fn comes_across(&mut self, case: &Case, run: &mut MeasurePair<'_>) -> ControlFlow<()> {
        if let Some(begin) = self.begin.filter(|begin| begin.is_for(&case.name)) {
            lifeline::end_copy_of(self.process);
            if copy::did_the_rest() {
                self.found = Found::CalledByCopies;
                // If the run is gone, it asks for nothing more.
                let _ = Answer::Ended.send(self.channel);
                self.begin = Begin::next(self.channel).filter(|next| next.attribute == begin.attribute);
            } else {
                self.call(begin, case, run);
                self.found = Found::CalledHere;
                self.begin = None;
            }
        }
        if self.begin.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Calls the function in this process, which ends with it if it is a copy of the visitor.
    fn call(&mut self, begin: Begin, case: &Case, run: &mut MeasurePair<'_>) {
        let process = process::id();
        let told = begin.receive(self.channel).and_then(|request| {
            let serving = Serving { clocks: &SystemClocks::new(), count, request: &request };
            let done = case.can_run.clone().and_then(|()| serve(run, &serving, self.channel));
            lifeline::end_copy_of(process);
            Answer::Done(done).send(self.channel).map_err(|error| error.to_string())
        });
        if told.is_err() {
            // There is no run any more.
            Exit::Error.leave();
        }
        if process != self.process {
            // What the attribute has made is still in use: the visitor leaves it, and cleans up.
            process::exit(0);
        }
    }
}
