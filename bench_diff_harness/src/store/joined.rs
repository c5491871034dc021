//! Stored runs, reported as one run.

use std::path::PathBuf;

use super::loaded::{Gated, LoadedRun, full_name, gated, starts_of};
use crate::machine::Machine;
use crate::plan::OtherSide;
use crate::plan::group;
use crate::record::{
    Event, FinishedPair, Kind, Outcome, PairRecord, PlannedRecord, RunRecord, SCHEMA, StartRecord,
};
use crate::report::Reports;
use crate::system::exit::Exit;
use crate::system::stderr;

/// Stored runs as reports show them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    pub(super) start: StartRecord,
    pub(crate) pairs: Vec<FinishedPair>,
    pub(super) elapsed_s: f64,
    /// The files that were read; no report may replace them.
    pub(crate) inputs: Vec<PathBuf>,
    /// Notes that come before the results.
    pub(super) notes: Vec<String>,
    /// The problems with the files.
    pub(super) problems: Vec<String>,
}

impl Joined {
    /// These pairs of these runs.
    pub(super) fn new(runs: &[LoadedRun], pairs: Vec<FinishedPair>, strict: bool) -> Self {
        let pairs = gathered(pairs);
        let starts = starts_of(runs);
        let mut start = StartRecord { strict, ..in_common(&starts, &pairs) };
        for FinishedPair { record, .. } in &pairs {
            let record = start.shown(record);
            start.pairs.push(PlannedRecord {
                name: record.name.clone(),
                group: record.group.clone(),
                is_compared: Some(record.against.is_some()),
            });
        }
        if let Some(side) = &mut start.against {
            side.same_code = pairs.iter().filter(|pair| pair.record.is_same_code()).count();
        }
        let elapsed_s = runs.iter().map(LoadedRun::elapsed_s).sum();
        Self { start, elapsed_s, pairs, inputs: Vec::new(), notes: Vec::new(), problems: Vec::new() }
    }

    /// Emits the events that a run of these pairs would emit.
    pub(crate) fn emit(&self, reports: &mut Reports<'_>) -> Exit {
        self.notes.iter().for_each(|note| stderr::say(note));
        let mut exit = Exit::Success;
        // Even if there are no pairs: a report of a former run would otherwise pass for this one's.
        reports.emit(&Event::RunStarted(&self.start));
        for FinishedPair { record, measured } in &self.pairs {
            reports.emit(&Event::PairFinished { record, measured: measured.as_ref() });
            exit = exit.max(record.outcome().exit(self.start.strict));
        }
        let end = self.end();
        reports.emit(&Event::RunFinished(&end));
        exit = exit.max(end.uncompared().map_or(Exit::Success, |why| why.exit(self.start.strict)));
        for problem in &self.problems {
            stderr::error(problem);
            exit = Exit::Error;
        }
        exit
    }

    /// The end that a run of these pairs would have.
    pub(super) fn end(&self) -> RunRecord {
        let outcomes: Vec<Outcome> = self.pairs.iter().map(|pair| pair.record.outcome()).collect();
        RunRecord::of(&self.start, &outcomes, self.elapsed_s)
    }
}

/// Puts the pairs of a group together, as a run does.
fn gathered(pairs: Vec<FinishedPair>) -> Vec<FinishedPair> {
    let group = |FinishedPair { record: PairRecord { package, bench, group, .. }, .. }: &FinishedPair| {
        group.as_ref().map(|group| full_name(&full_name(package, bench), group))
    };
    let groups: Vec<Option<String>> = pairs.iter().map(group).collect();
    let mut pairs: Vec<Option<FinishedPair>> = pairs.into_iter().map(Some).collect();
    let gathered = group::gather(&groups).into_iter().filter_map(|(index, is_alone)| {
        let mut pair = pairs[index].take()?;
        pair.record.group = pair.record.group.filter(|_| !is_alone);
        Some(pair)
    });
    gathered.collect()
}

/// The start that the runs have in common.
fn in_common(starts: &[&StartRecord], pairs: &[FinishedPair]) -> StartRecord {
    let mut common = StartRecord { schema: SCHEMA, event: Kind::Start, ..StartRecord::default() };
    for Gated { count, ignored, proven, .. } in gated(starts) {
        common.gated += count;
        common.gated_ignored += ignored;
        *common.gated_proven.get_or_insert_default() += proven;
    }
    common.unjudged = same(starts.iter().map(|start| start.unjudged.clone())).flatten();
    let sides = starts.iter().map(|start| start.against.clone());
    common.against = sides.reduce(|one, other| OtherSide::joined((one?, &other?))).flatten();
    common.machine = match starts {
        [start] => start.machine.clone(),
        // The load differs from run to run.
        _ => same(starts.iter().map(|start| Machine { load: None, costs: None, ..start.machine.clone() }))
            .unwrap_or_default(),
    };
    let benches = || pairs.iter().map(|FinishedPair { record, .. }| (&record.package, &record.bench));
    common.package = same(benches().map(|(package, _)| package)).cloned().unwrap_or_default();
    common.bench = same(benches()).map(|(_, bench)| bench).cloned().unwrap_or_default();
    common.seed = same(pairs.iter().map(|pair| &pair.record.seed)).cloned();
    common
}

/// The value, if all of these are equal.
fn same<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::StoredPair;
    use crate::register::PairEntry;

    fn run(line: &str, entries: &[PairEntry], machine: &Machine) -> LoadedRun {
        let plan = planned(&format!("--bench {line}"), entries);
        let start = StartRecord::of(&plan, machine);
        let pairs = plan.pairs.iter().map(|pair| {
            let record = PairRecord::ended(&plan, pair, Outcome::Pass, None);
            let record = record.with(|figures| figures.elapsed_s = 0.5);
            StoredPair::new(record, None)
        });
        let pairs: Vec<_> = pairs.collect();
        LoadedRun { path: "run.jsonl".into(), start: Some(start), pairs, ..LoadedRun::default() }
    }

    fn of_bench(bench: &str, mut run: LoadedRun) -> LoadedRun {
        if let Some(start) = &mut run.start {
            start.bench = bench.to_owned();
        }
        run.pairs.iter_mut().for_each(|pair| pair.record.bench = bench.to_owned());
        run
    }

    fn joined(runs: &[LoadedRun]) -> Joined {
        let pairs = runs.iter().flat_map(|run| &run.pairs);
        let told = pairs.map(|pair| FinishedPair::from(pair.record.clone()));
        Joined::new(runs, told.collect(), false)
    }

    fn planned_names(joined: &Joined) -> Vec<(&str, Option<&str>)> {
        let pairs = joined.start.pairs.iter();
        pairs.map(|pair| (pair.name.as_str(), pair.group.as_deref())).collect()
    }

    fn entries() -> [PairEntry; 3] {
        [entry("a", 1, equal).baseline("slow"), entry("b", 2, equal), entry("c", 3, equal).baseline("slow")]
    }

    fn a_machine(load: f64) -> Machine {
        Machine { cpu: Some("EPYC".to_owned()), cores: Some(2), load: Some(load), ..Machine::default() }
    }

    #[test]
    fn one_run_starts_as_it_did() {
        let run = run("--seed 8f3a", &entries(), &a_machine(0.5));
        let joined = joined(std::slice::from_ref(&run));
        assert_eq!(Some(&joined.start), run.start.as_ref());
        assert_eq!(joined.elapsed_s, 1.5, "a run that did not end took as long as its pairs");
        let ended = RunRecord::of(&joined.start, &[], 2.5);
        let ended = LoadedRun { end: Some(ended), ..run };
        assert_eq!(Joined::new(&[ended], Vec::new(), false).elapsed_s, 2.5);
    }

    #[test]
    fn processes_of_one_bench_share_its_gates() {
        let runs =
            ["--exact a --seed 1", "--exact c --seed 2"].map(|line| run(line, &entries(), &a_machine(1.0)));
        let joined = joined(&runs);
        assert_eq!((joined.start.gated, joined.start.seed.as_deref()), (3, None));
        assert_eq!((&*joined.start.package, &*joined.start.bench), ("my_package", "sorting"));
        assert_eq!(planned_names(&joined), [("a", None), ("c", None)]);
    }

    #[test]
    fn pairs_of_several_benches_say_from_which_one_they_are() {
        let runs = [("sorting", 0.5), ("finding", 0.7)]
            .map(|(bench, load)| of_bench(bench, run("", &entries(), &a_machine(load))));
        let joined = joined(&runs);
        let slow = ["sorting::slow", "finding::slow"].map(Some);
        assert_eq!(
            planned_names(&joined),
            [
                ("sorting::a", slow[0]),
                ("sorting::c", slow[0]),
                ("sorting::b", None),
                ("finding::a", slow[1]),
                ("finding::c", slow[1]),
                ("finding::b", None)
            ]
        );
        assert_eq!(joined.pairs[0].record.name, "a", "records keep their names");
        assert_eq!((joined.start.gated, &*joined.start.bench), (6, ""));
        let machine = &joined.start.machine;
        assert_eq!((machine.cpu.as_deref(), machine.cores, machine.load), (Some("EPYC"), Some(2), None));
    }

    #[test]
    fn benches_of_several_packages_are_shown_with_theirs() {
        let mut other = run("--exact b", &entries(), &a_machine(1.0));
        other.pairs[0].record.package = "other".into();
        let joined = joined(&[run("--exact b", &entries(), &a_machine(1.0)), other]);
        assert_eq!(planned_names(&joined), [("my_package::sorting::b", None), ("other::sorting::b", None)]);
        assert_eq!(joined.start.package, "");
    }

    #[test]
    fn what_is_alone_in_its_group_is_in_none() {
        let runs = [run("--skip c", &entries(), &a_machine(1.0))];
        let mut grouped = run("", &entries(), &a_machine(1.0));
        grouped.pairs.truncate(1);
        assert_eq!(joined(&[grouped]).pairs[0].record.group, None);
        assert_eq!(joined(&runs).pairs.len(), 2);
    }
}
