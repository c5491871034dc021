//! The receivers of the events of a run.

use std::io;

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
