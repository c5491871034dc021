//! How often the gate fails, passes and stays open at a known slowdown, on this machine:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench rates -- --runs 100
//! ```
//!
//! Prints a markdown table. It is left out of a plain `cargo bench`.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bench_diff_core::{
    Gate, InstantClock, JudgeKind, MeasureError, OrderPolicy, Plan, Seed, Side, Verdict, measure,
};
use statrs::distribution::{Binomial, DiscreteCDF};

/// Turns of the loop that take about 20 us. A hundred turns are half a percent of them.
const TURNS: u64 = 20_000;

/// Slowdowns in per mille of the turns.
const SLOWDOWNS: [u64; 5] = [0, 10, 20, 30, 50];

/// A chain of multiplications, each waiting for the one before it: time in proportion to the turns.
fn chain(turns: u64) -> u64 {
    (0..black_box(turns)).fold(1, |product: u64, _| black_box(product.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

fn main() -> ExitCode {
    let Some(runs) = runs() else {
        eprintln!("error: expected `--runs N` with a whole number above 0");
        return ExitCode::from(2);
    };
    println!(
        "welch, exec_count 2000, max_slowdown 2 %, alpha 1 %, beta 5 %, warm-up 50 ms, {runs} runs a row\n"
    );
    println!("| true slowdown | fail (95 % bounds) | pass (95 % bounds) | inconclusive | median time |");
    println!("|---|---|---|---|---|");
    for slowdown in SLOWDOWNS {
        match row(slowdown, runs) {
            Ok(row) => println!("{row}"),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::from(3);
            }
        }
    }
    ExitCode::SUCCESS
}

/// The number of runs a row: 100 where the command line does not say. Cargo adds `--bench`.
fn runs() -> Option<u64> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, ..) => Some(100),
        (Some("--runs"), Some(runs), None) => runs.parse().ok().filter(|runs| *runs > 0),
        _ => None,
    }
}

fn row(slowdown: u64, runs: u64) -> Result<String, MeasureError> {
    let (mut fails, mut passes, mut times) = (0, 0, Vec::new());
    for run in 0..runs {
        let start = Instant::now();
        match gate(slowdown, Seed(slowdown).for_pair(&run.to_string()))? {
            Some(Verdict::Fail) => fails += 1,
            Some(Verdict::Pass) => passes += 1,
            Some(Verdict::Inconclusive) | None => {}
        }
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(format!(
        "| {} % | {} | {} | {} | {} ms |",
        slowdown as f64 / 10.0,
        share(fails, runs),
        share(passes, runs),
        runs - fails - passes,
        times[times.len() / 2].as_millis(),
    ))
}

fn gate(slowdown: u64, seed: Seed) -> Result<Option<Verdict>, MeasureError> {
    let plan = Plan {
        gate: Gate::MaxSlowdown(0.02),
        judge: JudgeKind::Welch,
        alpha: 0.01,
        beta: 0.05,
        exec_count: 2000,
        warmup: Duration::from_millis(50),
        order: OrderPolicy::Coin,
        seed,
    };
    let mut candidate = || {
        black_box(chain(TURNS + TURNS * slowdown / 1000));
    };
    let mut baseline = || {
        black_box(chain(TURNS));
    };
    let measurement = measure(
        &InstantClock,
        Side { call: &mut candidate, chores: None },
        Side { call: &mut baseline, chores: None },
        &plan,
        &mut |_| {},
    )?;
    Ok(measurement.judgement.verdict)
}

/// `k` of `n` with the bounds of Clopper & Pearson (1934).
fn share(k: u64, n: u64) -> String {
    let percent = |share: f64| format!("{:.1}", 100.0 * share);
    let at_least = |p: f64| k.checked_sub(1).map_or(1.0, |below| binomial(p, n).sf(below));
    let at_most = |p: f64| binomial(p, n).cdf(k);
    let low = if k == 0 { 0.0 } else { root(|p| at_least(p) < 0.025) };
    let high = if k == n { 1.0 } else { root(|p| at_most(p) > 0.025) };
    format!("{k} ({}-{} %)", percent(low), percent(high))
}

fn binomial(p: f64, n: u64) -> Binomial {
    Binomial::new(p, n).expect("p is between 0 and 1")
}

/// The p at which a condition, true at 0, turns false.
fn root(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
