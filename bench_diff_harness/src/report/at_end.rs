//! A document that is printed when the run is over.

use std::io::{self, Write};

use super::Sink;
use super::run_so_far::{Document, RunSoFar};
use crate::record::Event;

pub(super) struct AtEnd<W> {
    out: W,
    document: Document,
    so_far: RunSoFar,
}

impl<W: Write> AtEnd<W> {
    pub(super) fn new(out: W, document: Document) -> Self {
        Self { out, document, so_far: RunSoFar::default() }
    }
}

impl<W: Write> Sink for AtEnd<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.so_far.add(event);
        if let Event::RunFinished(_) = event {
            self.out.write_all((self.document)(&self.so_far).as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}
