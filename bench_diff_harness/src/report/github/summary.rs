//! The summary of the step: a report at the end of a file that others write to as well.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::record::{Event, Outcome};
use crate::report::markdown;
use crate::report::pace::Pace;
use crate::report::run_so_far::RunSoFar;
use crate::report::sink::Sink;
use crate::system::input;

pub(in crate::report) struct Summary {
    file: File,
    /// The offset at which this report begins.
    begin: u64,
    so_far: RunSoFar,
    pace: Pace,
}

impl Summary {
    pub(in crate::report) fn new(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = input::without_waiting(&mut options).open(path)?;
        input::require_regular(&file)?;
        let begin = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, begin, so_far: RunSoFar::default(), pace: Pace::default() })
    }

    /// Writes the report over the one before.
    fn rewrite(&mut self) -> io::Result<usize> {
        let text = markdown::document(&self.so_far);
        self.file.seek(SeekFrom::Start(self.begin))?;
        self.file.write_all(text.as_bytes())?;
        self.file.set_len(self.begin + text.len() as u64)?;
        Ok(text.len())
    }
}

impl Sink for Summary {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.so_far.add(event);
        let is_news = match event {
            Event::PairFinished { record, .. } => record.outcome() != Outcome::Ignored && self.pace.is_due(),
            // A binary in which a filter matches nothing has nothing to say.
            Event::RunFinished(_) => !self.so_far.pairs.is_empty() || self.so_far.start.against.is_some(),
            _ => false,
        };
        if !is_news {
            return Ok(());
        }
        let mut pace = self.pace;
        let written = pace.write(|| self.rewrite());
        self.pace = pace;
        written
    }
}
