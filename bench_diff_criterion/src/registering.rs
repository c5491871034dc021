//! Connects a [`Criterion`](crate::Criterion), which borrows nothing, with the cases of the running target.

use std::cell::Cell;
use std::process;
use std::ptr::NonNull;

use bench_diff_harness::front_end::Cases;

thread_local! {
    /// The cases of the target that runs on this thread, unless they are in use. A benchmark can be proven
    /// unchanged only if no code except the registration of benchmarks accesses the variables of the
    /// registration.
    static CASES: Cell<Option<NonNull<Cases<'static>>>> = const { Cell::new(None) };
}

/// Runs a target. Its benchmarks are added to these cases.
pub fn register(cases: &mut Cases<'_>, target: impl FnOnce()) {
    /// Removes the cases when the target ends, even by a panic.
    struct Guard;

    impl Drop for Guard {
        fn drop(&mut self) {
            CASES.take();
        }
    }

    CASES.set(Some(NonNull::from_mut(cases).cast()));
    let _guard = Guard;
    target();
}

/// Calls `add` with the cases of the running target.
///
/// # Panics
///
/// If no target runs.
pub(crate) fn with_cases(add: impl FnOnce(&mut Cases<'_>)) {
    // Printing the message here would give the benchmark access to more variables.
    let Some(mut cases) = CASES.take() else { panic!("{NOT_RUN}") };
    #[expect(unsafe_code, reason = "a `Criterion` cannot hold the cases, since it has no lifetime")]
    // SAFETY: `register` borrows the cases mutably, and removes the pointer before that borrow ends. The
    // pointer is taken out here, so there is no second reference. `add` works for any lifetime of the cases.
    add(unsafe { cases.as_mut() });
    CASES.set(Some(cases));
}

/// The message for a bench with a hand-written `main`.
const NOT_RUN: &str =
    "bench_diff runs what `criterion_main!` names: write `criterion_main!(group, ...)` in place of `fn main`";

/// Ends a process whose benchmarks `criterion_main!` does not run.
#[cold]
pub(crate) fn not_run_by_criterion_main() -> ! {
    /// The exit code of a bench that cannot run.
    const CANNOT_RUN: i32 = 3;

    eprintln!("error: {NOT_RUN}");
    process::exit(CANNOT_RUN)
}
