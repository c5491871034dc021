//! A row of the table: what the measurements of one pair say of its true ratio.

use bench_diff_core::stats::Interval;
use bench_diff_core::{Measurement, Net, Verdict};

use crate::cases::Case;
use crate::median;

pub(crate) const HEADER: &str = "\
| pair | true ratio | raw | overhead | net | its interval | net within 2 % of truth | truth inside the interval | verdicts at 2 % |
|---|---|---|---|---|---|---|---|---|";

/// The tolerance around the truth.
const NEAR: f64 = 0.02;

pub(crate) fn row(case: &Case, runs: &[Measurement]) -> String {
    let nets: Vec<_> = runs.iter().filter_map(net).collect();
    let shown =
        |values: Vec<f64>| if values.is_empty() { "-".to_owned() } else { format!("{:.4}", median(values)) };
    let share = median(runs.iter().map(|run| run.overhead.map_or(0.0, |overhead| overhead.share)).collect());
    let interval = match nets.len() {
        0 => "-".to_owned(),
        _ => format!(
            "{} to {}",
            shown(nets.iter().map(|net| net.interval.low).collect()),
            shown(nets.iter().map(|net| net.interval.high).collect())
        ),
    };
    format!(
        "| {} | {} | {} | {:.1} % | {} | {interval} | {} | {} | {} |",
        case.name,
        case.truth.map_or("-".to_owned(), |truth| truth.to_string()),
        shown(runs.iter().map(|run| run.judgement.ratio).collect()),
        100.0 * share,
        shown(nets.iter().map(|net| net.ratio).collect()),
        held(case, runs, |ratio, _, truth| (ratio / truth - 1.0).abs() < NEAR),
        held(case, runs, |_, interval, truth| interval.low <= truth && truth <= interval.high),
        verdicts(runs),
    )
}

/// The share of true reports: by the net ratio if there is one, else by the raw one.
fn held(case: &Case, runs: &[Measurement], is_true: fn(f64, Interval, f64) -> bool) -> String {
    let Some(truth) = case.truth else { return "-".to_owned() };
    let is_held = |run: &&Measurement| {
        let (ratio, interval) =
            net(run).map_or((run.judgement.ratio, run.judgement.interval), |net| (net.ratio, net.interval));
        is_true(ratio, interval, truth)
    };
    format!("{} of {}", runs.iter().filter(is_held).count(), runs.len())
}

fn net(run: &Measurement) -> Option<Net> {
    run.overhead?.net(run.judgement.ratio, run.judgement.interval)
}

/// The frequency of each verdict, and the most frequent note.
fn verdicts(runs: &[Measurement]) -> String {
    let count = |verdict| runs.iter().filter(|run| run.judgement.verdict == Some(verdict)).count();
    let counts = [(Verdict::Pass, "pass"), (Verdict::Fail, "fail"), (Verdict::Inconclusive, "inconclusive")];
    let counts = counts.map(|(verdict, word)| (count(verdict), word));
    let counts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let middle = &runs[runs.len() / 2];
    let notes: Vec<String> = middle.judgement.notes.iter().map(ToString::to_string).collect();
    if notes.is_empty() { counts.join(", ") } else { format!("{}: {}", counts.join(", "), notes.join("; ")) }
}
