//! Functions with which a process ends, or does not, between two that work.

use std::hint::black_box;
use std::sync::Once;
use std::time::Duration;
use std::{io, process, thread};

use bench_diff_harness::bench_diff;

fn works() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn first() -> u64 {
    works()
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn panics_in_a_thread() -> u64 {
    thread::spawn(|| panic!("out of {}", "order"))
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn unwraps_the_panic_of_a_thread() -> u64 {
    thread::spawn(|| panic!("out of {}", "order")).join().expect("the thread works")
}

/// The thread that panics is not joined.
#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn leaves_a_panic_alone() -> u64 {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let alone = thread::spawn(|| panic!("all alone"));
        // It is not joined, but the run must not end before its panic.
        while !alone.is_finished() {
            thread::yield_now();
        }
    });
    works()
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn exits() -> u64 {
    println!("and all is well");
    process::exit(0)
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn overflows() -> u64 {
    descend(black_box(1))
}

#[expect(unconditional_recursion, reason = "it is what overflows the stack")]
fn descend(depth: u64) -> u64 {
    black_box(descend(black_box(depth + 1)) + 1)
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn aborts() -> u64 {
    process::abort()
}

#[bench_diff(baseline = works, warmup = "0ms")]
fn never_returns() -> u64 {
    eprintln!("it does not return");
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn reads_standard_input() -> u64 {
    static READ: Once = Once::new();
    READ.call_once(|| assert_eq!(io::read_to_string(io::stdin()).ok().as_deref(), Some("")));
    works()
}

#[bench_diff(baseline = works, max_slowdown = "900%", warmup = "0ms")]
fn last() -> u64 {
    static SAID: Once = Once::new();
    SAID.call_once(|| println!("this is a line of the function"));
    works()
}

/// Two functions each of whose processes takes long, also for a bar of progress.
mod warms_up {
    use super::*;

    #[bench_diff(baseline = works, max_slowdown = "300%", warmup = "120ms")]
    fn equal() -> u64 {
        works()
    }

    #[bench_diff(baseline = works, warmup = "120ms")]
    fn five_times() -> u64 {
        (0..5).map(|_| works()).fold(0, |_, sum| sum)
    }
}

bench_diff_harness::main!();
