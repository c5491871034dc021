//! JSON lines: one record a line, as it is.

use std::io::{self, Write};

use miniserde::Serialize;

use super::Sink;
use crate::record::{Event, json};

pub(super) struct JsonLines<W> {
    out: W,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out }
    }

    fn line(&mut self, record: &dyn Serialize) -> io::Result<()> {
        let mut line = json::to_string(record);
        line.push('\n');
        self.out.write_all(line.as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Sink for JsonLines<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::PairFinished { record, .. } => self.line(*record),
            Event::RunFinished(record) => self.line(*record),
            Event::GateTested { test, .. } => self.line(*test),
            _ => Ok(()),
        }
    }
}
