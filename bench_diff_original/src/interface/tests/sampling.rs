//! Which executions there are, in which order, and what happens between them.

use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::time::Duration;

use bench_diff_core::sample::Closures;
use bench_diff_core::{Clock, Coin, ManualClock, Order, OrderPolicy, Seed};

use super::{compare, plan};
use crate::interface::run::{self, Hooks, closures};
use crate::interface::stats_types::{AltHyp, Hyp};
use crate::interface::{DiffOut, DiffPlan, LatencyUnit, bench_diff_x, get_warmup_millis, set_warmup_millis};
use crate::noise_model::Beta;

/// A log of the run in order: `1` and `2` are executions, `|` is a status.
fn log_of(plan: &DiffPlan, latency: u64) -> (String, Vec<usize>, DiffOut) {
    let (clock, log, counts) = (ManualClock::new(), RefCell::new(String::new()), RefCell::new(Vec::new()));
    let call = |name| {
        let (clock, log) = (&clock, &log);
        move || {
            log.borrow_mut().push(name);
            clock.advance(Duration::from_nanos(latency));
        }
    };
    let hooks = Hooks {
        warmup_status: &mut |_, _, _| {},
        pre_exec: Box::new(|| log.borrow_mut().clear()),
        exec_status: &mut |count| {
            log.borrow_mut().push('|');
            counts.borrow_mut().push(count);
        },
    };
    let out = run::run(plan, &clock, &mut closures(call('1'), call('2')), hooks);
    (log.into_inner(), counts.into_inner(), out)
}

#[test]
fn every_execution_counts_and_none_is_added() {
    for exec_count in (1..=101).chain([1000, 1001, 1002, 1003]) {
        let (log, counts, out) = log_of(&plan(exec_count), 20_000);
        assert_eq!(
            (out.n(), out.summary_f1().count, out.summary_f2().count),
            (exec_count as u64, out.n(), out.n())
        );
        for name in ['1', '2'] {
            assert_eq!(log.matches(name).count(), exec_count, "{log}");
        }
        assert_eq!(counts.last(), Some(&exec_count));
    }
}

#[test]
fn the_order_of_every_duo_is_drawn_by_the_coin() {
    let (log, _, out) = log_of(&plan(101), 20_000);
    let mut coin = Coin::new(OrderPolicy::Coin, out.seed());
    let executions = log.replace('|', "");
    let (duos, half) = executions.as_bytes().as_chunks::<4>();
    for duo in duos {
        assert_eq!(duo, if coin.flip() == Order::CandidateFirst { b"1221" } else { b"2112" });
    }
    assert_eq!(half, if coin.flip() == Order::CandidateFirst { b"12" } else { b"21" });
    assert!(out.duos().iter().any(|duo| duo.order != out.duos()[0].order));
}

#[test]
fn two_comparisons_draw_their_own_order() {
    let seeds = [(); 3].map(|()| DiffPlan::new(LatencyUnit::Nano, 1).seed);
    assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2], "{seeds:?}");
}

/// A disturbance of every fourth execution falls on the same function in each duo of a fixed order.
#[test]
fn a_periodic_disturbance_is_not_taken_for_a_difference() {
    let runs = 200;
    let differences = |order| {
        let found = |seed: &u64| {
            let (noise, calls) = (RefCell::new(Beta::new(0.01, Seed(*seed))), Cell::new(0));
            let call = || {
                calls.set(calls.get() + 1);
                let disturbed = if calls.get() % 4 == 0 { 1.05 } else { 1.0 };
                (20e3 * disturbed * noise.borrow_mut().draw()).round() as u64
            };
            let plan = DiffPlan { order, seed: Seed(*seed), ..plan(200) };
            compare(&plan, call, call).welch_ln_test(AltHyp::Ne, 0.05).accepted() != Hyp::Null
        };
        (1..=runs).filter(found).count()
    };
    assert_eq!(differences(OrderPolicy::Fixed), 200, "the disturbance is there");
    // Pairs inside a duo resemble each other, so Welch's level is not quite 5 % even so.
    assert!(differences(OrderPolicy::Coin) < 30);
}

#[test]
fn nothing_is_told_while_a_block_is_measured() {
    let (log, counts, _) = log_of(&plan(99), 20_000);
    let lengths: Vec<usize> = log.split_terminator('|').map(str::len).collect();
    assert_eq!(lengths, [32, 32, 32, 32, 32, 32, 4, 2], "six blocks of 8 duos, one of 1, and half a duo");
    assert_eq!(counts, [16, 32, 48, 64, 80, 96, 98, 99]);
}

#[test]
fn long_functions_are_told_of_after_every_duo() {
    let (log, counts, out) = log_of(&plan(5), 3_000_000_000);
    assert_eq!(log.split_terminator('|').map(str::len).collect::<Vec<_>>(), [4, 4, 2]);
    assert_eq!(counts, [2, 4, 5]);
    assert_eq!(out.mean_f1(), 3e9);
}

#[test]
fn a_plan_warms_up_for_as_long_as_it_says() {
    let executions = |warmup, latency: u64| {
        let (clock, calls) = (ManualClock::new(), Cell::new(0));
        let call = || {
            calls.set(calls.get() + 1);
            clock.advance(Duration::from_nanos(latency));
        };
        DiffPlan { warmup, ..plan(1) }.run_on(&clock, call, call);
        calls.get() - 2
    };
    assert_eq!(executions(Duration::from_millis(8), 20_000), 400);
    assert_eq!(executions(Duration::from_millis(80), 20_000), 4_000);
    assert_eq!(executions(Duration::ZERO, 20_000), 4 * 16, "the fewest duos");
    assert_eq!(executions(Duration::from_secs(3), 2_000_000_000), 4 * 2, "long ones need no practice");
}

#[test]
fn the_global_warm_up_is_three_seconds_unless_it_is_set() {
    assert_eq!(get_warmup_millis(), 3_000);
    assert_eq!(DiffPlan::new(LatencyUnit::Nano, 1).warmup, Duration::from_secs(3));
    set_warmup_millis(2);
    let told = RefCell::new(Vec::new());
    let started = Cell::new(0);
    let status = |look, elapsed, target| told.borrow_mut().push((look, elapsed, target));
    let out =
        bench_diff_x(LatencyUnit::Nano, || (), || (), 3, status, || started.set(started.get() + 1), |_| {});
    let other = DiffPlan { warmup: Duration::from_millis(7), ..DiffPlan::new(LatencyUnit::Nano, 1) };
    assert_eq!((get_warmup_millis(), other.warmup), (2, Duration::from_millis(7)), "a plan sets nothing");
    set_warmup_millis(3_000);

    assert_eq!((out.n(), started.get()), (3, 1));
    let told = told.into_inner();
    assert!(told.iter().zip(1..).all(|(&(look, _, target), expected)| (look, target) == (expected, 2)));
    assert!(told.last().is_some_and(|&(_, elapsed, target)| elapsed >= target), "{told:?}");
}

/// A clock whose readings take time, as all real ones do.
struct SlowToRead {
    clock: ManualClock,
    reading: Duration,
}

impl Clock for SlowToRead {
    type Moment = u64;

    fn now(&self) -> u64 {
        self.clock.advance(self.reading);
        self.clock.now()
    }

    fn nanoseconds(&self, start: u64, end: u64) -> u64 {
        self.clock.nanoseconds(start, end)
    }
}

#[test]
fn reading_the_clock_is_no_part_of_a_latency() {
    let clock = SlowToRead { clock: ManualClock::new(), reading: Duration::from_nanos(25) };
    let call = |nanoseconds| {
        let clock = &clock.clock;
        move || clock.advance(Duration::from_nanos(nanoseconds))
    };
    let out = plan(100).run_on(&clock, call(120), call(100));
    assert_eq!((out.mean_f1(), out.mean_f2(), out.overhead()), (120.0, 100.0, 25));
    assert!((out.ratio_medians_f1_f2() - 1.2).abs() < 1e-12, "and not 145 / 125 = 1.16");
    assert!((out.ratio_medians_f1_f2_from_lns() - 1.2).abs() < 1e-12);
    assert_eq!(out.duos()[0].baseline, [100, 100]);

    // However few executions there are.
    for executions in 1..5 {
        let out = plan(executions).run_on(&clock, call(120), call(100));
        assert_eq!((out.mean_f1(), out.mean_f2(), out.overhead()), (120.0, 100.0, 25), "{executions}");
    }

    // What is shorter than the clock can tell has no latency, and so no ratio.
    assert!(plan(100).run_on(&clock, call(0), call(0)).ratio_medians_f1_f2_from_lns().is_nan());
}

/// The empty slot of a block is its last one.
#[test]
fn an_interruption_of_an_empty_slot_is_no_part_of_the_overhead() {
    let clock = ManualClock::new();
    let after = Cell::new(u64::MAX);
    let call = || clock.advance(Duration::from_micros(20));
    let empty = || {
        after.set(after.get().wrapping_sub(1));
        if after.get() == 0 {
            clock.advance(Duration::from_millis(4));
        }
    };
    for interrupted in 1..=32 {
        after.set(interrupted);
        let mut pair = Closures::new(call, call).with_empty(empty);
        let out = run::run_silently(&plan(10), &clock, &mut pair);
        assert_eq!((out.overhead(), out.mean_f1()), (0, 20_000.0), "{interrupted}");
    }
}

thread_local!(static TRACES: RefCell<Vec<Backtrace>> = const { RefCell::new(Vec::new()) });

#[inline(never)]
fn note_the_caller() {
    TRACES.with_borrow_mut(|traces| traces.push(Backtrace::force_capture()));
}

/// In each copy of a call the compiler may place and fuse the function anew, which alone has made equal code
/// differ by 10 %.
#[test]
fn both_functions_are_called_from_one_place() {
    let (clock, mut pair) = (ManualClock::new(), closures(note_the_caller, note_the_caller));
    let hooks = Hooks {
        warmup_status: &mut |_, _, _| {},
        pre_exec: Box::new(|| TRACES.with_borrow_mut(|traces| _ = traces.drain(4..))),
        exec_status: &mut |_| {},
    };
    run::run(&plan(8), &clock, &mut pair, hooks);
    let traces = TRACES.with_borrow(|traces| traces.iter().map(path_to_the_slot).collect::<Vec<_>>());
    let (warmup, counted) = traces.split_at(4);
    assert_eq!((warmup.len(), counted.len()), (4, 16));
    assert!(warmup.iter().all(|path| path == &warmup[0]), "{warmup:#?}");
    assert!(counted.iter().all(|path| path == &counted[0]), "{counted:#?}");
    assert_eq!(warmup[0][..2], counted[0][..2], "the line of the call");
}

/// The functions from the timed slot up to the test with their lines, without the numbers of the frames.
fn path_to_the_slot(trace: &Backtrace) -> Vec<String> {
    let trace = trace.to_string();
    let (_, path) = trace.split_once("::time_slot").expect("a function is called by the timed slot");
    let is_number = |character: char| character.is_ascii_digit() || character == ':' || character == ' ';
    path.lines().map(|line| line.trim_start_matches(is_number).to_owned()).collect()
}

/// A chain of multiplications whose result nothing else uses: an optimiser that sees this leaves it out.
fn chain(links: u64) -> u64 {
    (0..links).fold(1, |state: u64, link| (state ^ link).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[test]
fn the_work_for_what_a_function_returns_is_done() {
    let links = black_box(200_000);
    let out = plan(21).run(|| chain(links), || chain(links / 100));
    assert!(out.median_f1() > 5.0 * out.median_f2(), "{} and {}", out.median_f1(), out.median_f2());
}
