//! A report that grows with every event.

use std::io::{self, Write};

use super::sink::Sink;
use crate::record::Event;

/// The text that an event adds.
type Addition = fn(&Event<'_>) -> String;

/// Text that is added to a stream.
pub(super) struct Added<W> {
    out: W,
    addition: Addition,
}

impl<W: Write> Added<W> {
    pub(super) fn new(out: W, addition: Addition) -> Self {
        Self { out, addition }
    }
}

impl<W: Write> Sink for Added<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        // One write, so that other output cannot split it.
        self.out.write_all((self.addition)(event).as_bytes())?;
        self.out.flush()
    }
}
