//! Values of settings, which the harness reads while they are compiled: ours are these words.

use bench_diff_harness::bench_diff;

fn slow() {}

#[bench_diff(baseline = slow, max_slowdown = "two percent")] //~ E0080 "two percent" `max_slowdown`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_1() {}

#[bench_diff(baseline = slow, max_slowdown = 0.02f32)] //~ E0080 0.02f32 `max_slowdown`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_2() {}

#[bench_diff(baseline = slow, max_slowdown = -0.02)] //~ E0080 0.02 `max_slowdown`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_3() {}

#[bench_diff(baseline = slow, max_slowdown = 1e999)] //~ E0080 1e999 `max_slowdown`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_4() {}

#[bench_diff(baseline = slow, max_slowdown = 2)] //~ E0080 2 `max_slowdown`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_5() {}

#[bench_diff(baseline = slow, max_difference = 5.0)] //~ E0080 5.0 `max_difference`: expected a share above 0, such as 2% or 0.02; from 1 on with its sign, such as 200%
fn of_6() {}

#[bench_diff(baseline = slow, min_speedup = "1.5x")] //~ E0080 "1.5x" `min_speedup`: expected a number above 0, such as 1.5
fn of_7() {}

#[bench_diff(baseline = slow, min_speedup = 0)] //~ E0080 0 `min_speedup`: expected a number above 0, such as 1.5
fn of_8() {}

#[bench_diff(baseline = slow, min_speedup = -1.5)] //~ E0080 1.5 `min_speedup`: expected a number above 0, such as 1.5
fn of_9() {}

#[bench_diff(baseline = slow, max_allocations = "-1%")] //~ E0080 "-1%" `max_allocations`: expected a share of at least 0, such as 0%, 5% or 0.05; from 1 on with its sign, such as 200%
fn of_10() {}

#[bench_diff(baseline = slow, ignore_below = 1)] //~ E0080 1 `ignore_below`: expected a time above 0 and at most 60min, such as 1ns, 0.5ns or 2us
fn of_11() {}

#[bench_diff(baseline = slow, alpha = -0.1)] //~ E0080 0.1 `alpha`: expected an error rate above 0 and below 0.5, such as 1% or 0.01
fn of_12() {}

#[bench_diff(baseline = slow, alpha = 0.5)] //~ E0080 0.5 `alpha`: expected an error rate above 0 and below 0.5, such as 1% or 0.01
fn of_13() {}

#[bench_diff(baseline = slow, beta = 5)] //~ E0080 5 `beta`: expected an error rate above 0 and below 0.5, such as 1% or 0.01
fn of_14() {}

#[bench_diff(baseline = slow, slots = 1)] //~ E0080 1 `slots`: expected a whole number of slots from 2 to 15000000
fn of_15() {}

#[bench_diff(baseline = slow, slots = 2000u64)] //~ E0080 2000u64 `slots`: expected a whole number of slots from 2 to 15000000
fn of_16() {}

#[bench_diff(baseline = slow, slots = 100000000000000000000)] //~ E0080 100000000000000000000 `slots`: expected a whole number of slots from 2 to 15000000
fn of_17() {}

#[bench_diff(baseline = slow, max_time = 2)] //~ E0080 2 `max_time`: expected a time, such as 500ms, 2s or 1min
fn of_18() {}

#[bench_diff(baseline = slow, max_time = "0s")] //~ E0080 "0s" `max_time`: expected a time above 0, such as 2s
fn of_19() {}

#[bench_diff(baseline = slow, warmup = 50)] //~ E0080 50 `warmup`: expected a time, such as 500ms, 2s or 1min
fn of_20() {}

#[bench_diff(baseline = slow, warmup = "1h")] //~ E0080 "1h" `warmup`: expected a time, such as 500ms, 2s or 1min
fn of_21() {}

#[bench_diff(baseline = slow, judge = "bayes")] //~ E0080 "bayes" `judge`: expected sequential or welch
fn of_22() {}

#[bench_diff(baseline = slow, clock = "tsc")] //~ E0080 "tsc" `clock`: expected auto or wall or cpu
fn of_23() {}

#[bench_diff(baseline = slow, layouts = "random")] //~ E0080 "random" `layouts`: expected auto or all or linked or none
fn of_24() {}

fn main() {}
