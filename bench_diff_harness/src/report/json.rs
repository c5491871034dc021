//! JSON lines: one record a line, as it is.

use std::io::{self, Write};

use super::sink::Sink;
use crate::record::{Event, json};

pub(super) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out }
    }

    /// A line in one piece.
    fn line(&mut self, record: String) -> io::Result<()> {
        self.out.write_all((record + "\n").as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::PairFinished { record, .. } => self.line(record.to_json()),
            Event::RunFinished(record) => self.line(json::to_string(*record)),
            Event::GateTested { test, .. } => self.line(json::to_string(*test)),
            _ => Ok(()),
        }
    }
}
