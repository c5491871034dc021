//! A finished run, and the documents that are made from it and written once.

use std::collections::HashMap;
use std::io;

use bench_diff_core::Recording;

use crate::file::Destination;
use crate::record::{Event, PairRecord, RunRecord, StartRecord};
use crate::reports::Sink;
use crate::text::numbers;

/// Draws the next pair of a run, for documents that show its slots.
type Draw = fn(&WholeRun, &PairRecord, &[Vec<Recording>]) -> String;

#[derive(Clone, Debug, Default)]
pub(crate) struct WholeRun {
    pub(crate) start: StartRecord,
    places: HashMap<String, usize>,
    /// In the order of the plan.
    pub(crate) pairs: Vec<PairRecord>,
    /// The drawing of each pair, made when it ended because slots are not kept. Empty without `draw`.
    pub(crate) drawn: Vec<String>,
    draw: Option<Draw>,
    pub(crate) end: RunRecord,
}

impl WholeRun {
    /// A run that draws its pairs with this function.
    pub(crate) fn drawn_by(draw: Draw) -> Self {
        Self { draw: Some(draw), ..Self::default() }
    }

    pub(crate) fn add(&mut self, event: &Event<'_>) {
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

    /// The line about a run in which nothing is judged.
    pub(crate) fn unjudged(&self) -> Option<String> {
        self.start.unjudged.as_ref().map(|reason| format!("no verdicts: {reason}"))
    }

    /// The facts about the run as a whole: its time, its seed, its machine.
    pub(crate) fn facts(&self) -> Vec<String> {
        let StartRecord { seed, machine, .. } = &self.start;
        let mut facts = vec![format!("finished in {}", numbers::seconds(self.end.elapsed_s))];
        facts.push(format!("seed {seed}"));
        facts.extend(machine.line());
        facts
    }

    /// The name of the binary.
    pub(crate) fn title(&self) -> String {
        let StartRecord { package, bench, .. } = &self.start;
        format!("{package}::{bench}")
    }
}

/// The text of a whole run.
pub(crate) type Document = fn(&WholeRun) -> String;

/// Collects a run, and writes its document at the end.
pub(crate) struct AtEnd {
    pub(crate) destination: Destination,
    pub(crate) document: Document,
    /// The run so far.
    pub(crate) run: WholeRun,
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
