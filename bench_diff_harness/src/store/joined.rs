//! Runs that were measured before, told as one run.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;

use super::file::FiledRun;
use crate::event::{Event, Measured};
use crate::exit::Exit;
use crate::group;
use crate::record::{MachineRecord, PairRecord, PlannedRecord, RunRecord, SCHEMA, StartRecord};
use crate::report::Reports;

/// A pair as it is going to be told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct JoinedPair {
    pub(super) record: PairRecord,
    pub(super) measured: Option<Measured>,
}

/// What is told of stored runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    pub(super) start: StartRecord,
    pub(super) pairs: Vec<JoinedPair>,
    pub(super) elapsed_s: f64,
    /// The files that were read.
    pub(super) inputs: Vec<PathBuf>,
    /// What a reader should know beforehand.
    pub(super) notes: Vec<String>,
    /// What is wrong with what was read.
    pub(super) problems: Vec<String>,
}

impl Joined {
    /// These pairs of these runs.
    pub(super) fn new(runs: &[FiledRun], pairs: Vec<JoinedPair>, strict: bool) -> Self {
        let pairs = gathered(pairs);
        let starts: Vec<&StartRecord> = runs.iter().filter_map(|run| run.start.as_ref()).collect();
        let records = || pairs.iter().map(|told| &told.record);
        let start = StartRecord {
            schema: SCHEMA,
            event: "start".to_owned(),
            package: agreed(records().map(|record| record.package.as_str())).unwrap_or_default().to_owned(),
            bench: agreed(records().map(|record| (&record.package, &record.bench)))
                .map(|(_, bench)| bench.clone())
                .unwrap_or_default(),
            seed: agreed(records().map(|record| &record.seed)).cloned(),
            shuffle_seed: None,
            strict,
            unjudged: agreed(starts.iter().map(|start| &start.unjudged)).cloned().flatten(),
            gated: gated(&starts),
            machine: machine(&starts),
            pairs: Vec::new(),
        };
        let planned = records().map(|record| {
            let record = start.shown(record);
            PlannedRecord { name: record.name.clone(), group: record.group.clone() }
        });
        let planned = planned.collect();
        let elapsed = runs.iter().map(|run| match &run.end {
            Some(end) => end.elapsed_s,
            None => run.pairs.iter().filter_map(|pair| pair.record().elapsed_s).sum(),
        });
        Self {
            start: StartRecord { pairs: planned, ..start },
            elapsed_s: elapsed.sum(),
            pairs,
            inputs: Vec::new(),
            notes: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// What could not be read at all.
    pub(super) fn unreadable(problem: String) -> Self {
        Self { problems: vec![problem], ..Self::default() }
    }

    /// The pairs that it tells of.
    pub(crate) fn count(&self) -> usize {
        self.pairs.len()
    }

    /// The files that it is made of, which no report may replace.
    pub(crate) fn inputs(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// Tells the pairs as a run would.
    pub(crate) fn tell(&self, reports: &mut Reports<'_>) -> Exit {
        for note in &self.notes {
            let _ = writeln!(io::stderr(), "{note}");
        }
        let mut exit = Exit::Success;
        if !self.pairs.is_empty() || self.problems.is_empty() {
            reports.tell(&Event::RunStarted(&self.start));
            for (index, JoinedPair { record, measured }) in self.pairs.iter().enumerate() {
                reports.tell(&Event::PairStarted(index));
                reports.tell(&Event::PairFinished { record, measured: measured.as_ref() });
                exit = exit.max(record.outcome.exit(self.start.strict));
            }
            let outcomes = self.pairs.iter().map(|told| told.record.outcome);
            reports.tell(&Event::RunFinished(&RunRecord::of(&self.start, outcomes, self.elapsed_s)));
        }
        for problem in &self.problems {
            let _ = writeln!(io::stderr(), "error: {problem}");
            exit = Exit::Error;
        }
        exit
    }
}

/// Puts the pairs of a group together, as a run does.
fn gathered(pairs: Vec<JoinedPair>) -> Vec<JoinedPair> {
    let key = |told: &JoinedPair| {
        let PairRecord { package, bench, group, .. } = &told.record;
        group.as_ref().map(|group| (package.clone(), bench.clone(), group.clone()))
    };
    group::gather_by(pairs.into_iter(), key, |told| told.record.group = None)
}

/// What all of them have, where they have the same.
fn agreed<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

/// The pairs with a gate in all benches, each of which may have been run by several processes.
fn gated(starts: &[&StartRecord]) -> usize {
    let mut benches: HashMap<(&str, &str), usize> = HashMap::new();
    for start in starts {
        let most = benches.entry((&start.package, &start.bench)).or_default();
        *most = start.gated.max(*most);
    }
    benches.values().sum()
}

/// What is known of the machine, as far as it was one.
fn machine(starts: &[&StartRecord]) -> MachineRecord {
    let machines = || starts.iter().map(|start| &start.machine);
    MachineRecord {
        cpu: agreed(machines().map(|machine| &machine.cpu)).cloned().flatten(),
        cores: agreed(machines().map(|machine| machine.cores)).flatten(),
        all_cores: agreed(machines().map(|machine| machine.all_cores)).flatten(),
        governor: agreed(machines().map(|machine| &machine.governor)).cloned().flatten(),
        load: agreed(machines().map(|machine| machine.load)).flatten(),
        costs: agreed(machines().map(|machine| machine.costs)).flatten(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::PairEntry;
    use crate::fixture::{entry, equal, planned};
    use crate::machine::Machine;
    use crate::record::Outcome;
    use crate::record::StoredPair;
    use crate::store::file::FiledPair;

    fn run(line: &str, entries: &[PairEntry], machine: &Machine) -> FiledRun {
        let plan = planned(&format!("--bench {line}"), entries);
        let start = StartRecord::of(&plan, machine);
        let pairs = plan.pairs.iter().map(|pair| {
            let record = PairRecord {
                elapsed_s: Some(0.5),
                ..PairRecord::unmeasured(&plan, pair, Outcome::Pass, None)
            };
            FiledPair { line: 1, pair: StoredPair::new(record, None) }
        });
        let pairs: Vec<_> = pairs.collect();
        FiledRun { path: "run.jsonl".into(), start: Some(start), pairs, end: None }
    }

    fn of_bench(bench: &str, mut run: FiledRun) -> FiledRun {
        if let Some(start) = &mut run.start {
            start.bench = bench.to_owned();
        }
        run.pairs.iter_mut().for_each(|pair| pair.pair.record.bench = bench.to_owned());
        run
    }

    fn joined(runs: &[FiledRun]) -> Joined {
        let pairs = runs.iter().flat_map(|run| &run.pairs);
        let told = pairs.map(|pair| JoinedPair { record: pair.record().clone(), measured: None });
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
        let ended = RunRecord::of(&joined.start, [].into_iter(), 2.5);
        let ended = FiledRun { end: Some(ended), ..run };
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
        other.pairs[0].pair.record.package = "other".into();
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
