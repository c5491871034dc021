//! Runs that were measured before, told as one run.

use std::io::{self, Write};

use super::file::FiledRun;
use crate::event::{Event, Measured};
use crate::exit::Exit;
use crate::group;
use crate::record::{MachineRecord, PairRecord, PlannedRecord, RunRecord, SCHEMA, StartRecord, Word};
use crate::report::Reports;

/// A pair as it is going to be told.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Told {
    pub(super) record: PairRecord,
    pub(super) measured: Option<Measured>,
}

/// What is told of stored runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Joined {
    pub(super) start: StartRecord,
    pub(super) pairs: Vec<Told>,
    pub(super) elapsed_s: f64,
    /// What a reader should know beforehand.
    pub(super) notes: Vec<String>,
    /// What is wrong with what was read.
    pub(super) problems: Vec<String>,
}

impl Joined {
    /// These pairs of these runs.
    pub(super) fn new(runs: &[FiledRun], pairs: Vec<Told>, strict: bool) -> Self {
        let pairs = gathered(pairs);
        let starts: Vec<&StartRecord> = runs.iter().filter_map(|run| run.start.as_ref()).collect();
        let records = || pairs.iter().map(|told| &told.record);
        let start = StartRecord {
            schema: SCHEMA,
            event: Word::Borrowed("start"),
            package: agreed(records().map(|record| record.package.as_ref())).unwrap_or_default().to_owned(),
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

    /// Tells the pairs as a run would.
    pub(crate) fn tell(&self, reports: &mut Reports<'_>) -> Exit {
        for note in &self.notes {
            let _ = writeln!(io::stderr(), "{note}");
        }
        let mut exit = Exit::Success;
        if !self.pairs.is_empty() || self.problems.is_empty() {
            reports.tell(&Event::RunStarted(&self.start));
            for (index, Told { record, measured }) in self.pairs.iter().enumerate() {
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
fn gathered(pairs: Vec<Told>) -> Vec<Told> {
    let key = |told: &Told| {
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
    let same = |a: &StartRecord, b: &StartRecord| (&a.package, &a.bench) == (&b.package, &b.bench);
    let firsts = starts.iter().enumerate().filter(|(index, start)| {
        let before = &starts[..*index];
        !before.iter().any(|other| same(other, start))
    });
    let most = |first: &StartRecord| {
        starts.iter().filter(|start| same(start, first)).map(|start| start.gated).max().unwrap_or_default()
    };
    firsts.map(|(_, first)| most(first)).sum()
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
