//! Progress on stderr, the one thing that this crate ever prints, for [`bench_diff_with_status`] alone.

#![expect(clippy::print_stderr, reason = "its caller asks for exactly this")]

use bench_diff_core::InstantClock;

use super::plan::DiffPlan;
use super::run::{self, Hooks};
use super::{DiffOut, LatencyUnit};

/// Compares two functions like [`bench_diff`](crate::bench_diff) and tells on stderr how far it has
/// come.
///
/// `header` is called once before everything else. The progress is written between blocks of executions,
/// never during one.
///
/// # Panics
///
/// If `exec_count` is 0 or nothing can be written to stderr. A panic of a function passes through.
pub fn bench_diff_with_status<R1, R2>(
    unit: LatencyUnit,
    f1: impl FnMut() -> R1,
    f2: impl FnMut() -> R2,
    exec_count: usize,
    header: impl FnOnce(LatencyUnit, usize),
) -> DiffOut {
    header(unit, exec_count);
    let (mut warmup, mut execution) = (Line::default(), Line::default());
    let hooks = Hooks {
        warmup_status: &mut |_, elapsed, target| {
            warmup.show("Warming up ... ", &format!("{elapsed} millis of {target}."));
        },
        pre_exec: Box::new(|| eprint!(" ")),
        exec_status: &mut |count| {
            execution.show("Executing bench_diff ... ", &format!("{count} of {exec_count}."));
        },
    };
    let out = run::run(&DiffPlan::new(unit, exec_count), &InstantClock, &mut run::closures(f1, f2), hooks);
    eprintln!();
    out
}

/// A text whose end is written over.
#[derive(Default)]
struct Line {
    /// The characters to write over; none before anything was written.
    written: Option<usize>,
}

impl Line {
    fn show(&mut self, start: &str, status: &str) {
        match self.written.replace(status.len()) {
            None => eprint!("{start}{status}"),
            Some(length) => eprint!("{}{status}", "\u{8}".repeat(length)),
        }
    }
}
