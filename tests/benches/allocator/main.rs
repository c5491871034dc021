//! The cost of an allocator that could count, and does not: calls of the allocator of the system beside the
//! same calls through `CountingAllocator`.
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench allocator
//! ```
//!
//! It is left out of a plain `cargo bench`.

#![expect(unsafe_code, reason = "an allocator is unsafe by nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

use bench_diff_harness::{CountingAllocator, bench_diff};

/// Calls of the allocator in a call of a function, half of which free what the others allocate.
const CALLS: usize = 2_000;

static PLAIN: System = System;
static COUNTING: CountingAllocator = CountingAllocator::system();

/// Does the same as `Box::new` and its drop with this as the global allocator.
#[inline(always)]
fn boxes(allocator: &impl GlobalAlloc, size: usize) -> usize {
    (0..CALLS / 2)
        .map(|_| {
            let layout = Layout::from_size_align(black_box(size), 8).expect("a size of a few bytes");
            // SAFETY: the layout is not empty, and the pointer is freed once, with its layout.
            unsafe {
                let pointer = black_box(allocator.alloc(layout));
                allocator.dealloc(pointer, layout);
            }
            1
        })
        .sum()
}

fn plain(size: usize) -> usize {
    boxes(&PLAIN, size)
}

#[bench_diff(baseline = plain, args = [8, 64, 1_024, 65_536], report_only, max_time = "4s")]
fn counting(size: usize) -> usize {
    boxes(&COUNTING, size)
}

bench_diff_harness::main!();
