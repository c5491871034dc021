//! The comparison of two functions, as the original has it.

use bench_diff_core::InstantClock;

use super::plan::DiffPlan;
use super::run::{self, Hooks};
use super::{DiffOut, LatencyUnit};

/// Compares the latencies of two functions, each of which is executed `exec_count` times.
///
/// The functions run in duos, f1 f2 f2 f1 or f2 f1 f1 f2 in the order of a coin, through one call
/// instruction, one execution in a timed slot on the wall clock. Of an odd number the last two slots are half
/// a duo. Every execution after the warm-up of [`get_warmup_millis`](crate::get_warmup_millis)
/// counts, of each function as many as were asked for. What reading the clock costs is subtracted. What the
/// functions return passes to a black box, so that the work for it is done, and is dropped within the slot.
///
/// The number of executions is fixed in advance and there is no margin: with enough of them the smallest
/// difference becomes significant, also one of layout that no user would notice, and a program that compares
/// many pairs has to divide its alpha by hand. A gate with a margin, which stops as soon as it knows, is
/// [`measure()`](bench_diff_core::measure()).
///
/// ```
/// use bench_diff_original::{LatencyUnit, bench_diff, set_warmup_millis, stats_types::AltHyp};
///
/// set_warmup_millis(10);
/// let text: Vec<String> = (0..1000).map(|number| number.to_string()).collect();
/// let out = bench_diff(LatencyUnit::Micro, || text.concat(), || text[..100].concat(), 100);
/// println!("{} with {:?}", out.ratio_medians_f1_f2(), out.welch_ratio_ci(0.05));
/// println!("{:?}", out.welch_ln_test(AltHyp::Gt, 0.05));
/// # assert!(out.ratio_medians_f1_f2() > 2.0);
/// ```
///
/// # Panics
///
/// If `exec_count` is 0. A panic of a function passes through.
pub fn bench_diff<R1, R2>(
    unit: LatencyUnit,
    f1: impl FnMut() -> R1,
    f2: impl FnMut() -> R2,
    exec_count: usize,
) -> DiffOut {
    DiffPlan::new(unit, exec_count).run(f1, f2)
}

/// Compares two functions like [`bench_diff()`] and tells its caller how far it has come.
///
/// - `warmup_status` is called during the warm-up, every 8 duos and at its end, with the number of this call,
///   the milliseconds since the start and those that were asked for.
/// - `pre_exec` is called once, after the warm-up.
/// - `exec_status` is called after every block of executions, at last with `exec_count`, with the executions
///   of each function so far. A block is 8 duos, or one where a duo takes 10 ms: nothing is called during a
///   block, since what happens there falls on the executions.
///
/// # Panics
///
/// If `exec_count` is 0. A panic of a function passes through.
pub fn bench_diff_x<R1, R2>(
    unit: LatencyUnit,
    f1: impl FnMut() -> R1,
    f2: impl FnMut() -> R2,
    exec_count: usize,
    mut warmup_status: impl FnMut(usize, u64, u64),
    pre_exec: impl FnOnce(),
    mut exec_status: impl FnMut(usize),
) -> DiffOut {
    let hooks = Hooks {
        warmup_status: &mut warmup_status,
        pre_exec: Box::new(pre_exec),
        exec_status: &mut exec_status,
    };
    run::run(&DiffPlan::new(unit, exec_count), &InstantClock, &mut run::closures(f1, f2), hooks)
}
