//! Functions of two crates that have one source, one that is slower in any place, and one that panics.

use std::hint::black_box;

use bench_diff_harness::bench_diff;
use bench_diff_kernels_new as new;
use bench_diff_kernels_old as old;

#[derive(Clone)]
struct Numbers(Vec<u64>);

fn numbers() -> Numbers {
    Numbers(black_box(old::numbers(1000)))
}

/// The machine code of `new::crc` in another place.
#[bench_diff(baseline = same_old, setup = numbers)]
fn same(Numbers(numbers): &Numbers) -> u64 {
    new::crc(numbers)
}

fn same_old(Numbers(numbers): &Numbers) -> u64 {
    old::crc(numbers)
}

/// Twice the work.
#[bench_diff(baseline = once, setup = numbers, check = false)]
fn twice(Numbers(numbers): &Numbers) -> u64 {
    new::crc(numbers) ^ new::crc(&numbers[1..])
}

fn once(Numbers(numbers): &Numbers) -> u64 {
    old::crc(numbers)
}

/// Unwinds in every layout, which takes tables that a linker makes.
#[bench_diff(baseline = caught, max_slowdown = "900%", warmup = "0ms")]
fn caught_again() -> u64 {
    caught() + black_box(0)
}

fn caught() -> u64 {
    let fall = || std::panic::resume_unwind(Box::new(black_box(7_u64)));
    std::panic::catch_unwind(fall)
        .map_or_else(|payload| *payload.downcast::<u64>().unwrap_or_default(), |()| 0)
}

bench_diff_harness::main!();
