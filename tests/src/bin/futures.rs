//! Functions that return a future, in every way to say so and with every kind of input.

use std::future::{Ready, ready};
use std::hint::black_box;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bench_diff_harness::bench_diff;

type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

fn blocking() -> u64 {
    (0..black_box(2_000_u64)).fold(0, |sum, turn| black_box(sum ^ turn))
}

/// Its work is done when it is polled to its end, which takes more than one poll.
async fn work() -> u64 {
    tokio::task::yield_now().await;
    blocking()
}

#[bench_diff(baseline = work, max_slowdown = "300%", warmup = "0ms")]
async fn both() -> u64 {
    work().await
}

#[bench_diff(baseline = blocking, max_slowdown = "300%", warmup = "0ms")]
async fn only_candidate() -> u64 {
    blocking()
}

/// Were the future made and not run, it would be a thousand times as fast.
#[bench_diff(baseline = blocking, max_difference = "300%", warmup = "0ms")]
fn hidden() -> impl Future<Output = u64> {
    work()
}

#[bench_diff(baseline = work, max_slowdown = "300%", warmup = "0ms")]
fn boxed() -> BoxFuture<'static, u64> {
    Box::pin(work())
}

#[bench_diff(baseline = work, max_slowdown = "300%", warmup = "0ms")]
fn pinned() -> Pin<Box<dyn Future<Output = u64>>> {
    Box::pin(work())
}

struct Named;

impl Future for Named {
    type Output = u64;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        Poll::Ready(blocking())
    }
}

fn named_too() -> Named {
    Named
}

#[bench_diff(baseline = named_too, max_slowdown = "300%", warmup = "0ms")]
fn named() -> Named {
    Named
}

/// No future, though there is one inside.
#[bench_diff(baseline = inside, max_slowdown = "300%", warmup = "0ms")]
fn inside() -> Option<Ready<u64>> {
    Some(ready(blocking()))
}

/// The runtime has a timer.
#[bench_diff(baseline = sleep, max_slowdown = "300%", warmup = "0ms")]
async fn sleep() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

mod inputs {
    use super::*;

    fn hundred() -> Vec<u64> {
        (0..100).rev().collect()
    }

    fn sum_now(numbers: &[u64]) -> u64 {
        blocking() + numbers.iter().sum::<u64>()
    }

    #[bench_diff(baseline = sum_now, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    async fn by_ref(numbers: &[u64]) -> u64 {
        sum_now(numbers)
    }

    async fn words_too(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[bench_diff(baseline = words_too, args = ["a b", "c"], max_slowdown = "300%", warmup = "0ms")]
    async fn lent(text: &str) -> Vec<&str> {
        words_too(text).await
    }

    async fn sort(numbers: &mut [u64]) -> usize {
        numbers.sort();
        numbers.len()
    }

    #[bench_diff(baseline = sort, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    async fn by_mut(numbers: &mut [u64]) -> usize {
        numbers.sort_unstable();
        numbers.len()
    }

    fn first(numbers: &mut [u64]) -> Option<&mut u64> {
        numbers.first_mut()
    }

    #[bench_diff(baseline = first, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    fn lent_from_mut(numbers: &mut [u64]) -> BoxFuture<'_, Option<&mut u64>> {
        Box::pin(async { first(numbers) })
    }

    async fn sorted(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort();
        numbers
    }

    #[bench_diff(baseline = sorted, setup = hundred, max_slowdown = "300%", warmup = "0ms")]
    async fn by_value(mut numbers: Vec<u64>) -> Vec<u64> {
        numbers.sort_unstable();
        numbers
    }

    fn found(numbers: &[u64], number: u64) -> Option<usize> {
        numbers.iter().position(|it| *it == number)
    }

    #[bench_diff(baseline = found, setup_once = hundred, setup = largest, max_slowdown = "300%", warmup = "0ms")]
    async fn of_state(numbers: &[u64], number: u64) -> Option<usize> {
        found(numbers, number)
    }

    fn largest(numbers: &[u64]) -> u64 {
        numbers[0]
    }

    fn filled<T: Default + Clone>(len: usize) -> Vec<T> {
        vec![T::default(); len]
    }

    #[bench_diff(baseline = filled, types = [u8, String], args = [10], max_slowdown = "300%", warmup = "0ms")]
    async fn generic<T: Default + Clone>(len: usize) -> Vec<T> {
        filled(len)
    }
}

mod checked {
    use super::*;

    async fn parse(text: &str) -> Result<u64, std::num::ParseIntError> {
        text.parse()
    }

    #[bench_diff(baseline = parse, args = ["7", "x"], max_slowdown = "300%", warmup = "0ms")]
    async fn result(text: &str) -> Result<u64, std::num::ParseIntError> {
        parse(text).await
    }

    #[bench_diff(baseline = blocking, warmup = "0ms")]
    async fn different() -> u64 {
        1
    }

    static TURN: AtomicU64 = AtomicU64::new(0);

    #[bench_diff(baseline = blocking, warmup = "0ms")]
    async fn panics_later() -> u64 {
        tokio::task::yield_now().await;
        if TURN.fetch_add(1, Ordering::Relaxed) > 20 {
            panic!("out of turns");
        }
        blocking()
    }

    fn same(candidate: &str, baseline: &u64) -> bool {
        candidate == baseline.to_string()
    }

    #[bench_diff(baseline = blocking, check = same, max_slowdown = "300%", warmup = "0ms")]
    async fn compared() -> String {
        work().await.to_string()
    }

    #[bench_diff(baseline = blocking, check = false, max_slowdown = "300%", warmup = "0ms")]
    async fn unchecked() -> impl Sized {
        work().await
    }
}

bench_diff_harness::main!();
