//! A `main` that is written by hand: it makes a [`Criterion`](crate::Criterion) or calls groups.
//!
//! A run calls whatever registers benchmarks, but nothing can call `main`. So the run is a coroutine, which
//! `main` starts in [`begin`]. It goes back to `main` only in processes that ask for the benchmarks, and is
//! resumed in [`end`], or else when `main` has returned.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use bench_diff_harness::front_end::{Cases, Location, cannot_run, run_by_hand, symbol};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

use crate::registering::close;

/// The cases that a process asks for.
type Wanted = NonNull<Cases<'static>>;

/// The stack of a run, in bytes: as much as that of `main`.
const STACK: usize = 8 << 20;

thread_local! {
    /// The run, while `main` registers.
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
    /// Where the run goes back to `main`.
    static BACK: Cell<Option<NonNull<Yielder<(), Wanted>>>> = const { Cell::new(None) };
}

/// A run that waits until everything is registered. Dropping the coroutine would unwind it.
struct Run(ManuallyDrop<Coroutine<(), Wanted, ()>>);

impl Drop for Run {
    /// The process ends. If `main` has returned, everything is registered.
    fn drop(&mut self) {
        if !close() {
            self.0.resume(());
        }
    }
}

/// Begins a `main` that is written by hand, at this place in it, and returns the cases to add its benchmarks
/// to. In most processes it never returns. The proof leaves this out, as it leaves out what the `main` of
/// other benches does.
#[expect(unsafe_code, reason = "the symbol contains the version, so no other function has it")]
#[unsafe(export_name = symbol!("by_hand"))]
#[inline(never)]
pub(crate) fn begin(place: Location) -> Wanted {
    let Ok(stack) = DefaultStack::new(STACK) else { cannot_run("there is no memory for a second stack") };
    let mut run = Coroutine::with_stack(stack, move |back, ()| {
        BACK.set(Some(NonNull::from_ref(back)));
        let exit = run_by_hand(place, register);
        // If `main` has returned, the process is ending with the code of `main`, which the run reads.
        if RUN.try_with(|_| ()).is_ok() {
            exit.end();
        }
    });
    let CoroutineResult::Yield(cases) = run.resume(()) else { unreachable!("a run ends the process") };
    RUN.set(Some(Run(ManuallyDrop::new(run))));
    cases
}

#[cfg(not(test))]
#[expect(unsafe_code, reason = "the symbol that the linker knows `main` by")]
unsafe extern "C" {
    fn main();
}

/// The compiler refuses the symbol in a program that it writes a `main` for.
#[cfg(test)]
extern "C" fn main() {}

/// Goes back to `main` until it has registered its benchmarks. The proof of a benchmark goes on from here.
fn register(cases: &mut Cases<'_>) {
    black_box(main as unsafe extern "C" fn());
    if let Some(back) = BACK.take() {
        #[expect(unsafe_code, reason = "a function pointer cannot hold the reference")]
        // SAFETY: the coroutine that calls this lives as long as what it was given.
        unsafe { back.as_ref() }.suspend(NonNull::from_mut(cases).cast());
    }
}

/// Ends a `main` that is written by hand, and its process after the run. Returns anywhere else.
pub(crate) fn end() {
    if let Some(mut run) = RUN.take() {
        run.0.resume(());
    }
}
