//! The heap of a process that measures: where it begins, and as it is in one that has run for long.

use std::hint::black_box;
use std::mem;

use bench_diff_core::{Generator, Seed};

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

/// Puts everything that is allocated from now on behind a block of this many bytes, which stays.
///
/// The heap begins at the same address in every process of a program, and with it every input at the same
/// place on a cache line. Other allocators than those that hand out memory in a row may put it somewhere
/// else.
pub(crate) fn begin_after(bytes: usize) {
    mem::forget(black_box(Vec::<u8>::with_capacity(bytes)));
}

/// Keeps blocks of sizes that this seed decides, from 16 bytes to below 64 KiB: what is allocated from now on
/// lies elsewhere than in a program that allocates otherwise before, and than in the next round.
pub(crate) fn keep_blocks(seed: Seed) {
    sizes_of_blocks(seed).for_each(begin_after);
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

    /// The number that this test tells in a process of its own, where this variable has this value.
    fn told(test: &str, variable: &str, value: u64) -> usize {
        let mut process = Command::new(env::current_exe().unwrap());
        process.args(["--nocapture", test]).env(variable, value.to_string());
        let said = String::from_utf8(process.output().unwrap().stdout).unwrap();
        said.split("number ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap()
    }

    fn tell(number: usize) {
        println!("number {number} .");
    }

    /// Where a block begins that is larger than any hole that the start of a process leaves.
    fn next_address() -> usize {
        let block = black_box(Vec::<u8>::with_capacity(100_000));
        block.as_ptr().addr()
    }

    /// In a process of its own, where it has what it asks for in this variable.
    #[test]
    fn the_heap_of_a_process_begins_where_it_is_told() {
        const BYTES: &str = "BENCH_DIFF_TEST_OF_HEAP";
        if let Ok(bytes) = env::var(BYTES) {
            begin_after(bytes.parse().unwrap());
            return tell(next_address() % 64);
        }
        let place = |bytes| told("the_heap_of_a_process_begins_where_it_is_told", BYTES, bytes);
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

    /// In processes of their own, as those that measure are.
    #[test]
    fn blocks_stay_and_move_what_is_allocated_later() {
        const SEED: &str = "BENCH_DIFF_TEST_OF_BLOCKS";
        if let Ok(seed) = env::var(SEED) {
            let before = next_address();
            keep_blocks(Seed(seed.parse().unwrap()));
            return tell(next_address() - before);
        }
        let moved = |seed| told("blocks_stay_and_move_what_is_allocated_later", SEED, seed);
        let seeds = 10..18;
        for seed in seeds.clone() {
            // Small ones may find holes.
            let sizes: usize = sizes_of_blocks(Seed(seed)).sum();
            assert!(moved(seed) > sizes / 2, "{seed}: {} of {sizes}", moved(seed));
        }
        assert_eq!(moved(10), moved(10));
        assert_eq!(seeds.clone().map(moved).collect::<BTreeSet<_>>().len(), seeds.count());
    }

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
