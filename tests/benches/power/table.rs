//! A row of the table: what came out of many gates.

use bench_diff_core::Verdict;

use crate::cells::Cell;
use crate::gates::Answer;
use crate::share::share;

pub(crate) const HEADER: &str = "\
| kernel | true slowdown | zone | beta | gates | fail | pass | inconclusive | time to verdict: median (95 %) | duos | clock |
|---|---|---|---|---|---|---|---|---|---|---|";

pub(crate) fn row(cell: &Cell, lines: &[String], _: f64) -> Option<String> {
    let answers: Vec<Answer> = lines.iter().map(|line| Answer::read(line)).collect::<Option<_>>()?;
    let n = answers.len() as u64;
    let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count() as u64;
    let mut times: Vec<f64> = answers.iter().map(|answer| answer.time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let mut duos: Vec<usize> = answers.iter().map(|answer| answer.duos).collect();
    duos.sort_unstable();
    let cpu = answers.iter().filter(|answer| answer.is_cpu_time).count();
    Some(format!(
        "| {} | {} % | {} | {} % | {n} | {} | {} | {} | {} ({}) ms | {} | {} % cpu |",
        cell.kernel.name,
        cell.per_mille as f64 / 10.0,
        cell.zone.0,
        cell.beta * 100.0,
        share(count(Verdict::Fail), n),
        share(count(Verdict::Pass), n),
        share(count(Verdict::Inconclusive), n),
        milliseconds(quantile(&times, 0.5)),
        milliseconds(quantile(&times, 0.95)),
        duos.get(duos.len() / 2)?,
        100 * cpu / answers.len(),
    ))
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len()) - 1]
}

fn milliseconds(time: f64) -> String {
    if time < 10.0 { format!("{time:.1}") } else { format!("{time:.0}") }
}
