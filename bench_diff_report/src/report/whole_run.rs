//! A finished run, and the documents that are made from it and written once.

use std::collections::HashMap;
use std::io;

use bench_diff_core::Recording;

use super::destination::Destination;
use super::numbers;
use super::sink::Sink;
use crate::record::{Event, PairRecord, RunRecord, StartRecord, no_verdicts};

/// Draws the next pair of a run, for documents that show its slots.
type Draw = fn(&WholeRun, &PairRecord, &[Vec<Recording>]) -> String;

#[derive(Clone, Debug, Default)]
pub(super) struct WholeRun {
    pub(super) start: StartRecord,
    places: HashMap<String, usize>,
    /// In the order of the plan.
    pub(super) pairs: Vec<PairRecord>,
    /// The drawing of each pair, made when it ended because slots are not kept. Empty without `draw`.
    pub(super) drawn: Vec<String>,
    draw: Option<Draw>,
    pub(super) end: RunRecord,
}

impl WholeRun {
    /// A run that draws its pairs with this function.
    pub(super) fn drawn_by(draw: Draw) -> Self {
        Self { draw: Some(draw), ..Self::default() }
    }

    pub(super) fn add(&mut self, event: &Event<'_>) {
        match event {
            Event::RunStarted(start) => {
                self.places = start.places();
                self.start = (*start).clone();
            }
            Event::PairFinished { record, rounds } => {
                let place = |record: &PairRecord| self.places.get(&record.name);
                let before = self.pairs.partition_point(|pair| place(pair) <= place(record));
                if let Some(draw) = self.draw {
                    self.drawn.insert(before, draw(self, record, rounds));
                }
                self.pairs.insert(before, (*record).clone());
            }
            Event::RunFinished(end) => self.end = (*end).clone(),
            _ => {}
        }
    }

    /// The reason if nothing is judged.
    pub(super) fn unjudged(&self) -> Option<String> {
        self.start.unjudged.as_deref().map(no_verdicts)
    }

    /// The facts about the run as a whole: its time, its seed, its machine.
    pub(super) fn facts(&self) -> Vec<String> {
        let StartRecord { seed, machine, .. } = &self.start;
        let mut facts = vec![format!("finished in {}", numbers::seconds(self.end.elapsed_s))];
        facts.push(format!("seed {seed}"));
        facts.extend(machine.line());
        facts
    }

    /// The name of the binary.
    pub(super) fn title(&self) -> String {
        let StartRecord { package, bench, .. } = &self.start;
        format!("{package}::{bench}")
    }
}

/// The text of a whole run.
pub(super) type Document = fn(&WholeRun) -> String;

/// Collects a run, and writes its document at the end.
pub(super) struct AtEnd {
    pub(super) destination: Destination,
    pub(super) document: Document,
    /// The run so far.
    pub(super) run: WholeRun,
}

impl Sink for AtEnd {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.run.add(event);
        // Cargo passes a filter to all binaries, and it matches nothing in most of them.
        let has_content = !self.run.pairs.is_empty() || self.run.start.against.is_some();
        if has_content && matches!(event, Event::RunFinished(_)) {
            self.destination.write((self.document)(&self.run).as_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, planned};
    use crate::record::{Outcome, RunRecord};

    /// One name per line.
    fn names(run: &WholeRun) -> String {
        run.pairs.iter().map(|pair| format!("{}\n", pair.name)).collect()
    }

    #[test]
    fn the_former_report_stays_until_the_run_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names");
        fs::write(&path, "of the last run").unwrap();
        let report = || AtEnd {
            destination: Destination::checked(&path).unwrap(),
            document: names,
            run: WholeRun::default(),
        };
        let run = |report: &mut AtEnd, event: &Event<'_>| {
            report.event(event).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        let end = RunRecord::default();
        assert_eq!(run(&mut report(), &Event::RunFinished(&end)), "of the last run", "no pair was selected");
        let plan = planned("", &[entry("a", 1)]);
        let record = plan.pairs[0].ended(Outcome::Pass, None);
        let mut report = report();
        let pair = run(&mut report, &Event::PairFinished { record: &record, rounds: &[] });
        assert_eq!(pair, "of the last run");
        assert_eq!(run(&mut report, &Event::RunFinished(&end)), "a\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
