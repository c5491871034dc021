//! Counts by hand what functions allocate, without the harness, and prints it: a line for each, with its
//! allocations, their bytes, and the most bytes that lived at once.

#![expect(clippy::unwrap_used, reason = "a failed step is a failed count")]
#![expect(unsafe_code, reason = "an allocator is unsafe by nature; this one hands everything on")]

#[path = "allocations/functions.rs"]
mod functions;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;

use functions::*;

#[global_allocator]
static ALLOCATOR: ByHand = ByHand;

struct ByHand;

/// The calls of the allocator so far; `None` if they are not counted.
static LEDGER: Mutex<Option<Ledger>> = Mutex::new(None);

struct Ledger {
    calls: i64,
    bytes: i64,
    live: i64,
    peak: i64,
}

impl Ledger {
    fn note(size: usize, replaced: usize) {
        if let Some(ledger) = &mut *LEDGER.lock().unwrap() {
            let size = i64::try_from(size).unwrap();
            ledger.calls += i64::from(size > 0);
            ledger.bytes += size;
            ledger.live += size - i64::try_from(replaced).unwrap();
            ledger.peak = ledger.peak.max(ledger.live);
        }
    }
}

// SAFETY: every call goes to the allocator of the system, as it is.
unsafe impl GlobalAlloc for ByHand {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Ledger::note(layout.size(), 0);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        Ledger::note(0, layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Ledger::note(size, layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Prints what a call allocates whose output lives on, after one that makes what is made once.
fn print<I, O>(name: &str, mut input: impl FnMut() -> I, function: impl Fn(I) -> O) {
    drop(function(input()));
    let input = input();
    *LEDGER.lock().unwrap() = Some(Ledger { calls: 0, bytes: 0, live: 0, peak: 0 });
    let output = function(input);
    let Ledger { calls, bytes, peak, .. } = LEDGER.lock().unwrap().take().unwrap();
    drop(output);
    println!("{name} {calls} {bytes} {peak}");
}

fn main() {
    let nothing = || ();
    let numbers = shuffled();
    print("reserved", nothing, |()| reserved());
    print("pushed", nothing, |()| pushed());
    print("formatted", nothing, |()| formatted());
    print("threaded", nothing, |()| threaded());
    print("sorted", shuffled, sorted);
    print("replaced", shuffled, replaced);
    print("filtered", nothing, |()| filtered(&numbers));
    print("extended", shuffled, |mut numbers| {
        extended(&mut numbers);
        numbers
    });
}
