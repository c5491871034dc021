//! A `main` that is written by hand: it registers benchmarks and says when these are all.
//!
//! A run calls whatever registers, but nothing can call `main`. So the run has a thread of its own, and
//! `main` waits in [`begin`]. It goes on only in processes that ask for the benchmarks, while that thread
//! waits.

use std::cell::RefCell;
use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use bench_diff_binary::symbol;
use bench_diff_system::exit::cannot_run;

use crate::register::{Cases, Location};
use crate::start::run_by_hand;

/// The cases that a process asks for.
struct Wanted(NonNull<Cases<'static>>);

#[expect(unsafe_code, reason = "a pointer is not `Send`")]
// SAFETY: whoever sends the cases touches nothing of them until `main` says that it is done.
unsafe impl Send for Wanted {}

thread_local! {
    /// In the thread of the run: where it asks for benchmarks, and where it hears that these are all.
    static MAIN: RefCell<Option<(Sender<Wanted>, Receiver<()>)>> = const { RefCell::new(None) };
    /// In `main`, while it registers.
    static REGISTERS: RefCell<Option<Registers>> = const { RefCell::new(None) };
}

/// Where `main` says that it is done.
struct Registers(Sender<()>);

impl Drop for Registers {
    /// The thread of `main` ends.
    fn drop(&mut self) {
        cannot_run(
            "end this `main` with `criterion.final_summary()`, or write `criterion_main!(group, ...)` in its place",
        );
    }
}

/// Begins a `main` that is written by hand, at this place in it, and returns the cases to add its benchmarks
/// to. In most processes it never returns. The proof leaves this out, as it leaves out what the `main` of
/// other benches does.
#[must_use]
#[expect(unsafe_code, reason = "the symbol contains the version, so no other function has it")]
#[unsafe(export_name = symbol!("by_hand"))]
#[inline(never)]
pub fn begin(place: Location) -> NonNull<Cases<'static>> {
    let ((wanted, cases), (done, is_done)) = (channel(), channel());
    thread::spawn(move || {
        MAIN.set(Some((wanted, is_done)));
        run_by_hand(place, register);
    });
    let Ok(Wanted(cases)) = cases.recv() else { wait() };
    REGISTERS.set(Some(Registers(done)));
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

/// Waits until `main` has registered its benchmarks. The proof of a benchmark goes on from here.
fn register(cases: &mut Cases<'_>) {
    black_box(main as unsafe extern "C" fn());
    let Some((wanted, is_done)) = MAIN.take() else { return };
    let _ = wanted.send(Wanted(NonNull::from_mut(cases).cast()));
    // If `main` ends before it is done, so does the process.
    let _ = is_done.recv();
}

/// Ends a `main` that is written by hand, and its process after the run. Returns anywhere else.
pub fn end() {
    if let Some(registers) = REGISTERS.take() {
        let _ = registers.0.send(());
        wait();
    }
}

/// Waits for the run, which ends the process.
fn wait() -> ! {
    loop {
        thread::park();
    }
}
