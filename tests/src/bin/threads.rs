//! Functions that several threads call at the same time, with every kind of input, and what goes wrong.

use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use bench_diff_harness::bench_diff;

fn turns(count: u64) -> u64 {
    (0..black_box(count)).fold(1, |product, turn| black_box(product ^ turn))
}

fn two_thousand() -> u64 {
    turns(2_000)
}

/// More threads than most machines have cores.
#[bench_diff(baseline = two_thousand, threads = [1, 4, 32], max_slowdown = "300%", warmup = "0ms")]
fn without_input() -> u64 {
    two_thousand()
}

#[bench_diff(baseline = turns, threads = 2, args = [1_000, 2_000], max_slowdown = "300%", warmup = "0ms")]
fn args(count: u64) -> u64 {
    turns(count)
}

/// Tells when more threads are in a function than ever before.
fn sleep_in(function: &str, inside: &AtomicU64, most: &AtomicU64) {
    let now = 1 + inside.fetch_add(1, Ordering::SeqCst);
    if most.fetch_max(now, Ordering::SeqCst) < now {
        eprintln!("{now} at once in {function}");
    }
    thread::sleep(Duration::from_millis(20));
    inside.fetch_sub(1, Ordering::SeqCst);
}

fn sleep() {
    static INSIDE: AtomicU64 = AtomicU64::new(0);
    static MOST: AtomicU64 = AtomicU64::new(0);
    sleep_in("sleep", &INSIDE, &MOST);
}

/// Two threads take twice as long, which needs no core.
#[bench_diff(baseline = sleep, threads = [1, 2], report_only, max_time = "1s", warmup = "0ms")]
fn locked() {
    static LOCK: Mutex<()> = Mutex::new(());
    static INSIDE: AtomicU64 = AtomicU64::new(0);
    static MOST: AtomicU64 = AtomicU64::new(0);
    let _guard = LOCK.lock();
    sleep_in("locked", &INSIDE, &MOST);
}

mod inputs {
    use super::*;

    fn numbers(len: u64) -> Vec<u64> {
        (0..len).rev().collect()
    }

    fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort();
        numbers
    }

    #[bench_diff(baseline = sorted, threads = 2, args = [100], setup = numbers, max_slowdown = "300%", warmup = "0ms")]
    fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort_unstable();
        numbers
    }

    fn evens(numbers: &[u64]) -> Vec<&u64> {
        numbers.iter().filter(|number| **number % 2 == 0).collect()
    }

    #[bench_diff(baseline = evens, threads = 2, args = [100], setup = numbers, max_slowdown = "300%", warmup = "0ms")]
    fn by_ref(numbers: &[u64]) -> Vec<&u64> {
        evens(numbers)
    }

    fn sort(numbers: &mut [u64]) {
        assert!(numbers[0] > 0, "nobody has sorted it before");
        numbers.sort();
    }

    #[bench_diff(baseline = sort, threads = 2, args = [100], setup = numbers, max_slowdown = "300%", warmup = "0ms")]
    fn by_mut(numbers: &mut [u64]) {
        assert!(numbers[0] > 0, "nobody has sorted it before");
        numbers.sort_unstable();
    }

    fn counter() -> AtomicU64 {
        AtomicU64::new(0)
    }

    fn count(counter: &AtomicU64, step: u64) {
        counter.fetch_add(step, Ordering::Relaxed);
        black_box(turns(500));
    }

    fn one(_: &AtomicU64) -> u64 {
        1
    }

    #[bench_diff(
        baseline = count, threads = 2, setup_once = counter, setup = one, max_slowdown = "300%", warmup = "0ms"
    )]
    fn of_state(counter: &AtomicU64, step: u64) {
        count(counter, step);
    }

    fn filled<T: Default + Clone, const N: usize>() -> Vec<T> {
        black_box(turns(500));
        vec![T::default(); N]
    }

    #[bench_diff(
        baseline = filled, threads = 2, types = [u8, String], consts = [3], max_slowdown = "300%", warmup = "0ms"
    )]
    fn instances<T: Default + Clone, const N: usize>() -> Vec<T> {
        filled::<T, N>()
    }

    async fn awaited_too(numbers: &[u64]) -> usize {
        tokio::task::yield_now().await;
        evens(numbers).len()
    }

    #[bench_diff(
        baseline = awaited_too, threads = 2, args = [100], setup = numbers, max_slowdown = "300%", warmup = "0ms"
    )]
    async fn awaited(numbers: &[u64]) -> usize {
        awaited_too(numbers).await
    }
}

mod wrong {
    use super::*;

    fn is_main() -> bool {
        thread::current().name() == Some("main")
    }

    #[bench_diff(baseline = two_thousand, threads = 3, warmup = "0ms")]
    fn worker_panics() -> u64 {
        assert!(is_main(), "not on the main thread");
        two_thousand()
    }

    #[bench_diff(baseline = two_thousand, threads = 3, warmup = "0ms")]
    fn main_panics() -> u64 {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        assert!(!is_main() || CALLS.fetch_add(1, Ordering::Relaxed) < 3, "only on the main thread");
        two_thousand()
    }

    #[bench_diff(baseline = works, threads = 2, warmup = "0ms")]
    fn worker_returns_err() -> Result<u64, &'static str> {
        if is_main() { works() } else { Err("not on this thread") }
    }

    fn works() -> Result<u64, &'static str> {
        Ok(two_thousand())
    }

    #[bench_diff(baseline = two_thousand, threads = [1, 2], clock = "cpu", max_slowdown = "300%", warmup = "0ms")]
    fn cpu_clock() -> u64 {
        two_thousand()
    }

    #[bench_diff(baseline = two_thousand, threads = 2, warmup = "0ms")]
    fn different() -> u64 {
        two_thousand() + 1
    }
}

bench_diff_harness::main!();
