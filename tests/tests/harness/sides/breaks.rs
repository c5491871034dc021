//! Functions of both revisions that break, in every way there is: at their first call or at a later one, on
//! one side or on both.

use std::cell::Cell;
use std::{env, fs, path, process, ptr, thread};

use bench_diff_harness::bench_diff;

use crate::IS_NEW;
use crate::ways::{ENDLESS, WAYS};
use crate::work::work;

/// The first call that breaks of a function that does so later.
const LATER: u64 = 40;

type Result = std::result::Result<u64, &'static str>;

fn never(_: &str) -> Result {
    panic!("nobody calls it")
}

fn ways() -> impl Iterator<Item = &'static str> {
    WAYS.into_iter().chain(ENDLESS)
}

#[bench_diff(baseline = never, args = ways())]
fn new(way: &str) -> Result {
    break_from(1, way, IS_NEW)
}

#[bench_diff(baseline = never, args = ways())]
fn new_later(way: &str) -> Result {
    break_from(LATER, way, IS_NEW)
}

#[bench_diff(baseline = never, args = ways())]
fn old(way: &str) -> Result {
    break_from(1, way, !IS_NEW)
}

#[bench_diff(baseline = never, args = ways())]
fn old_later(way: &str) -> Result {
    break_from(LATER, way, !IS_NEW)
}

#[bench_diff(baseline = never, args = ways())]
fn both(way: &str) -> Result {
    break_from(1, way, true)
}

#[bench_diff(baseline = never, args = ways())]
fn both_later(way: &str) -> Result {
    break_from(LATER, way, true)
}

/// In the old revision at once, and in the new one later.
#[bench_diff(baseline = never, args = ["panics", "exits", "crashes"])]
fn old_first(way: &str) -> Result {
    // Three calls come before the first turn.
    break_from(if IS_NEW { 4 } else { 1 }, way, true)
}

/// Crashes once in the whole run.
#[bench_diff(baseline = never, args = ["crashes", "exits"])]
fn once(way: &str) -> Result {
    let is_first = || {
        let folder = env::var_os("NOTES").expect("the test names it");
        fs::File::create_new(path::Path::new(&folder).join(way)).is_ok()
    };
    break_from(1, way, !IS_NEW && is_first())
}

/// Breaks in this way from this call of the process on.
fn break_from(call: u64, way: &str, breaks: bool) -> Result {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    CALLS.set(CALLS.get() + 1);
    if breaks && CALLS.get() >= call { misbehave(way) } else { Ok(work(2_000)) }
}

/// Breaks, or never returns.
pub(crate) fn misbehave(way: &str) -> Result {
    match way {
        "panics" => panic!("out of luck"),
        "returns_an_error" => Err("out of luck"),
        "exits" => process::exit(0),
        "aborts" => process::abort(),
        #[cfg(unix)]
        _ => meddle(way),
        #[cfg(not(unix))]
        _ => hang(),
    }
}

pub(crate) fn hang() -> ! {
    loop {
        thread::park();
    }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "the standard library has no such requests")]
fn meddle(way: &str) -> Result {
    let raise = |signal| unsafe { libc::raise(signal) };
    match way {
        "crashes" => raise(libc::SIGILL),
        "is_killed" => raise(libc::SIGKILL),
        "is_terminated" => raise(libc::SIGTERM),
        "is_stopped" => raise(libc::SIGSTOP),
        "becomes_another_program" => {
            let nothing: *const libc::c_char = ptr::null();
            unsafe { libc::execl(c"/bin/true".as_ptr(), c"true".as_ptr(), nothing) }
        }
        "closes_files" => (0..1024).map(|file| unsafe { libc::close(file) }).fold(0, i32::min),
        _ => hang(),
    };
    Ok(work(2_000))
}
