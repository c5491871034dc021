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
    exec_count = 2,
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

::bench_diff_harness::main!();
