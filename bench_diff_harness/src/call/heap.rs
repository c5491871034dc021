//! The heap of a measuring process: where it begins, and how to make it like the heap of a process that has
//! run for long.

use std::hash::Hasher;
use std::hint::black_box;
use std::mem;
use std::ops::Range;

use bench_diff_core::{Generator, Seed};
use bench_diff_system::digest::Digest;

/// In bytes: just below the largest block that still raises glibc's thresholds, 32 MiB with its header.
const LARGE_BLOCK: usize = 31 << 20;

/// Makes the process keep freed memory.
///
/// The outputs of a slot are dropped together after it. In a young process, glibc returns their pages to the
/// system if they exceed 128 KiB, and the next slot waits for each page: a copy of 8 KiB then took ten times
/// as long as in a loop that drops each output before the next call. Once a process has freed a large block,
/// it keeps up to twice as much (M_MMAP_THRESHOLD in mallopt(3)). Nothing touches the block, so it takes no
/// memory, and other allocators are not affected.
pub(crate) fn keep_freed_memory() {
    drop(black_box(Vec::<u8>::with_capacity(LARGE_BLOCK)));
}

/// Allocates a block of this many bytes for good, so that everything else is allocated behind it, and returns
/// its address.
///
/// Without it, the heap begins at the same address in every process of a binary, and every input is at the
/// same offset in a cache line. Allocators that do not hand out memory in sequence may put an input
/// elsewhere.
pub(crate) fn begin_after(bytes: usize) -> usize {
    let block = black_box(Vec::<u8>::with_capacity(bytes));
    let address = block.as_ptr().addr();
    mem::forget(block);
    address
}

/// Allocates blocks for good, of 16 bytes to just below 64 KiB as the seed decides. Later allocations then
/// have other addresses than in the next round, or than in a binary that allocated other things before.
/// Returns the highest address of a block.
pub(crate) fn keep_blocks(seed: Seed) -> usize {
    sizes_of_blocks(seed).map(begin_after).max().unwrap_or_default()
}

/// The sizes of the probe blocks, in grains. Probe blocks fill the holes of a heap, or go to its end.
const PROBED: Range<usize> = 1..129;

/// glibc makes every block a multiple of this many bytes.
const GRAIN: usize = 16;

/// A digest of where the heap has room: of the addresses of probe blocks, relative to an earlier block. Two
/// processes with equal digests have left their heaps alike. A large block that was allocated at the end and
/// freed again leaves no trace.
pub(crate) fn digest(since: usize) -> u64 {
    let mut digest = Digest::default();
    let blocks = PROBED.map(|grains| black_box(Vec::<u8>::with_capacity(GRAIN * grains)));
    for block in blocks.collect::<Vec<_>>() {
        digest.write_usize(block.as_ptr().addr().wrapping_sub(since));
    }
    digest.finish()
}

fn sizes_of_blocks(seed: Seed) -> impl Iterator<Item = usize> {
    let mut generator = Generator::new(seed);
    let count = 16 + generator.draw() % 16;
    (0..count).map(move |_| {
        let least = 16 << (generator.draw() % 12);
        (least + generator.draw() % least) as usize
    })
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::env;
    use std::process::Command;

    use nix::sys::resource::{UsageWho, getrusage};

    use super::*;

    /// The number that this test prints in a separate process, where this variable has this value.
    fn printed(test: &str, variable: &str, value: u64) -> usize {
        let mut process = Command::new(env::current_exe().unwrap());
        process.args(["--nocapture", test]).env(variable, value.to_string());
        let stdout = String::from_utf8(process.output().unwrap().stdout).unwrap();
        stdout.split("number ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap()
    }

    fn print(number: usize) {
        println!("number {number} .");
    }

    /// The address of a block that is larger than any hole that the start of a process leaves.
    fn next_address() -> usize {
        let block = black_box(Vec::<u8>::with_capacity(100_000));
        block.as_ptr().addr()
    }

    /// A separate process allocates the block, and this variable contains its size.
    #[test]
    fn the_heap_of_a_process_begins_at_the_requested_offset() {
        const BYTES: &str = "BENCH_DIFF_TEST_OF_HEAP";
        if let Ok(bytes) = env::var(BYTES) {
            begin_after(bytes.parse().unwrap());
            return print(next_address() % 64);
        }
        let place = |bytes| printed("the_heap_of_a_process_begins_at_the_requested_offset", BYTES, bytes);
        for lines in [256, 300, 1023] {
            let mut places = [0, 16, 32, 48].map(|grains| place(64 * lines + grains));
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0] + 16 == pair[1]), "{lines}: {places:?}");
        }
    }

    #[test]
    fn blocks_are_small_and_of_the_sizes_that_a_seed_decides() {
        let sizes = |seed| sizes_of_blocks(Seed(seed)).collect::<Vec<_>>();
        for seed in 0..1_000 {
            let of_seed = sizes(seed);
            assert_eq!(of_seed, sizes(seed));
            assert!((16..32).contains(&of_seed.len()), "{of_seed:?}");
            assert!(of_seed.iter().all(|size| (16..64 << 10).contains(size)), "{of_seed:?}");
            assert!(of_seed.iter().sum::<usize>() < 1 << 20, "{of_seed:?}");
        }
        let different: BTreeSet<Vec<usize>> = (0..1_000).map(sizes).collect();
        assert_eq!(different.len(), 1_000);
    }

    /// In separate processes, as when pairs are measured.
    #[test]
    fn blocks_stay_and_move_what_is_allocated_later() {
        const SEED: &str = "BENCH_DIFF_TEST_OF_BLOCKS";
        if let Ok(seed) = env::var(SEED) {
            let before = next_address();
            keep_blocks(Seed(seed.parse().unwrap()));
            return print(next_address() - before);
        }
        let moved = |seed| printed("blocks_stay_and_move_what_is_allocated_later", SEED, seed);
        let seeds = 10..18;
        for seed in seeds.clone() {
            // Small blocks may fill holes.
            let sizes: usize = sizes_of_blocks(Seed(seed)).sum();
            assert!(moved(seed) > sizes / 2, "{seed}: {} of {sizes}", moved(seed));
        }
        assert_eq!(moved(10), moved(10));
        assert_eq!(seeds.clone().map(moved).collect::<BTreeSet<_>>().len(), seeds.count());
    }

    #[test]
    fn processes_that_allocate_alike_have_one_digest() {
        const BYTES: &str = "BENCH_DIFF_TEST_OF_DIGESTS";
        if let Ok(bytes) = env::var(BYTES) {
            let since = keep_blocks(Seed(1));
            begin_after(bytes.parse().unwrap());
            return print(digest(since) as usize);
        }
        let digest = |bytes| printed("processes_that_allocate_alike_have_one_digest", BYTES, bytes);
        assert_eq!(digest(100), digest(100));
        assert_ne!(digest(100), digest(200));
    }

    #[test]
    fn pages_of_dropped_outputs_stay_with_the_process() {
        keep_freed_memory();
        let faults = || getrusage(UsageWho::RUSAGE_THREAD).unwrap().minor_page_faults();
        let drop_outputs = || drop(black_box(vec![vec![1_u8; 8 << 10]; 64]));
        drop_outputs();
        let before = faults();
        for _ in 0..100 {
            drop_outputs();
        }
        // If they were returned, each iteration would cause 128 faults.
        assert!(faults() - before < 1280);
    }
}
