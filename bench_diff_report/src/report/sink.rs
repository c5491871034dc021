//! The receivers of the events of a run.

use std::io::{self, Write};

use crate::record::Event;

/// A report: it shows the events of a run in one form.
pub(crate) trait Sink {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// A sink with its name for errors.
pub(super) struct Channel<'a> {
    pub(super) name: String,
    pub(super) sink: Box<dyn Sink + 'a>,
    pub(super) reader: Reader,
}

/// The readers of the output of a sink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// People get texts that are safe to show.
    People,
    /// Programs get records as they are.
    Programs,
}

impl<'a> Channel<'a> {
    pub(super) fn new(name: &str, reader: Reader, sink: impl Sink + 'a) -> Self {
        Self { name: name.to_owned(), sink: Box::new(sink), reader }
    }
}

/// The name of the printed output.
pub(super) const REPORT: &str = "the report";

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
