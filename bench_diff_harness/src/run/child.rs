//! The process of a round: does what it is asked for, pair by pair, and ends.

use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::time::Instant;

use bench_diff_core::SystemClocks;

use super::one_pair::{Finding, run_pair};
use super::output;
use super::protocol::{Answer, Line, PairRequest, Request};
use crate::call::allocations::count;
use crate::call::heap;
use crate::register::{RegisteredPair, Registry};
use crate::system::exit::Exit;
use crate::system::{lifeline, stderr};

/// Answers the request in this file. Whoever asked knows the machine and tells what there is to tell.
pub(crate) fn answer(request: &Path) -> Exit {
    let start = Instant::now();
    match try_answer(request, start) {
        Ok(()) => Exit::Success,
        Err(reason) => {
            stderr::error(reason);
            Exit::Error
        }
    }
}

fn try_answer(path: &Path, start: Instant) -> Result<(), String> {
    let request = Request::take(path)?;
    lifeline::end_with(lifeline::parent());
    let answer = Answer::to(path, &request);
    let emit = |line| answer.emit(line).map_err(|error| format!("cannot write what was found: {error}"));
    heap::begin_after(request.start.heap);
    // By the time that it would be dropped all has been said, and what `args` made could end the process
    // otherwise.
    let registry = ManuallyDrop::new(Registry::load().map_err(|error| error.to_string())?);
    let clocks = SystemClocks::new();
    let registered: HashMap<&str, &RegisteredPair> =
        registry.pairs().iter().map(|pair| (pair.name.as_str(), pair)).collect();
    let find = |pair: &PairRequest| -> Result<Finding, String> {
        let registered = registered.get(pair.name.as_str()).ok_or(NO_SUCH_PAIR)?;
        let run = registered.run.as_ref().map_err(String::clone)?;
        let instruments = request.costs.instruments(&clocks);
        run_pair(run, registered.arg.as_deref(), pair.task()?, request.start.stack, &instruments, count)
    };
    for (place, pair) in request.pairs.iter().enumerate() {
        emit(Line::Begun { pair: place, startup: start.elapsed(), printed: output::written(path) })?;
        emit(Line::Found { pair: place, found: Box::new(find(pair)) })?;
    }
    emit(Line::End)
}

const NO_SUCH_PAIR: &str = "its process has no pair of this name: `args` have to give the same values, without a panic, \
    in every process of this program";
