//! A program of an old revision, see `today.rs`.

mod breaks;
mod work;

use std::hint::black_box;
use std::time::Duration;

use bench_diff_harness::{CountingAllocator, bench_diff};
use work::{
    flags_of_cargo, note, note_block, note_cpus, of_flags, other, print_words, ready_later,
    start_brief_thread, work, work_of_pool, work_of_thread,
};

/// This side.
const IS_NOW: bool = false;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::system();

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
fn equal() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = other)]
fn four_times() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = other)]
fn quarter() -> u64 {
    work(2_000)
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
    work(8_000);
}

#[bench_diff(baseline = other, threads = [2])]
fn on_threads() -> u64 {
    work(2_000)
}

#[bench_diff(baseline = other)]
fn starts_threads() -> u64 {
    work_of_thread(100_000)
}

#[bench_diff(baseline = other)]
fn starts_brief_threads() -> u64 {
    start_brief_thread()
}

#[bench_diff(baseline = other)]
fn keeps_threads() -> u64 {
    work_of_pool(100_000)
}

async fn other_future() -> u64 {
    other()
}

#[bench_diff(baseline = other_future)]
async fn future() -> u64 {
    ready_later().await;
    work(2_000)
}

#[bench_diff(baseline = other)]
fn long() -> u64 {
    std::thread::sleep(Duration::from_millis(3));
    1
}

#[bench_diff(baseline = other)]
fn lasts() -> u64 {
    std::thread::sleep(Duration::from_millis(25));
    1
}

#[bench_diff(baseline = other)]
fn lasts_as_before() -> u64 {
    std::thread::sleep(Duration::from_millis(50));
    1
}

#[bench_diff(baseline = other)]
fn notes_cpus() -> u64 {
    note_cpus("old");
    work(2_000)
}

#[bench_diff(baseline = other)]
fn notes_block() -> u64 {
    note_block("old");
    work(2_000)
}

#[bench_diff(baseline = other)]
fn prints_words() -> u64 {
    print_words();
    work(80_000)
}

#[bench_diff(baseline = other, max_allocations = "0%")]
fn allocates() -> u64 {
    drop(black_box(vec![7_u8; 64]));
    work(2_000)
}

fn no_args() -> [u64; 1] {
    if let Ok(way) = std::env::var("LISTED") {
        let _ = breaks::misbehave(&way);
    }
    std::process::exit(7)
}

#[bench_diff(baseline = other_of, args = no_args())]
fn unlisted(turns: u64) -> u64 {
    work(turns)
}

fn no_file() -> Vec<u64> {
    panic!("no such file")
}

#[bench_diff(baseline = other_of, args = no_file())]
fn unread(turns: u64) -> u64 {
    work(turns)
}

#[bench_diff(baseline = of_flags, args = flags_of_cargo())]
fn flagged(turns: usize) -> u64 {
    work(turns as u64 * 1_000)
}

bench_diff_harness::main!();
