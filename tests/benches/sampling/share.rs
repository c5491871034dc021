//! The share of the time of a measurement that is spent inside the functions.

use std::cell::Cell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bench_diff_core::{Closures, Instruments, MeasureError, Plan, Recording, SystemClocks, measure};

use crate::plans::{endless, gated};
use crate::{FUNCTIONS, RUNS, chain, median};

/// The measurements of 1 s whose median is shown.
const ENDLESS_RUNS: usize = 3;

pub(crate) fn print() -> Result<(), MeasureError> {
    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    println!("| function | run | inside the functions | duos | time |");
    println!("|---|---|---|---|---|");
    let to_the_end = FUNCTIONS.map(|function| (function, "to a verdict", RUNS, gated as fn(u64) -> Plan));
    let endless =
        FUNCTIONS.map(|function| (function, "for 1 s", ENDLESS_RUNS, for_a_second as fn(u64) -> Plan));
    for ((name, links), kind, runs, plan) in to_the_end.into_iter().chain(endless) {
        let runs: Result<Vec<Run>, _> =
            (0..runs).map(|seed| run(&instruments, links, &plan(seed as u64))).collect();
        let runs = runs?;
        let of = |figure: fn(&Run) -> f64| median(runs.iter().map(figure).collect());
        println!(
            "| {name} | {kind} | {:.1} % | {} | {:.1} ms |",
            100.0 * of(|run| run.share),
            of(|run| run.duos),
            1e3 * of(|run| run.seconds),
        );
    }
    println!();
    Ok(())
}

/// There judging and empty slots count, while a plain pair has hardly more than its warm-up.
fn for_a_second(seed: u64) -> Plan {
    endless(seed, Duration::from_secs(1))
}

struct Run {
    share: f64,
    duos: f64,
    seconds: f64,
}

/// Measures two equal functions, warm-up included, as `cargo bench` would.
fn run(instruments: &Instruments<'_>, links: u64, plan: &Plan) -> Result<Run, MeasureError> {
    let calls = Cell::new(0_u64);
    let call = || {
        calls.set(calls.get() + 1);
        black_box(chain(links));
    };
    let start = Instant::now();
    let measurement = measure(instruments, &mut Closures::new(call, call), plan)?;
    let seconds = start.elapsed().as_secs_f64();
    let Recording { warmup, duos: counted, .. } = &measurement.rounds[0][0];
    let duos = warmup.duos.iter().chain(counted);
    let (slots, nanoseconds) = duos.fold((0, 0), |(slots, sum), duo| (slots + 4, sum + duo.total()));
    let call = nanoseconds as f64 / (slots * warmup.iterations) as f64;
    Ok(Run { share: calls.get() as f64 * call * 1e-9 / seconds, duos: counted.len() as f64, seconds })
}
