//! Is an unstable sort worth it? The standard library's two sorts on the same shuffled numbers.

use std::sync::LazyLock;

use bench_diff_harness::bench_diff;

/// Shuffled once, so that both functions sort the same numbers in the same order.
static SHUFFLED: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut state = 0x853c_49e6_748f_ea9b_u64;
    (0..2_000)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        })
        .collect()
});

/// Keeps the order of equal numbers, which nobody can see in numbers.
fn stable() -> Vec<u64> {
    let mut numbers = SHUFFLED.clone();
    numbers.sort();
    numbers
}

/// The outputs need to be dropped, so they are kept during a slot and dropped after it.
#[bench_diff(baseline = stable, max_slowdown = "5%", warmup = "100ms")]
fn unstable() -> Vec<u64> {
    let mut numbers = SHUFFLED.clone();
    numbers.sort_unstable();
    numbers
}

/// Two thousand numbers in order, and one that is not among them.
static SORTED: LazyLock<Vec<u64>> = LazyLock::new(stable);
const NEEDLE: u64 = u64::MAX / 3;

fn linear_search() -> usize {
    SORTED.iter().position(|number| *number >= NEEDLE).unwrap_or(SORTED.len())
}

/// A gate can ask for more than "not slower".
#[bench_diff(baseline = linear_search, min_speedup = 5.0, warmup = "100ms")]
fn binary_search() -> usize {
    SORTED.partition_point(|number| *number < NEEDLE)
}

bench_diff_harness::main!();
