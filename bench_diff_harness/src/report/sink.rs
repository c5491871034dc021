//! Who tells the events of a run, and to whom.

use std::io;

use crate::record::Event;

/// Tells the events of a run in one form.
pub(crate) trait Sink {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()>;
}

/// A sink, and what it is called where it fails.
pub(super) struct Channel<'a> {
    pub(super) name: String,
    pub(super) sink: Box<dyn Sink + 'a>,
    pub(super) reader: Reader,
    pub(super) failed: bool,
}

/// Who reads what a sink writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// They get texts that are safe to show, and names that say from which bench a pair is where there are
    /// several.
    People,
    /// They get texts that are safe to show, in a viewer that shows the bench beside the name.
    Viewer,
    /// They get records as they are.
    Programs,
}

impl<'a> Channel<'a> {
    pub(super) fn new(name: &str, reader: Reader, sink: impl Sink + 'a) -> Self {
        Self { name: name.to_owned(), sink: Box::new(sink), reader, failed: false }
    }
}

/// What is printed.
pub(super) const REPORT: &str = "the report";
