//! A file that is a whole document after every pair.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use super::open::Opened;
use super::{FileError, OpenedFile};
use crate::record::{Event, Outcome};
use crate::report::pace::Pace;
use crate::report::run_so_far::{Document, Draft, RunSoFar};
use crate::report::sink::Sink;
use crate::system::exit::Exit;
use crate::system::replace::{can_be_replaced, replace};

pub(in crate::report) struct RewrittenFile {
    destination: Destination,
    draft: Box<dyn Draft>,
    pace: Pace,
}

enum Destination {
    /// Replaced, so that whoever reads it finds the old document or the new one.
    File(PathBuf),
    /// Written once, since a second document would follow the first.
    Stream(File),
}

impl OpenedFile {
    /// A file that holds this document of what was told.
    pub(in crate::report) fn rewritten(self, document: Document) -> Result<RewrittenFile, FileError> {
        self.drafted(OfRun { so_far: RunSoFar::default(), document })
    }

    /// A file that holds what this draft makes of what it hears.
    pub(in crate::report) fn drafted(self, draft: impl Draft + 'static) -> Result<RewrittenFile, FileError> {
        let destination = match self.opened {
            Opened::Regular { path, .. } => {
                can_be_replaced(&path).map_err(|error| {
                    let reason =
                        format!("cannot make a file beside {}, to replace it: {error}", path.display());
                    FileError::new(Exit::Error, &self.given, &reason)
                })?;
                Destination::File(path)
            }
            Opened::Stream(file) => Destination::Stream(file),
        };
        Ok(RewrittenFile { destination, draft: Box::new(draft), pace: Pace::default() })
    }
}

/// A document of records alone.
struct OfRun {
    so_far: RunSoFar,
    document: Document,
}

impl Draft for OfRun {
    fn add(&mut self, event: &Event<'_>) {
        self.so_far.add(event);
    }

    fn document(&self) -> String {
        (self.document)(&self.so_far)
    }
}

impl Sink for RewrittenFile {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.draft.add(event);
        // What is ignored is not lost: it comes with the next pair, or at the end.
        let is_news = match event {
            Event::RunStarted(_) | Event::RunFinished(_) => true,
            Event::PairFinished { record, .. } => record.outcome() != Outcome::Ignored && self.pace.is_due(),
            _ => false,
        };
        match &mut self.destination {
            Destination::File(path) if is_news => self.pace.write(|| {
                let document = self.draft.document();
                replace(path, document.as_bytes()).map(|_| document.len())
            }),
            Destination::Stream(file) if matches!(event, Event::RunFinished(_)) => {
                file.write_all(self.draft.document().as_bytes())
            }
            Destination::File(_) | Destination::Stream(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::record::PairRecord;
    use crate::settings::FilePath;

    /// A name a line.
    fn names(so_far: &RunSoFar) -> String {
        so_far.pairs.iter().map(|pair| format!("{}\n", pair.name)).collect()
    }

    #[test]
    fn a_document_is_whole_after_every_pair_that_was_measured() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names");
        fs::write(&path, "of the last run").unwrap();
        let given = FilePath { origin: "--markdown".to_owned(), text: "names".to_owned() };
        let opened = Opened::new(&path).unwrap();
        let mut file = OpenedFile { given, path: path.clone(), opened }.rewritten(names).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "of the last run", "as long as nothing is told");

        let plan = planned("", &[entry("a", 1, equal), entry("b", 2, equal), entry("c", 3, equal)]);
        let of = |index: usize, outcome| PairRecord::ended(&plan, &plan.pairs[index], outcome, None);
        let mut emit = |index, outcome| {
            let record = of(index, outcome);
            file.event(&Event::PairFinished { record: &record, measured: None }).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        assert_eq!(emit(0, Outcome::Pass), "a\n");
        assert_eq!(emit(1, Outcome::Ignored), "a\n", "nothing that was measured is new");
        assert_eq!(emit(2, Outcome::Error), "a\nb\nc\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }
}
