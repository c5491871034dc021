//! The start of a bench: answers the request of a round, or starts the run.
//!
//! The run can be reached only through one symbol. The binaries of rounds are linked with another function in
//! its place, so the linker leaves out everything that only the run needs.

use std::ffi::OsString;
use std::hint::black_box;
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use bench_diff_binary::{TRY_OUT, symbol};
use bench_diff_system::exit::Exit;
use bench_diff_system::stderr;

use crate::program;
use crate::register::{Cases, Location, PairEntry};
use crate::run;
use crate::settings::{Mode, Target};

/// Runs the pairs of these entries as the arguments of the process say, and returns the exit code of the run,
/// which is 3 if bench_diff itself panics. A process that the run has started to list or to measure ends in
/// this call and never returns.
#[must_use]
pub fn run(target: Target, entries: Vec<PairEntry>) -> ExitCode {
    run_in_mode(None, target, entries)
}

/// Like [`run`], in this mode instead of the one that the arguments select; `None` changes nothing.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "the list is not needed afterwards")]
pub fn run_in_mode(mode: Option<Mode>, target: Target, entries: Vec<PairEntry>) -> ExitCode {
    end_of_run(mode, &target, &entries).into()
}

fn end_of_run(mode: Option<Mode>, target: &Target, entries: &[PairEntry]) -> Exit {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    // A bug of the harness must not look like a failed gate, which has the exit code of a panic.
    panic::catch_unwind(|| start(arguments, mode, target, entries)).unwrap_or(Exit::Error)
}

/// Runs the benchmarks of a `main` that is written by hand, which `cases` registers in processes that ask for
/// them, once in each. `place` is in that `main`. The process has to end afterwards.
pub fn run_by_hand(place: Location, cases: fn(&mut Cases<'_>)) -> Exit {
    let target = Target { file: place.file, by_hand: true, ..Target::default() };
    end_of_run(None, &target, &[PairEntry::new(place, "main", cases).may_be_empty()])
}

fn start(arguments: Vec<OsString>, mode: Option<Mode>, target: &Target, entries: &[PairEntry]) -> Exit {
    let exit = match &arguments[..] {
        [flag, request, ..] if flag == run::FLAG => run::answer(Path::new(request), entries),
        [flag] if flag == TRY_OUT => run::try_out(entries),
        // The call is opaque: the compiler must not assume properties of one function that the other one
        // lacks.
        _ => {
            let run = black_box(the_run as fn(Vec<OsString>, Option<Mode>, &Target, &[PairEntry]) -> Exit);
            return run(arguments, mode, target, entries);
        }
    };
    // These processes never return to the user's `main`, which may clean up at its end: only the run may. A
    // `main` that is written by hand may already have ended.
    if target.by_hand { exit } else { exit.end() }
}

#[expect(unsafe_code, reason = "the symbol contains the version, so no other function has it")]
#[unsafe(export_name = symbol!("the_run"))]
#[inline(never)]
fn the_run(arguments: Vec<OsString>, mode: Option<Mode>, target: &Target, entries: &[PairEntry]) -> Exit {
    program::run(arguments, mode, target, entries)
}

/// The replacement of the run in the binary of a round.
#[expect(unsafe_code, reason = "the symbol contains the version, so no other function has it")]
#[unsafe(export_name = symbol!("no_run"))]
fn no_run(_: Vec<OsString>, _: Option<Mode>, _: &Target, _: &[PairEntry]) -> Exit {
    stderr::error("this binary is one layout of a run and cannot be started alone: start the bench itself");
    Exit::Usage
}
