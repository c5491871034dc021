//! What records and reports take from a plan and from the settings of a run.

use std::io::{self, IsTerminal};

use bench_diff_report::record::{
    End, GateRecord, Machine, OtherSide, PairRecord, PlannedRecord, StartRecord, Uncompared,
};
use bench_diff_report::{Format, GitHub, ListedPair, Options, ReportFile};
use bench_diff_revision::Missing;
use bench_diff_system::terminal;

use crate::plan::{PairPlan, RunPlan, most_common_hindrance};
use crate::settings::{Config, Surroundings, Target, When, paths};

/// The start of a planned run on this machine.
pub(crate) fn started(plan: &RunPlan, machine: &Machine) -> StartRecord {
    let planned = plan.pairs.iter().map(|PairPlan { group, listed, .. }| PlannedRecord {
        name: listed.name.clone(),
        group: group.clone(),
        is_compared: plan.against.is_some() || listed.baseline.is_some(),
    });
    StartRecord {
        package: plan.repetition.package.to_owned(),
        bench: plan.repetition.bench.clone(),
        seed: plan.seed.to_string(),
        strict: plan.config.strict,
        unjudged: plan.unjudged.map(str::to_owned),
        against: plan.against.clone().map(|side| {
            let same_code = plan.pairs.iter().filter(|pair| pair.is_proven()).count();
            OtherSide { same_code, hindrance: most_common_hindrance(&plan.pairs), ..side }
        }),
        machine: machine.clone(),
        pairs: planned.collect(),
        filtered_out: plan.elsewhere.len(),
    }
}

/// The record of a pair without figures, which ended so.
pub(crate) fn unmeasured(run: &RunPlan, pair: &PairPlan, end: End) -> PairRecord {
    let PairPlan { listed, group, gate, allowed, plan, .. } = pair;
    PairRecord {
        package: run.repetition.package.to_owned(),
        bench: run.repetition.bench.clone(),
        name: listed.name.clone(),
        file: listed.location.file.to_owned(),
        line: listed.location.line,
        group: group.clone(),
        against: run.against.as_ref().map(|side| side.name.clone()).or_else(|| listed.baseline.clone()),
        judge: plan.judge,
        gate: GateRecord::of(*gate, plan).map(|gate| GateRecord { allowed: allowed.clone(), ..gate }),
        ignored: None,
        seed: run.seed.to_string(),
        notes: Vec::new(),
        repeat: run.repetition.command(Some(&listed.name), run.seed),
        nextest_run_id: run.config.surroundings.nextest_run.clone(),
        end,
    }
}

/// The reason that a run compared nothing, given what its old side lacks.
pub(crate) fn uncompared(missing: Missing) -> Uncompared {
    match missing {
        Missing::NoPackage => Uncompared::NoPackage,
        Missing::NoBench => Uncompared::NoBench,
        Missing::NewBench => Uncompared::NewBench,
        Missing::Uncompilable => Uncompared::Uncompilable,
        Missing::OtherHarness => Uncompared::OtherHarness,
    }
}

/// The pair in a list.
pub(crate) fn listed(pair: &PairPlan) -> ListedPair<'_> {
    let location = &pair.listed.location;
    ListedPair {
        name: &pair.listed.name,
        file: location.file,
        line: location.line,
        column: location.column,
        ignored: pair.ignored,
    }
}

/// What a run reports, and where. It prints to a terminal of this width, or elsewhere.
pub(crate) fn options(plan: &RunPlan, target: &Target, width: Option<usize>) -> Options {
    let Config { format, verbose, reports, surroundings, .. } = &plan.config;
    let Surroundings { ci, nextest_run, .. } = surroundings;
    // Relative to the package.
    let root = paths::root(&plan.config, target);
    let files = reports.iter().map(|(format, path)| ReportFile {
        format: *format,
        path: root.join(path.filled(target.package, &target.bench())),
        origin: path.origin.clone(),
        text: path.text().to_owned(),
    });
    let has_bar = *format == Format::Pretty && !ci && nextest_run.is_none();
    Options {
        format: *format,
        verbose: *verbose,
        width,
        // Another program may show the results on the same terminal.
        shows_progress: has_bar && io::stderr().is_terminal() && terminal::has_escapes(),
        comparison: plan.comparison(),
        files: files.collect(),
        nextest_run: nextest_run.clone(),
        github: github(&plan.config, target),
    }
}

/// The GitHub job to report to, if any.
fn github(config: &Config, target: &Target) -> Option<GitHub> {
    let Surroundings { github, github_workspace, github_summary, nextest_run, .. } = &config.surroundings;
    // Every process of nextest would use up the annotations of the step, and all would write the summary at
    // once.
    (config.github.is_now(*github) && nextest_run.is_none()).then(|| GitHub {
        package: paths::root(config, target),
        repository: github_workspace.clone(),
        summary: github_summary.clone(),
        is_required: config.github == When::Always,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{TARGET, config};

    #[test]
    fn a_process_of_nextest_leaves_github_alone() {
        for (line, nextest_run, is_required) in
            [("", None, None), ("--github always", None, Some(true)), ("--github always", Some("a"), None)]
        {
            let mut config = config(line);
            config.surroundings.nextest_run = nextest_run.map(str::to_owned);
            let job = github(&config, &TARGET);
            assert_eq!(job.map(|job| job.is_required), is_required, "{line}");
        }
    }
}
