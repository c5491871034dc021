//! A report that grows with every event.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use super::sink::Sink;
use crate::record::{Event, StartRecord};

/// The text that an event adds, in a run that started so.
type Addition = fn(&StartRecord, &Event<'_>) -> String;

/// Text that is added to an output.
pub(super) struct Added<'a> {
    out: Box<dyn Write + 'a>,
    /// The file that is emptied when a run starts to be told: as long as it waits for its turn, the former
    /// report stays. None of a stream, of which nothing can be taken back.
    pub(super) file: Option<PathBuf>,
    start: StartRecord,
    addition: Addition,
}

impl<'a> Added<'a> {
    pub(super) fn new(out: impl Write + 'a, addition: Addition) -> Self {
        Self { out: Box::new(out), file: None, start: StartRecord::default(), addition }
    }
}

impl Sink for Added<'_> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        if let Event::RunStarted(start) = event {
            self.start = (*start).clone();
            if let Some(file) = &self.file {
                fs::write(file, "")?;
            }
        }
        // In one piece.
        self.out.write_all((self.addition)(&self.start, event).as_bytes())?;
        self.out.flush()
    }
}
