//! Connects a [`Criterion`](crate::Criterion), which borrows nothing, with the cases of the running target.

use std::cell::Cell;
use std::ptr::NonNull;

use bench_diff_harness::front_end::{Cases, Location, cannot_run};

use crate::main_by_hand;

thread_local! {
    /// The target that runs on this thread. A benchmark can be proven unchanged only if no code except the
    /// registration of benchmarks accesses the variables of the registration.
    static RUNNING: Cell<Running> = const { Cell::new(Running::Nothing) };
}

/// What a thread runs.
#[derive(Clone, Copy)]
enum Running {
    Nothing,
    /// A target, whose benchmarks are added to these cases.
    Target(NonNull<Cases<'static>>),
    /// A target that is adding a benchmark, which may be measured meanwhile.
    Benchmark,
}

/// Runs a target. Its benchmarks are added to these cases.
pub fn register(cases: &mut Cases<'_>, target: impl FnOnce()) {
    /// Removes the cases when the target ends, even by a panic.
    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            RUNNING.set(Running::Nothing);
        }
    }

    RUNNING.set(Running::Target(NonNull::from_mut(cases).cast()));
    let _guard = Guard;
    target();
}

/// Called at this place, begins a `main` that is written by hand, if no target runs.
pub(crate) fn begin_in_main(place: Location) {
    if matches!(RUNNING.get(), Running::Nothing) {
        RUNNING.set(Running::Target(main_by_hand::begin(place)));
    }
}

/// Lets this thread add no more benchmarks. Returns whether it is adding one, where the process may end.
#[allow(dead_code, reason = "only a `main` that is written by hand calls it, and only where that can run")]
pub(crate) fn close() -> bool {
    matches!(RUNNING.replace(Running::Benchmark), Running::Benchmark)
}

/// Calls `add` with the cases of the running target. If there is none, ends the process.
///
/// # Panics
///
/// If a benchmark adds another one.
pub(crate) fn with_cases(add: impl FnOnce(&mut Cases<'_>)) {
    let mut cases = match RUNNING.replace(Running::Benchmark) {
        Running::Nothing => not_in_this_thread(),
        Running::Target(cases) => cases,
        Running::Benchmark => panic!("a benchmark cannot add another benchmark"),
    };
    #[expect(unsafe_code, reason = "a `Criterion` cannot hold the cases, since it has no lifetime")]
    // SAFETY: `register` borrows the cases mutably, and removes the pointer before that borrow ends; a `main`
    // that is written by hand adds nothing after it has resumed the run, where its borrow ends. The pointer
    // is taken out here, so there is no second reference. `add` works for any lifetime of the cases.
    add(unsafe { cases.as_mut() });
    RUNNING.set(Running::Target(cases));
}

/// Ends a process in which a `Criterion` was sent to another thread.
#[cold]
fn not_in_this_thread() -> ! {
    cannot_run("only the thread that got a `Criterion` can register benchmarks with it")
}
