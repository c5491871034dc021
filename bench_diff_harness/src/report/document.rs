//! A report that is a whole document after every pair.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::run_so_far::RunSoFar;
use super::sink::Sink;
use crate::record::{Event, Outcome};
use crate::system::input;
use crate::system::replace::replace;

/// A report that is made of a run as a whole.
pub(super) type Document = fn(&RunSoFar) -> String;

/// The place of a document.
pub(super) enum Place<'a> {
    /// Replaced, so that whoever reads it finds the old document or the new one.
    File(PathBuf),
    /// The part of a file from here on, behind what others wrote.
    EndOf { file: File, begin: u64 },
    /// Written once, since a second document would follow the first.
    Stream(Box<dyn Write + 'a>),
}

/// A document that is written again after every pair.
pub(super) struct Rewritten<'a> {
    place: Place<'a>,
    document: Document,
    pub(super) so_far: RunSoFar,
    /// No rewrite before this time, unless the run ends.
    next: Option<Instant>,
}

/// The size of a document of some hundred pairs, which is written in a few milliseconds.
const SMALL: usize = 256 * 1024;

/// The time between rewrites of a larger one, as a multiple of the time that a rewrite takes: with thousands
/// of pairs, one after each pair would take longer than the run.
const SHARE: u32 = 20;

impl Place<'_> {
    /// The end of this file.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be written.
    pub(super) fn end_of(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = input::without_waiting(&mut options).open(path)?;
        input::require_regular(&file)?;
        let begin = file.seek(SeekFrom::End(0))?;
        Ok(Self::EndOf { file, begin })
    }

    fn write(&mut self, document: &[u8]) -> io::Result<()> {
        match self {
            Self::File(path) => replace(path, document).map(drop),
            Self::EndOf { file, begin } => {
                file.seek(SeekFrom::Start(*begin))?;
                file.write_all(document)?;
                file.set_len(*begin + document.len() as u64)
            }
            Self::Stream(stream) => {
                stream.write_all(document)?;
                stream.flush()
            }
        }
    }
}

impl<'a> Rewritten<'a> {
    pub(super) fn new(place: Place<'a>, document: Document) -> Self {
        Self { place, document, so_far: RunSoFar::default(), next: None }
    }

    /// Returns whether an event belongs into the document at once.
    fn is_news(&self, event: &Event<'_>) -> bool {
        let is_end = matches!(event, Event::RunFinished(_));
        let RunSoFar { start, pairs, .. } = &self.so_far;
        let has_place = match self.place {
            Place::File(_) => true,
            // A binary in which a filter matches nothing has nothing to say.
            Place::EndOf { .. } => !pairs.is_empty() || is_end && start.against.is_some(),
            Place::Stream(_) => is_end,
        };
        has_place
            && match event {
                Event::RunStarted(_) | Event::RunFinished(_) => true,
                // What is ignored is not lost: it comes with the next pair, or at the end.
                Event::PairFinished { record, .. } => {
                    record.outcome() != Outcome::Ignored
                        && self.next.is_none_or(|next| Instant::now() >= next)
                }
                _ => false,
            }
    }
}

impl Sink for Rewritten<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.so_far.add(event);
        if !self.is_news(event) {
            return Ok(());
        }
        let begin = Instant::now();
        let document = (self.document)(&self.so_far);
        self.place.write(document.as_bytes())?;
        self.next = Some(Instant::now() + pause(document.len(), begin.elapsed()));
        Ok(())
    }
}

/// The time without a rewrite after one of this many bytes that took this long.
fn pause(bytes: usize, took: Duration) -> Duration {
    if bytes < SMALL { Duration::ZERO } else { took * SHARE }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::fixture::{entry, equal, planned};
    use crate::record::PairRecord;

    /// A name a line.
    fn names(so_far: &RunSoFar) -> String {
        so_far.pairs.iter().map(|pair| format!("{}\n", pair.name)).collect()
    }

    #[test]
    fn a_document_is_whole_after_every_pair_that_was_measured() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names");
        fs::write(&path, "of the last run").unwrap();
        let mut report = Rewritten::new(Place::File(path.clone()), names);
        assert_eq!(fs::read_to_string(&path).unwrap(), "of the last run", "as long as nothing is told");

        let plan = planned("", &[entry("a", 1, equal), entry("b", 2, equal), entry("c", 3, equal)]);
        let emit = |report: &mut Rewritten<'_>, index: usize, outcome| {
            let record = PairRecord::ended(&plan, &plan.pairs[index], outcome, None);
            report.event(&Event::PairFinished { record: &record, measured: None }).unwrap();
            fs::read_to_string(&path).unwrap()
        };
        assert_eq!(emit(&mut report, 0, Outcome::Pass), "a\n");
        assert_eq!(emit(&mut report, 1, Outcome::Ignored), "a\n", "nothing that was measured is new");
        assert_eq!(emit(&mut report, 2, Outcome::Error), "a\nb\nc\n");
        report.next = Some(Instant::now() + Duration::from_secs(3600));
        assert_eq!(emit(&mut report, 2, Outcome::Error), "a\nb\nc\n", "it waits");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn a_large_document_is_not_written_after_every_pair() {
        let second = Duration::from_secs(1);
        assert_eq!([SMALL - 1, SMALL].map(|bytes| pause(bytes, second)), [Duration::ZERO, 20 * second]);
    }
}
