//! The memory that a comparison uses while it measures, seen by an allocator that counts.
//!
//! Histograms of several megabytes that were written after every duo would drive the data of the functions
//! out of the caches, and always before the same slot.

#![expect(unsafe_code, reason = "an allocator is unsafe by nature; this one hands everything on")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::time::Duration;

use bench_diff_core::ManualClock;
use bench_diff_original::{DiffPlan, LatencyUnit};

// Each thread counts by itself, since the test harness allocates when it likes.
thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static IN_USE: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

// SAFETY: every call goes to the allocator of the system, as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        IN_USE.set(IN_USE.get() + layout.size());
        PEAK.set(PEAK.get().max(IN_USE.get()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // What another thread allocated was not counted here.
        IN_USE.set(IN_USE.get().saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The slots of a block of 8 duos.
const BLOCK: usize = 32;

#[test]
fn a_comparison_keeps_its_hands_off_the_memory_while_it_measures() {
    let exec_count = 4_000;
    let clock = ManualClock::new();
    let seen = RefCell::new(Vec::with_capacity(4 * exec_count));
    let call = || {
        seen.borrow_mut().push(ALLOCATIONS.get());
        clock.advance(Duration::from_micros(20));
    };
    let plan = DiffPlan { warmup: Duration::ZERO, ..DiffPlan::new(LatencyUnit::Nano, exec_count) };
    let before = IN_USE.get();
    PEAK.set(before);
    let out = plan.run_on(&clock, call, call);
    let (kept, peak) = (IN_USE.get() - before, PEAK.get() - before);

    let seen = seen.into_inner();
    let counted = &seen[seen.len() - 2 * exec_count..];
    for block in counted.chunks(BLOCK) {
        assert!(block.iter().all(|allocations| allocations == &block[0]), "allocated within a block");
    }
    let latencies = 2 * out.n() as usize;
    assert!(kept <= 32 * latencies, "{kept} bytes are kept for {latencies} latencies");
    assert!(peak <= 64 * latencies, "{peak} bytes were in use for {latencies} latencies");
}
