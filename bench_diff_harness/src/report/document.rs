//! A report that is written once, when its run has ended.

use std::io;

use super::destination::Destination;
use super::sink::Sink;
use super::whole_run::WholeRun;
use crate::record::Event;

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
    use crate::fixture::{entry, equal, planned};
    use crate::record::{Outcome, PairRecord, RunRecord};

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
        let plan = planned("", &[entry("a", 1, equal)]);
        let record = PairRecord::ended(&plan, &plan.pairs[0], Outcome::Pass, None);
        let mut report = report();
        let pair = run(&mut report, &Event::PairFinished { record: &record, rounds: &[] });
        assert_eq!(pair, "of the last run");
        assert_eq!(run(&mut report, &Event::RunFinished(&end)), "a\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
