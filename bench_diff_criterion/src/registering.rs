//! The way from a [`Criterion`](crate::Criterion), which borrows nothing, to the cases of the target that
//! runs.

use std::cell::Cell;
use std::process;
use std::ptr::NonNull;

use bench_diff_harness::front_end::Cases;

thread_local! {
    /// The cases of the target that runs on this thread, unless they are in use. A benchmark is proven
    /// unchanged only if nothing but the code that registers benchmarks gets at its variables, so nothing
    /// else may here.
    static CASES: Cell<Option<NonNull<Cases<'static>>>> = const { Cell::new(None) };
}

/// Runs a target, whose benchmarks are added to these cases.
pub fn register(cases: &mut Cases<'_>, target: impl FnOnce()) {
    /// Takes the cases away when the target ends, also by unwinding.
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

/// Calls `add` with the cases of the target that runs.
///
/// # Panics
///
/// If none does.
pub(crate) fn with_cases(add: impl FnOnce(&mut Cases<'_>)) {
    // To print it would be one more thing that a benchmark has to do with.
    let Some(mut cases) = CASES.take() else { panic!("{NOT_RUN}") };
    #[expect(unsafe_code, reason = "a `Criterion` cannot hold the cases, since it has no lifetime")]
    // SAFETY: `register` borrows the cases mutably, and takes the pointer away before that ends. Here the
    // pointer is taken out, so that there is no second reference. `add` works for any lifetime of the cases.
    add(unsafe { cases.as_mut() });
    CASES.set(Some(cases));
}

/// The message if a bench has a `main` written by hand.
const NOT_RUN: &str =
    "bench_diff runs what `criterion_main!` names: write `criterion_main!(group, ...)` in place of `fn main`";

/// Ends a process whose benchmarks are not run by `criterion_main!`.
#[cold]
pub(crate) fn not_run_by_criterion_main() -> ! {
    /// The exit code of a bench that cannot run.
    const CANNOT_RUN: i32 = 3;

    eprintln!("error: {NOT_RUN}");
    process::exit(CANNOT_RUN)
}
