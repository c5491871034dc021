//! Pairs that allocate, under an allocator that counts: functions beside others whose counts a test knows by
//! hand, and gates that are kept and broken. The gates on time are so wide that no noise of a machine changes
//! an outcome.

mod functions;

use std::cell::Cell;
use std::hint::black_box;

use bench_diff_harness::{CountingAllocator, bench_diff};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

/// A pair for each function of [`functions`], beside one that allocates nothing.
mod known {
    use super::*;

    /// Runs a loop, so that a slot holds few calls. `threaded`, whose baseline this is, starts threads in each
    /// call, and thousands of such calls would take seconds.
    fn nothing() -> u64 {
        (0..black_box(5_000_u64)).fold(7, |sum, turn| black_box(sum ^ turn))
    }

    /// Pairs without an input.
    macro_rules! beside_nothing {
        ($($function:ident: $output:ty,)*) => {
            $(
                #[bench_diff(baseline = nothing, check = false, report_only, judge = "welch", slots = 4, warmup = "0ms")]
                fn $function() -> $output {
                    functions::$function()
                }
            )*
        };
    }

    beside_nothing! {
        reserved: Vec<u64>,
        pushed: Vec<u64>,
        formatted: String,
        threaded: u64,
    }

    fn as_it_is(numbers: Vec<u64>) -> Vec<u64> {
        numbers
    }

    #[bench_diff(baseline = as_it_is, setup = functions::shuffled, check = false, report_only, judge = "welch", slots = 4, warmup = "0ms")]
    fn sorted(numbers: Vec<u64>) -> Vec<u64> {
        functions::sorted(numbers)
    }

    #[bench_diff(baseline = as_it_is, setup = functions::shuffled, check = false, report_only, judge = "welch", slots = 4, warmup = "0ms")]
    fn replaced(numbers: Vec<u64>) -> Vec<u64> {
        functions::replaced(numbers)
    }

    fn first(numbers: &[u64]) -> u64 {
        numbers[0]
    }

    #[bench_diff(baseline = first, setup = functions::shuffled, check = false, report_only, judge = "welch", slots = 4, warmup = "0ms")]
    fn filtered(numbers: &[u64]) -> Vec<u64> {
        functions::filtered(numbers)
    }

    fn unchanged(_: &mut Vec<u64>) {}

    #[bench_diff(baseline = unchanged, setup = functions::shuffled, check = false, report_only, judge = "welch", slots = 4, warmup = "0ms")]
    fn extended(numbers: &mut Vec<u64>) {
        functions::extended(numbers);
    }
}

/// Functions that make `boxes` boxes of `size` bytes.
fn make(boxes: usize, size: usize) -> usize {
    (0..boxes).map(|_| black_box(vec![1_u8; black_box(size)]).len()).sum::<usize>().min(1)
}

fn ten() -> usize {
    make(10, 100)
}

fn none() -> usize {
    make(0, 0) + 1
}

mod gated {
    use super::*;

    #[bench_diff(baseline = ten, max_slowdown = "10000%", max_allocations = "0%")]
    fn as_many() -> usize {
        make(10, black_box(100))
    }

    #[bench_diff(baseline = ten, max_slowdown = "10000%", max_allocations = "0%", slots = 20, warmup = "0ms")]
    fn one_more() -> usize {
        make(11, 100)
    }

    #[bench_diff(baseline = ten, max_slowdown = "10000%", max_allocations = "10%")]
    fn one_more_is_allowed() -> usize {
        make(11, 100)
    }

    #[bench_diff(baseline = ten, max_slowdown = "10000%", max_allocations = "0%")]
    fn one_byte_more() -> usize {
        make(9, 100) + make(1, 101) - 1
    }

    #[bench_diff(baseline = none, max_slowdown = "10000%", max_allocations = "50%")]
    fn where_there_was_none() -> usize {
        make(1, 1)
    }

    #[bench_diff(baseline = ten, min_speedup = 0.001, max_allocations = "0%")]
    fn fewer() -> usize {
        make(9, 100)
    }

    #[bench_diff(baseline = ten, report_only, judge = "welch", slots = 4, warmup = "0ms", max_allocations = "0%")]
    fn reported() -> usize {
        make(11, 100)
    }
}

mod shapes {
    use super::*;

    async fn waiting() -> Box<u64> {
        Box::new(black_box(7))
    }

    /// The runtime allocates nothing in a call.
    #[bench_diff(baseline = waiting, max_slowdown = "10000%", max_allocations = "0%")]
    async fn awaited() -> Box<u64> {
        Box::new(black_box(7) + black_box(0))
    }

    /// Each thread makes its call.
    #[bench_diff(baseline = ten, threads = [1, 3], report_only, judge = "welch", slots = 4, warmup = "0ms")]
    fn on_threads() -> usize {
        make(11, 100)
    }

    /// Every second call makes one more.
    fn alternating(few: usize) -> usize {
        thread_local!(static TURN: Cell<usize> = const { Cell::new(0) });
        make(few + TURN.replace(1 - TURN.get()), 100)
    }

    fn varying() -> usize {
        alternating(10)
    }

    /// Its counts lie among those of the baseline.
    #[bench_diff(baseline = varying, max_slowdown = "10000%", max_allocations = "0%")]
    fn varying_alike() -> usize {
        alternating(black_box(10))
    }

    /// Its first call makes what later ones find.
    #[bench_diff(baseline = ten, max_slowdown = "10000%", max_allocations = "0%")]
    fn lazy() -> usize {
        thread_local!(static CACHE: Vec<u8> = vec![1; 1 << 20]);
        CACHE.with(|cache| make(10, 99 + usize::from(cache[0])))
    }
}

bench_diff_harness::main!();
