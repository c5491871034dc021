//! A document that is printed when the run is over.

use std::io::{self, Write};

use super::Sink;
use super::told::{Document, Told};
use crate::record::Event;

pub(super) struct AtEnd<W> {
    out: W,
    document: Document,
    told: Told,
}

impl<W: Write> AtEnd<W> {
    pub(super) fn new(out: W, document: Document) -> Self {
        Self { out, document, told: Told::default() }
    }
}

impl<W: Write> Sink for AtEnd<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.told.hear(event);
        if let Event::RunFinished(_) = event {
            self.out.write_all((self.document)(&self.told)?.as_bytes())?;
            self.out.flush()?;
        }
        Ok(())
    }
}
