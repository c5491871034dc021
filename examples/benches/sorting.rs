//! Inputs: a pair for every size and type, with values from a `setup`. Is an unstable sort worth it?

use bench_diff_harness::bench_diff;

/// Keeps the order of equal values, which makes no difference to numbers.
fn stable<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values
}

/// A pair for every type and size, of which `unstable<u32>/100` is the first. Each call sorts its own clone of
/// one shuffled vector; clones are made before a slot and the sorted vectors dropped after it.
#[bench_diff(baseline = stable, types = [u32, u64], args = [100, 2_000], setup = shuffled::<T>, max_slowdown = "5%")]
fn unstable<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values
}

/// Other values for every duo, the same for both functions.
fn shuffled<T: TryFrom<u64>>(len: usize) -> Vec<T> {
    let mut state = 0x853c_49e6_748f_ea9b_u64;
    let values = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 40
    });
    values.take(len).filter_map(|value| T::try_from(value).ok()).collect()
}

/// Numbers in order, in which both functions look for the same one.
fn sorted(len: usize) -> Vec<u64> {
    stable(shuffled(len))
}

fn linear_search(numbers: &[u64]) -> usize {
    let needle = numbers[numbers.len() / 3];
    numbers.iter().position(|number| *number >= needle).unwrap_or(numbers.len())
}

/// A gate can ask for more than "not slower", and for more of a long input than of a short one.
#[bench_diff(baseline = linear_search, args = [100, 10_000], setup = sorted, min_speedup = wanted)]
fn binary_search(numbers: &[u64]) -> usize {
    let needle = numbers[numbers.len() / 3];
    numbers.partition_point(|number| *number < needle)
}

fn wanted(len: usize) -> f64 {
    if len < 1_000 { 1.2 } else { 20.0 }
}

bench_diff_harness::main!();
