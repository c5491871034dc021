//! The heap of a process that measures: where it begins, and as it is in one that has run for long.

use std::hint::black_box;
use std::mem;

/// In bytes: just below the largest block that still moves glibc's thresholds, 32 MiB with its header.
const LARGE_BLOCK: usize = 31 << 20;

/// Lets freed memory stay with the process.
///
/// The outputs of a slot are dropped at once, after it. In a young process glibc gives their pages back to
/// the system where they are more than 128 KiB, and the next slot waits for each of them: a copy of 8 KiB
/// then took ten times as long as in a loop that drops each output before the next call. A process that once
/// freed a large block keeps twice as much (M_MMAP_THRESHOLD in mallopt(3)). Nothing touches the block, so it
/// takes no memory; other allocators are none the wiser.
pub(crate) fn keep_freed_memory() {
    drop(black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
}

/// Puts everything that is allocated from now on behind a block of so many bytes, which stays.
///
/// Where the heap begins is the same in every process of a program, and with it where on a cache line every
/// input lies. Other allocators than those that hand out memory in a row may put it somewhere else.
pub(crate) fn begin_after(bytes: usize) {
    mem::forget(black_box(Vec::<u8>::with_capacity(bytes)));
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use nix::sys::resource::{UsageWho, getrusage};

    use super::*;

    #[test]
    fn pages_of_dropped_outputs_are_not_asked_for_again() {
        keep_freed_memory();
        let faults = || getrusage(UsageWho::RUSAGE_THREAD).unwrap().minor_page_faults();
        let drop_outputs = || drop(black_box(vec![vec![1_u8; 8 << 10]; 64]));
        drop_outputs();
        let before = faults();
        for _ in 0..100 {
            drop_outputs();
        }
        // Each time 128 pages, where they are given back.
        assert!(faults() - before < 1280);
    }
}
