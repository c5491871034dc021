//! Fifty kinds of functions that no one has changed: outputs of every shape, large inputs, recursion,
//! threads, thread locals, floats, types of no size.
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench unchanged_kinds
//! ```
//!
//! Both sides do the same work with another constant, so that no linker makes one function of them. The last
//! line counts the failures, each of which is a false one; with alpha at its default, one run in a hundred may
//! have any. It is left out of a plain `cargo bench`.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use bench_diff_harness::bench_diff;

/// The work of most kinds: some 100 ns.
fn work(salt: u64) -> u64 {
    (0..black_box(60_u64)).fold(salt, |sum, turn| black_box(sum.rotate_left(5) ^ turn))
}

fn anything<T>(_: &T, _: &T) -> bool {
    true
}

/// Kinds of functions without inputs, each with its output, and what is made of a number. The outputs of both
/// sides differ by the constant; half of the kinds is compared by a path, half not at all.
macro_rules! kinds {
    ($check:expr; $($name:ident: $output:ty = |$salt:ident| $made:expr;)*) => {
        $(
            mod $name {
                use super::*;

                fn former() -> $output {
                    let $salt = work(1);
                    $made
                }

                #[bench_diff(baseline = former, check = $check)]
                fn today() -> $output {
                    let $salt = work(2);
                    $made
                }
            }
        )*
    };
}

macro_rules! unchecked { ($($kinds:tt)*) => { kinds!(false; $($kinds)*); }; }
macro_rules! by_path { ($($kinds:tt)*) => { kinds!(anything; $($kinds)*); }; }

thread_local!(static KEPT: Cell<u64> = const { Cell::new(1) });

static SHARED: AtomicU64 = AtomicU64::new(1);

#[derive(Clone, Copy)]
struct Nothing;

#[expect(dead_code, reason = "it makes the type as large as it is")]
enum One {
    Large([u64; 16]),
    Small(u8),
}

fn fibonacci(n: u64) -> u64 {
    if black_box(n) < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn float(salt: u64, turns: u32) -> f64 {
    (0..turns).fold(salt as f64, |sum, turn| black_box((sum + f64::from(turn)).sqrt() + 1.0))
}

unchecked! {
    unit: () = |n| { black_box(n); };
    number: u64 = |n| n;
    byte: u8 = |n| n as u8;
    wide: u128 = |n| u128::from(n) << 3;
    float_64: f64 = |n| n as f64;
    float_32: f32 = |n| n as f32;
    pair: (u64, u64) = |n| (n, n + 1);
    triple: (u8, u64, u16) = |n| (n as u8, n, n as u16);
    option: Option<u64> = |n| (n != 7).then_some(n);
    option_of_pair: Option<(u64, u64)> = |n| (n != 7).then_some((n, n));
    result: Result<u64, String> = |n| if n == 7 { Err(String::new()) } else { Ok(n) };
    range: Range<u64> = |n| n..n + 9;
    text: &'static str = |n| if n == 7 { "seven" } else { "other" };
    slice: &'static [u8] = |n| if n == 7 { b"seven" } else { b"other" };
    array_of_4: [u64; 4] = |n| [n; 4];
    array_of_64: [u64; 64] = |n| [n; 64];
    array_of_bytes: [u8; 3] = |n| [n as u8; 3];
    variants: One = |n| if n == 7 { One::Large([n; 16]) } else { One::Small(n as u8) };
    of_no_size: Nothing = |n| { black_box(n); Nothing };
    array_of_nothing: [Nothing; 9] = |n| { black_box(n); [Nothing; 9] };
    character: char = |n| char::from(n as u8);
    truth: bool = |n| n != 7;
    ordering: std::cmp::Ordering = |n| n.cmp(&7);
    function: fn(u64) -> u64 = |n| if n == 7 { work } else { fibonacci };
    pointer: *const u64 = |n| n as *const u64;
}

by_path! {
    string: String = |n| n.to_string();
    vector: Vec<u64> = |n| vec![n; 20];
    nested: Vec<Vec<u8>> = |n| vec![vec![n as u8; 9]; 5];
    boxed: Box<u64> = |n| Box::new(n);
    boxed_function: Box<dyn Fn() -> u64> = |n| Box::new(move || n);
    shared: Arc<u64> = |n| Arc::new(n);
    map: BTreeMap<u64, u64> = |n| (0..9).map(|key| (key, n)).collect();
    hashes: HashMap<u64, u64> = |n| (0..9).map(|key| (key, n)).collect();
    option_of_text: Option<String> = |n| (n != 7).then(|| "text".to_owned());
    recursion: u64 = |n| fibonacci(12) + n;
    square_roots: f64 = |n| float(n, 50);
    sines: f64 = |n| (0..20).fold(n as f64, |sum, _| black_box(sum.sin() + 1.0));
    division: u64 = |n| (1..40).fold(n, |sum, by| black_box(sum) / by + 1_000_000);
    thread_local: u64 = |n| KEPT.with(|kept| { kept.set(kept.get() ^ n); kept.get() });
    atomic: u64 = |n| (0..20).map(|_| SHARED.fetch_add(n, Ordering::SeqCst)).fold(0, u64::wrapping_add);
    a_thread: u64 = |n| thread::spawn(move || work(n)).join().unwrap_or_default();
    sorted: Vec<u64> = |n| { let mut all: Vec<u64> = (0..200).map(|k| (k * 7919) ^ n).collect(); all.sort(); all };
    unwinding: bool = |n| std::panic::catch_unwind(|| work(n)).is_ok();
    stack: [u8; 4096] = |n| black_box([n as u8; 4096]);
    formatted: String = |n| format!("{n:>20}, {:x}", n ^ 9);
}

/// Kinds with inputs.
macro_rules! inputs {
    ($($name:ident($input:ident: $ty:ty) = $setup:ident, $made:expr;)*) => {
        $(
            mod $name {
                use super::*;

                fn former($input: $ty) -> u64 {
                    work(1) ^ $made
                }

                #[bench_diff(baseline = former, setup = $setup, check = anything)]
                fn today($input: $ty) -> u64 {
                    work(2) ^ $made
                }
            }
        )*
    };
}

fn megabytes() -> Arc<Vec<u8>> {
    Arc::new(vec![1; 64 << 20])
}

fn few() -> Vec<u64> {
    (0..200).rev().collect()
}

fn pages(bytes: &[u8]) -> u64 {
    bytes.iter().step_by(4096).map(|byte| u64::from(*byte)).sum()
}

fn sort(numbers: &mut [u64]) -> u64 {
    numbers.sort();
    numbers[0]
}

fn nothing() {}

inputs! {
    large_input(bytes: &[u8]) = large, pages(bytes);
    large_input_shared(bytes: Arc<Vec<u8>>) = megabytes, pages(&bytes);
    by_value(numbers: Vec<u64>) = few, numbers.iter().sum::<u64>();
    by_mut(numbers: &mut [u64]) = few, sort(numbers);
    of_no_size_in(input: ()) = nothing, { let () = input; 1 };
}

fn large() -> Vec<u8> {
    vec![1; 64 << 20]
}

bench_diff_harness::main!();
