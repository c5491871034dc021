//! A row of the table: how often the tests were wrong about a pair.

use bench_diff_original::stats_types::Hyp;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::run::Outcome;
use crate::scenario::Cell;

pub(crate) const HEADER: &str = "\
| f1 / f2 | base median | sample size | runs | error | limit | welch | sequential | duos of sequential: median | \
measured ratio f1 / f2 | time |
|---|---|---|---|---|---|---|---|---|---|---|";

/// The probability of an error that is allowed, of either type.
const RATE: f64 = 0.05;

pub(crate) fn row(cell: &Cell, lines: &[String], seconds: f64) -> Option<String> {
    let outcomes: Vec<Outcome> = lines.iter().map(|line| Outcome::read(line)).collect::<Option<_>>()?;
    let wrong = |is_right: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| !is_right(outcome)).count();
    let mut duos: Vec<usize> = outcomes.iter().map(|outcome| outcome.duos).collect();
    duos.sort_unstable();
    let ln_ratio = outcomes.iter().map(|outcome| outcome.ln_ratio).sum::<f64>() / outcomes.len() as f64;
    let kind = if cell.scenario.truth() == Hyp::Null { "type I" } else { "type II" };
    let limit = limit(outcomes.len() as u64);
    // What is beyond the limit stands out.
    let errors = |count: usize| if count as u64 > limit { format!("**{count}**") } else { count.to_string() };
    Some(format!(
        "| {} | {} | {} | {} | {kind} | {limit} | {} | {} | {} | {:.4} | {seconds:.0} s |",
        cell.scenario.name().replace('/', " / "),
        cell.scale.name,
        cell.scale.exec_count,
        outcomes.len(),
        errors(wrong(|outcome| outcome.welch_is_right)),
        errors(wrong(|outcome| outcome.sequential_is_right)),
        duos.get(duos.len() / 2)?,
        ln_ratio.exp(),
    ))
}

/// The errors of this many runs that a test of this rate exceeds with a probability of 5 % at the most: 9 of
/// 100.
fn limit(runs: u64) -> u64 {
    let binomial = Binomial::new(RATE, runs).expect("the rate is between 0 and 1");
    (0..=runs).find(|count| binomial.cdf(*count) >= 0.95).unwrap_or(runs)
}
