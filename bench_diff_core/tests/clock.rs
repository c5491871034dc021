//! The clock that is chosen on a real machine. One test and no other, since any thread that computes is seen.

#![cfg(target_os = "linux")]

use std::hint::black_box;
use std::thread;
use std::time::Duration;

use bench_diff_core::{ClockKind, Closures, Instruments, JudgeKind, Plan, Seed, SystemClocks, measure};

/// The attempts at a choice that something else in the process may have spoilt.
const ATTEMPTS: usize = 5;

fn chosen(call: impl FnMut() + Clone) -> ClockKind {
    let plan = Plan {
        zone: None,
        judge: JudgeKind::Welch,
        slots: 4,
        warmup: Duration::ZERO,
        seed: Seed(1),
        ..Plan::default()
    };
    let clocks = SystemClocks::new();
    let mut pair = Closures::new(call.clone(), call);
    let measurement = measure(&Instruments::new(&clocks), &mut pair, &plan);
    measurement.expect("the slots are long").rounds[0][0].warmup.clock
}

fn compute() {
    black_box((0..black_box(500_000_u64)).fold(0, |sum, x| black_box(sum ^ x)));
}

#[test]
fn loops_have_the_cpu_clock_and_what_waits_the_wall_clock() {
    assert!((0..ATTEMPTS).any(|_| chosen(compute) == ClockKind::Cpu));
    assert_eq!(chosen(|| thread::sleep(Duration::from_millis(1))), ClockKind::Wall);
    let with_another_thread = || {
        thread::scope(|scope| {
            scope.spawn(compute);
            compute();
        });
    };
    assert_eq!(chosen(with_another_thread), ClockKind::Wall);
}
