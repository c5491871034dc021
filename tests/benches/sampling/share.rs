//! The share of the time of a measurement that is spent inside the functions.

use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

use bench_diff_core::{Closures, Instruments, MeasureError, SystemClocks, measure};

use crate::{FUNCTIONS, RUNS, chain, median, plan};

pub(crate) fn print() -> Result<(), MeasureError> {
    let clocks = SystemClocks::new();
    let instruments = Instruments::new(&clocks);
    println!("| function | inside the functions | duos | time |");
    println!("|---|---|---|---|");
    for (name, links) in FUNCTIONS {
        let runs: Result<Vec<Run>, _> = (0..RUNS).map(|seed| run(&instruments, links, seed as u64)).collect();
        let runs = runs?;
        let of = |figure: fn(&Run) -> f64| median(runs.iter().map(figure).collect());
        println!(
            "| {name} | {:.1} % | {} | {:.1} ms |",
            100.0 * of(|run| run.share),
            of(|run| run.duos),
            1e3 * of(|run| run.seconds),
        );
    }
    println!();
    Ok(())
}

struct Run {
    share: f64,
    duos: f64,
    seconds: f64,
}

/// Measures two equal functions, warm-up included, as `cargo bench` would.
fn run(instruments: &Instruments<'_, SystemClocks>, links: u64, seed: u64) -> Result<Run, MeasureError> {
    let calls = Cell::new(0_u64);
    let call = || {
        calls.set(calls.get() + 1);
        black_box(chain(links));
    };
    let start = Instant::now();
    let measurement = measure(instruments, &mut Closures::new(call, call), &plan(seed), &mut |_| {})?;
    let seconds = start.elapsed().as_secs_f64();
    let duos = measurement.warmup.duos.iter().chain(&measurement.duos);
    let (slots, nanoseconds) = duos.fold((0, 0), |(slots, sum), duo| (slots + 4, sum + duo.total()));
    let call = nanoseconds as f64 / (slots * measurement.warmup.iterations) as f64;
    Ok(Run {
        share: calls.get() as f64 * call * 1e-9 / seconds,
        duos: measurement.duos.len() as f64,
        seconds,
    })
}
