// The functions of both revisions. They are included, so that their names begin alike.

use std::hint::black_box;
use std::time::Duration;

use bench_diff_harness::{CountingAllocator, bench_diff};
use work::{
    flags_of_cargo, note, note_block, note_cpus, of_flags, other, print_words, ready_later,
    start_brief_thread, work, work_of_pool, work_of_thread,
};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

/// The one or the other of two numbers, by the side.
const fn by_side(old: u64, new: u64) -> u64 {
    if IS_NEW { new } else { old }
}

/// Nothing but its own process evaluates them.
fn all_args() -> [u64; 2] {
    note("args");
    [2_000, 3_000]
}

fn other_of(_: u64) -> u64 {
    other()
}

#[bench_diff(baseline = other_of, args = all_args())]
fn with_args(turns: u64) -> u64 {
    work(turns)
}

#[bench_diff(baseline = other)]
fn four_times() -> u64 {
    work(by_side(2_000, 8_000))
}

fn numbers() -> Vec<u64> {
    (0..1_000).rev().collect()
}

fn other_sum(numbers: Vec<u64>) -> Vec<u64> {
    drop(numbers);
    vec![other()]
}

#[bench_diff(baseline = other_sum, setup = numbers)]
fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
    numbers.sort_unstable();
    numbers
}

fn other_mut(numbers: &mut [u64]) {
    numbers[0] = other();
}

#[bench_diff(baseline = other_mut, setup = numbers)]
fn by_mut(numbers: &mut [u64]) {
    black_box(numbers).reverse();
    work(by_side(8_000, 32_000));
}

// Where other programs keep all cores busy, a pass of threads that wait is wrong as often as `beta` allows.

#[bench_diff(baseline = other, threads = [2], beta = "0.1%")]
fn on_threads() -> u64 {
    work(by_side(2_000, 8_000))
}

/// So much work that starting the thread is little of it.
#[bench_diff(baseline = other, beta = "0.1%")]
fn starts_threads() -> u64 {
    work_of_thread(by_side(1_000_000, 4_000_000))
}

#[bench_diff(baseline = other)]
fn starts_brief_threads() -> u64 {
    start_brief_thread()
}

#[bench_diff(baseline = other, beta = "0.1%")]
fn keeps_threads() -> u64 {
    work_of_pool(by_side(100_000, 400_000))
}

async fn other_future() -> u64 {
    other()
}

#[bench_diff(baseline = other_future)]
async fn future() -> u64 {
    ready_later().await;
    work(by_side(2_000, 8_000))
}

fn sleep(milliseconds: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(milliseconds));
    1
}

/// Sleeps, so that only the wall clock sees it, for longer than a slot.
#[bench_diff(baseline = other)]
fn long() -> u64 {
    sleep(by_side(3, 12))
}

#[bench_diff(baseline = other)]
fn lasts() -> u64 {
    sleep(by_side(25, 100))
}

#[bench_diff(baseline = other)]
fn sleeps_on() -> u64 {
    sleep(by_side(25, 1_000_000))
}

#[bench_diff(baseline = other)]
fn lasts_as_before() -> u64 {
    sleep(50)
}

#[bench_diff(baseline = other)]
fn notes_cpus() -> u64 {
    note_cpus(SIDE);
    work(2_000)
}

#[bench_diff(baseline = other)]
fn notes_block() -> u64 {
    note_block(SIDE);
    work(2_000)
}

#[bench_diff(baseline = other)]
fn prints_words() -> u64 {
    print_words();
    work(by_side(80_000, 2_000))
}

/// Once more on the new side, in about the same time.
#[bench_diff(baseline = other, max_allocations = "0%")]
fn allocates() -> u64 {
    for _ in 0..by_side(1, 2) {
        drop(black_box(vec![7_u8; 64]));
    }
    work(2_000)
}

fn args_of_new() -> [u64; 1] {
    if IS_NEW {
        return [2_000];
    }
    if let Ok(way) = std::env::var("LISTED") {
        let _ = breaks::misbehave(&way);
    }
    std::process::exit(7)
}

#[bench_diff(baseline = other_of, args = args_of_new())]
fn unlisted(turns: u64) -> u64 {
    work(turns)
}

fn file_of_new() -> Vec<u64> {
    assert!(IS_NEW, "no such file");
    vec![2_000]
}

#[bench_diff(baseline = other_of, args = file_of_new())]
fn unread(turns: u64) -> u64 {
    work(turns)
}

#[bench_diff(baseline = of_flags, args = flags_of_cargo())]
fn flagged(turns: usize) -> u64 {
    of_flags(turns)
}

bench_diff_harness::main!();
