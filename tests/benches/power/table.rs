//! A row of the table: what came out of many gates.

use bench_diff_core::Verdict;
use statrs::distribution::{Binomial, DiscreteCDF};

use crate::cells::Cell;
use crate::gates::Answer;

pub(crate) const HEADER: &str = "\
| kernel | true slowdown | zone | method | gates | fail | pass | inconclusive | time to verdict: median (95 %) | duos | clock |
|---|---|---|---|---|---|---|---|---|---|---|";

pub(crate) fn row(cell: &Cell, answers: &[Answer]) -> String {
    let n = answers.len() as u64;
    let count = |verdict| answers.iter().filter(|answer| answer.verdict == Some(verdict)).count() as u64;
    let mut times: Vec<f64> = answers.iter().map(|answer| answer.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let mut duos: Vec<usize> = answers.iter().map(|answer| answer.duos).collect();
    duos.sort_unstable();
    let cpu = answers.iter().filter(|answer| answer.clock == "cpu").count();
    format!(
        "| {} | {} % | {} | {} | {n} | {} | {} | {} | {} ({}) ms | {} | {} % cpu |",
        cell.kernel,
        cell.per_mille as f64 / 10.0,
        cell.zone,
        cell.method,
        share(count(Verdict::Fail), n),
        share(count(Verdict::Pass), n),
        share(count(Verdict::Inconclusive), n),
        milliseconds(quantile(&times, 0.5)),
        milliseconds(quantile(&times, 0.95)),
        duos[duos.len() / 2],
        100 * cpu / answers.len(),
    )
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1]
}

fn milliseconds(time: f64) -> String {
    if time < 10.0 { format!("{time:.1}") } else { format!("{time:.0}") }
}

/// `k` of `n` in percent, with the 95 % bounds of Clopper & Pearson (1934).
fn share(k: u64, n: u64) -> String {
    let binomial = |p: f64| Binomial::new(p, n).expect("p is between 0 and 1");
    let at_least_k = |p: f64| k.checked_sub(1).map_or(1.0, |below| binomial(p).sf(below));
    let at_most_k = |p: f64| binomial(p).cdf(k);
    let low = if k == 0 { 0.0 } else { turning_point(|p| at_least_k(p) < 0.025) };
    let high = if k == n { 1.0 } else { turning_point(|p| at_most_k(p) > 0.025) };
    let percent = |share: f64| share * 100.0;
    format!("{:.1} % ({:.1}-{:.1})", percent(k as f64 / n as f64), percent(low), percent(high))
}

/// Where a condition that holds at 0 ceases to hold.
fn turning_point(holds: impl Fn(f64) -> bool) -> f64 {
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
