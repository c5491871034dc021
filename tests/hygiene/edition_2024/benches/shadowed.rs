//! With names of its own for everything that an expansion might use.

#![allow(dead_code, non_camel_case_types, non_snake_case)]

macro_rules! shadowed {
    ($($name:ident)*) => {
        $(
            #[allow(unused_macros)]
            macro_rules! $name {
                ($any:tt) => {
                    compile_error!("an expansion uses a macro of its caller")
                };
            }
        )*
    };
}

shadowed!(place submit line file column module_path env cfg panic concat stringify);

mod core {}
mod std {}
mod alloc {}
mod inventory {}
mod bench_diff_harness {}
mod bench_diff_core {}

struct Option;
struct Result;
struct String;
struct Probe;
struct PairEntry;
struct Place;
struct Gate;
struct JudgeKind;
struct ExitCode;
struct bool;
struct str;
struct f64;
struct u64;
trait FnMut {}
trait Fn {}
trait Sync {}
trait Send {}
trait Clone {}
trait Copy {}

fn None() {}
fn Ok() {}
fn Err() {}

fn slow() {}

#[::bench_diff_harness::bench_diff(
    baseline = slow,
    max_slowdown = "2%",
    judge = "welch",
    alpha = 0.01,
    beta = 0.05,
    slots = 2,
    warmup = "1ms",
    ignore
)]
fn Some() {}

#[::bench_diff_harness::bench_diff(baseline = Some)]
fn probe() {}

#[::bench_diff_harness::bench_diff(baseline = probe)]
fn __bench_diff_probe() {}

#[::bench_diff_harness::bench_diff(baseline = __bench_diff_probe)]
fn run() {}

struct Label;
struct Shown;
struct Same;
struct Arg;
struct Kind;
struct Output;
struct Compared;
struct Either;
trait DebugLabel {}
trait PlainOutput {}
trait IntoIterator {}
fn arg() {}
fn cases() {}
fn margin() {}
fn candidate() {}
fn baseline() {}

fn setup(_: i8) -> ::std::vec::Vec<i8> {
    ::std::vec::Vec::new()
}

fn make<T: ::core::default::Default, const N: usize>(_: &[i8]) -> T {
    T::default()
}

#[::bench_diff_harness::bench_diff(baseline = make, setup = setup, args = [1], types = [u8], consts = [2], items = |input| input.len() + N)]
fn input<T: ::core::default::Default, const N: usize>(input: &[i8]) -> T {
    make::<T, N>(input)
}

fn setup_once() -> i8 {
    1
}

fn output(_: &i8, _: &mut i8) {}

fn reset(state: &i8) -> i8 {
    *state
}

fn check(_: &i8, _: &i8) -> ::core::primitive::bool {
    true
}

#[::bench_diff_harness::bench_diff(baseline = output, setup_once = setup_once, setup = reset, check = check)]
fn label(state: &i8, input: &mut i8) {
    output(state, input);
}

struct Finish;
trait Future {}
trait FinishedOutput {}
fn first() {}
fn settled() {}
fn threads() {}
fn finish() {}

#[::bench_diff_harness::bench_diff(baseline = reset, setup = setup_once, threads = [1, 2])]
async fn awaited(first: &i8) -> i8 {
    ::std::future::ready(reset(first)).await
}

fn limit(_: i8) -> ::core::primitive::f64 {
    3.0
}

#[::bench_diff_harness::bench_diff(baseline = of, args = [2], max_slowdown = limit, check = false)]
fn state(first: i8) -> i8 {
    of(first)
}

fn of(second: i8) -> i8 {
    second
}

::bench_diff_harness::main!();
