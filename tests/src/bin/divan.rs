//! Benchmarks as they are written for divan, under the name of its crate: each kind of function, of option and
//! of name.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use divan::counter::{BytesCount, CharsCount, ItemsCount};
use divan::{AllocProfiler, Bencher, Divan, black_box, black_box_drop};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    // A `main` may say more about all of them.
    match std::env::var("DIVAN_MAIN").as_deref() {
        Ok("configured") => {
            let divan = Divan::from_args().threads([2, 1]).skip_exact("divan::plain");
            divan.skip_regex("^divan::numbers").skip_regex("wrong").run_ignored().list_benches();
        }
        Ok("regex") => Divan::from_args().skip_regex("a|b").main(),
        _ => divan::main(),
    }
}

const LENGTHS: &[usize] = &[1, 5];

#[divan::bench]
fn plain() -> u64 {
    black_box(20_u64) << 3
}

#[divan::bench(name = "named")]
extern "C" fn foreign() {
    black_box_drop(7_u64);
}

#[divan::bench(sample_count = 10, sample_size = 1, max_time = Duration::from_secs(1), min_time = 0.1, skip_ext_time)]
fn r#loop<'a>() -> &'a str {
    black_box("text")
}

/// The time, if a test asks for it.
fn now() -> u128 {
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |now| now.as_nanos());
    std::env::var_os("TIME_IN_NAMES").map_or(0, |_| now())
}

#[divan::bench(args = [now()])]
fn times(time: u128) -> u128 {
    black_box(time) / 3
}

#[divan::bench(args = [1, 10, 1])]
fn numbers(len: usize) -> Vec<usize> {
    (0..len).collect()
}

#[divan::bench(args = LENGTHS, items_count = 3_u8)]
fn lengths(bencher: Bencher, len: usize) {
    bencher.counter(BytesCount::new(len)).bench(|| vec![0_u8; len]);
}

#[divan::bench(args = ["a b", "c"].map(str::to_owned))]
fn texts(text: &str) -> usize {
    text.len()
}

#[derive(Debug)]
enum Kind {
    Up,
    Down,
}

#[divan::bench(args = [Kind::Up, Kind::Down])]
fn kinds(kind: &Kind) -> bool {
    matches!(kind, Kind::Up)
}

#[divan::bench(types = [Vec<u8>, &str], consts = [2, -3])]
fn instances<T: Default, const N: i32>() -> (T, i32) {
    (T::default(), black_box(N))
}

#[divan::bench(consts = LENGTHS)]
fn sizes<const N: usize>(bencher: Bencher) {
    bencher
        .with_inputs(|| [1_u8; N])
        .bench_values(|numbers| numbers.iter().map(|n| u64::from(*n)).sum::<u64>());
}

#[divan::bench(args = [])]
fn nothing(_: u8) {}

#[divan::bench]
#[ignore]
fn ignored() {
    unreachable!("it is ignored");
}

#[divan::bench(ignore = std::env::var_os("PATH").is_some())]
fn ignored_here() {
    unreachable!("it is ignored");
}

#[divan::bench]
fn text_of_its_own(bencher: Bencher) {
    bencher
        .with_inputs(|| "für".to_owned())
        .input_counter(BytesCount::of_str)
        .input_counter(CharsCount::of_str)
        .bench_refs(|text| text.push('!'));
}

#[divan::bench]
fn counted_inputs(bencher: Bencher<'_, '_>) {
    bencher.with_inputs(|| 7_u32).count_inputs_as::<ItemsCount>().bench_local_values(|n| u64::from(n).pow(3));
}

/// Its closures change what they borrow.
#[divan::bench]
fn local(bencher: Bencher) {
    let mut calls = 0_u64;
    bencher.bench_local(|| {
        calls += 1;
        calls
    });
}

#[divan::bench]
fn local_refs(bencher: Bencher) {
    let (mut made, mut left) = (0_u64, 0_u64);
    let inputs = || {
        made += 1;
        vec![made]
    };
    bencher.with_inputs(inputs).bench_local_refs(|numbers| left += numbers.pop().unwrap_or_default());
}

/// Takes long enough for the clock, but not as long as a slot without a limit.
fn microseconds() -> u64 {
    (0..black_box(1_000_u64)).fold(1, |product, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[divan::bench(sample_size = 1)]
fn alternating(bencher: Bencher) {
    let is_ready = Cell::new(false);
    bencher.with_inputs(|| is_ready.set(true)).bench_local_values(|()| {
        assert!(is_ready.replace(false), "each call follows its own setup");
        microseconds()
    });
}

#[divan::bench_group(sample_size = 1)]
mod of_one {
    use super::*;

    #[divan::bench(threads = [1, 2])]
    fn alternating(bencher: Bencher) {
        thread_local!(static IS_READY: Cell<bool> = const { Cell::new(false) });
        bencher.with_inputs(|| IS_READY.set(true)).bench_refs(|()| {
            assert!(IS_READY.replace(false), "each call follows its own setup");
            microseconds()
        });
    }
}

#[divan::bench_group(threads = [1, 3], name = "shared things")]
mod shared {
    use super::*;

    /// Each call waits for the other threads, so it ends only if there are that many.
    #[divan::bench]
    fn together(bencher: Bencher) {
        let calls = AtomicU64::new(0);
        bencher.with_inputs(|| thread::current().id()).bench_values(|id| {
            assert_eq!(id, thread::current().id(), "a thread makes its own inputs");
            calls.fetch_add(1, Ordering::Relaxed)
        });
    }

    mod deeper {
        #[divan::bench(threads = false)]
        fn alone() {}

        #[divan::bench_group(ignore)]
        mod ignored {
            #[divan::bench]
            fn too() {
                unreachable!("it is ignored");
            }

            #[divan::bench(ignore = false)]
            fn not() {}
        }
    }
}

macro_rules! benchmarks {
    ($($name:ident)*) => {
        $(
            #[divan::bench(bytes_count = 8_u8)]
            fn $name() -> u64 {
                divan::black_box(7)
            }
        )*
    };
}

fn items() -> u8 {
    let is_panicking = std::env::var("DIVAN_MAIN").is_ok_and(|main| main == "panicking");
    assert!(!is_panicking, "out of order");
    4
}

/// The attribute does not see the attributes that a macro writes.
#[divan::bench_group(threads = [1, 2], name = "by a macro", items_count = items(), chars_count = 9_u8)]
mod written {
    benchmarks!(first);

    mod deeper {
        benchmarks!(second);
    }
}

#[allow(dead_code)]
fn within() {
    #[divan::bench_group(name = "of a function")]
    mod inner {
        #[divan::bench]
        fn third() {}
    }
}

/// Of one name, as in divan.
mod twins {
    #[divan::bench(name = "twin")]
    fn one() {}

    #[divan::bench(name = "twin", args = [1])]
    fn other(_: u8) {}

    #[divan::bench(name = "twin")]
    fn third() {}
}

mod wrong {
    #[divan::bench]
    fn panics() {
        panic!("out of order");
    }

    #[divan::bench]
    fn hands_nothing(_: divan::Bencher) {}
}
