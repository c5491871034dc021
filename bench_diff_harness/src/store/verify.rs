//! Whether the records of a run agree: with each other, with its plan, and with what its last line counts.
//!
//! A report is only as good as what it is made of. Whatever does not agree is an error, however the run ended.

use std::collections::HashSet;

use bench_diff_core::Seed;

use super::file::{FiledPair, FiledRun};
use crate::exit::Exit;
use crate::record::{GateRecord, Outcome, PairRecord, RunRecord, StartRecord};
use crate::values;

/// Logarithms of another machine may differ in their last digits.
const ROUNDING: f64 = 1e-9;

/// What is wrong with a run, each with its file.
pub(super) fn problems(run: &FiledRun) -> Vec<String> {
    let path = run.path.display();
    let mut problems: Vec<String> = unended(run).into_iter().collect();
    if let Some(start) = &run.start {
        problems.extend(against_start(run, start));
    }
    let mut names = HashSet::new();
    for FiledPair { line, pair } in &run.pairs {
        let record = &pair.record;
        let in_itself = contradiction(record).or_else(|| pair.measured().err());
        let in_run = || run.start.as_ref().and_then(|start| contradiction_in_run(pair, start));
        let is_new = names.insert((&record.package, &record.bench, &record.name));
        let twice = || (!is_new).then(|| "the run has this pair twice".to_owned());
        if let Some(reason) = in_itself.or_else(in_run).or_else(twice) {
            problems.push(format!("line {line}, pair `{}`: {reason}", record.name));
        }
    }
    problems.extend(run.end.as_ref().and_then(|end| miscounted(run, end)));
    problems
        .iter()
        .map(|problem| format!("{path}, {problem}").replacen(", this run", ": this run", 1))
        .collect()
}

/// What is missing of a run that did not end.
fn unended(run: &FiledRun) -> Option<String> {
    if run.end.is_some() {
        return None;
    }
    let Some(start) = &run.start else {
        return Some("this run did not end: its last line is missing, so pairs may be missing".to_owned());
    };
    let recorded: HashSet<&str> = run.pairs.iter().map(|pair| pair.record().name.as_str()).collect();
    let planned = start.pairs.iter().map(|pair| pair.name.as_str());
    let missing: Vec<&str> = planned.filter(|name| !recorded.contains(name)).collect();
    let count = start.pairs.len();
    Some(match missing.len() {
        0 => format!("this run did not end, though all of its {count} pairs are there"),
        missing_count => format!(
            "this run did not end, {missing_count} of its {count} pairs are missing: {}",
            few(&missing)
        ),
    })
}

/// What the start of a run does not agree with.
fn against_start(run: &FiledRun, start: &StartRecord) -> Vec<String> {
    let mut problems = Vec::new();
    let gated = run.pairs.iter().filter(|pair| pair.record().gate.is_some()).count();
    if gated > start.gated {
        problems.push(format!("{gated} of its pairs have a gate, and alpha is shared by {}", start.gated));
    }
    let Some(end) = &run.end else { return problems };
    if (&end.package, &end.bench) != (&start.package, &start.bench) {
        problems.push("its first and its last line are of different benches".to_owned());
    }
    let stopped =
        run.pairs.last().is_some_and(|last| last.record().outcome.exit(start.strict) != Exit::Success);
    if run.pairs.len() < start.pairs.len() && !stopped {
        problems.push(format!(
            "{} of its {} pairs are missing",
            start.pairs.len() - run.pairs.len(),
            start.pairs.len()
        ));
    }
    problems
}

/// What the last line of a run counts otherwise than its records do.
fn miscounted(run: &FiledRun, end: &RunRecord) -> Option<String> {
    let outcomes: Vec<Outcome> = run.pairs.iter().map(|pair| pair.record().outcome).collect();
    let counted = RunRecord::of(&StartRecord::default(), &outcomes, 0.0).counts();
    let wrong = end.counts().into_iter().zip(counted).find(|((_, said), (_, counted))| said != counted);
    wrong.map(|((word, said), (_, counted))| {
        format!("its last line says {said} {word}, and its records are {counted}: a record is missing or was changed")
    })
}

/// What a record says against the run that it stands in.
fn contradiction_in_run(pair: &crate::record::StoredPair, start: &StartRecord) -> Option<String> {
    let record = &pair.record;
    let is_planned = start.pairs.iter().any(|planned| planned.name == record.name);
    let seed = start.seed.as_deref().unwrap_or_default();
    let share = record.gate.as_ref().map_or(0.0, |gate| gate.alpha * start.gated as f64);
    let is_judged = matches!(record.outcome, Outcome::Pass | Outcome::Fail | Outcome::Inconclusive);
    let is_measured = is_judged || record.outcome == Outcome::Measured;
    if (&record.package, &record.bench) != (&start.package, &start.bench) {
        Some("it is of another bench than the run".to_owned())
    } else if !is_planned {
        Some("the run did not plan it".to_owned())
    } else if record.seed != seed {
        Some(format!("its seed is {}, and that of the run {seed}", record.seed))
    } else if share > values::LARGEST_ERROR_RATE {
        Some(format!("its share of alpha, times the {} pairs that share it, is {share}", start.gated))
    } else if is_judged && start.unjudged.is_some() {
        Some("it is judged in a run that judges nothing".to_owned())
    } else if record.outcome == Outcome::Measured && record.gate.is_some() && start.unjudged.is_none() {
        Some("it has a gate and is not judged".to_owned())
    } else if is_measured != pair.has_source() {
        Some("it has figures without their slots, or slots without figures".to_owned())
    } else {
        let coin = values::seed(seed).unwrap_or(Seed(0)).for_pair(&record.name);
        pair.coin()
            .filter(|known| *known != coin.to_string())
            .map(|known| format!("the seed of its coin is {known}, and that of this run makes it {coin}"))
    }
}

/// What a record says against itself.
fn contradiction(record: &PairRecord) -> Option<String> {
    let wrong_gate = record.gate.as_ref().and_then(wrong_gate);
    if wrong_gate.is_some() {
        return wrong_gate;
    }
    let figures = record.gate.as_ref().zip(record.p_fail).zip(record.p_pass);
    match record.outcome {
        Outcome::Pass | Outcome::Fail | Outcome::Inconclusive => {
            let Some(((gate, p_fail), p_pass)) = figures else {
                return Some(format!("`{}` without a gate or what it was judged by", record.outcome.name()));
            };
            let proven = if p_fail <= gate.alpha * (1.0 + ROUNDING) {
                Outcome::Fail
            } else if p_pass <= gate.beta * (1.0 + ROUNDING) {
                Outcome::Pass
            } else {
                Outcome::Inconclusive
            };
            (proven != record.outcome)
                .then(|| format!("it says {}, and its figures say {}", record.outcome.name(), proven.name()))
        }
        Outcome::Error if record.reason.is_none() => Some("an error without a reason".to_owned()),
        Outcome::Measured if record.ratio.is_none() => Some("measured, and without a ratio".to_owned()),
        Outcome::Error | Outcome::Ignored if record.ratio.is_some() => {
            Some(format!("`{}`, and it has a ratio", record.outcome.name()))
        }
        Outcome::Error | Outcome::Ignored | Outcome::Measured => None,
    }
}

fn wrong_gate(gate: &GateRecord) -> Option<String> {
    let is_rate = |rate: f64| rate > 0.0 && rate <= values::LARGEST_ERROR_RATE;
    if !(gate.margin.is_finite() && gate.margin > 0.0) {
        return Some(format!("the margin of its gate is {}", gate.margin));
    }
    if !is_rate(gate.alpha) || !is_rate(gate.beta) {
        return Some(format!("its error rates are {} and {}", gate.alpha, gate.beta));
    }
    let zone = gate.gate().zone()?;
    let expected = [
        Some(zone.slower.lo),
        Some(zone.slower.hi),
        zone.faster.map(|faster| faster.lo),
        zone.faster.map(|faster| faster.hi),
    ];
    let is_near = |(said, meant): (Option<f64>, Option<f64>)| match (said, meant) {
        (Some(said), Some(meant)) => (said - meant).abs() <= ROUNDING * meant.abs().max(ROUNDING),
        (said, meant) => said == meant,
    };
    let said = [Some(gate.lo), Some(gate.hi), gate.lo2, gate.hi2];
    let agrees = said.into_iter().zip(expected).all(is_near);
    (!agrees).then(|| "the bounds of its gate are not those of its margin".to_owned())
}

/// At most a few names.
pub(super) fn few(names: &[&str]) -> String {
    const FEW: usize = 3;
    let shown = format!("`{}`", names[..FEW.min(names.len())].join("`, `"));
    match names.len().saturating_sub(FEW) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
