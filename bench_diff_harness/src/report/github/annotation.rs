//! Annotations: commands that a runner reads in the log.

use std::io::{self, Write};

use super::sources::Sources;
use crate::record::{Event, PairRecord};
use crate::report::explain;
use crate::report::sink::Sink;
use crate::system::exit::Exit;

pub(in crate::report) struct Annotations<W> {
    out: W,
    sources: Sources,
    strict: bool,
}

impl<W: Write> Annotations<W> {
    pub(in crate::report) fn new(out: W, sources: Sources) -> Self {
        Self { out, sources, strict: false }
    }

    fn pair(&self, record: &PairRecord) -> Option<String> {
        let outcome = record.outcome();
        if !outcome.is_shown_at_the_end() {
            return None;
        }
        let level = if outcome.exit(self.strict) == Exit::Success { "warning" } else { "error" };
        let (_, lines) = explain::explanation(record, self.strict, false);
        Some(command(
            level,
            (&self.sources.in_repository(&record.file), record.line),
            &format!("bench_diff: {} {}", record.name, outcome.predicate()),
            &format!("{}\nrepeat:   {}", lines.join("\n"), record.repeat),
        ))
    }
}

impl<W: Write> Sink for Annotations<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => self.strict = start.strict,
            Event::PairFinished { record, .. } => {
                if let Some(annotation) = self.pair(record) {
                    // The log already says this.
                    let _ = self.out.write_all(annotation.as_bytes());
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn command(level: &str, (file, line): (&str, u32), title: &str, message: &str) -> String {
    format!("::{level} file={},line={line},title={}::{}\n", property(file), property(title), data(message))
}

/// The text after the command.
fn data(text: &str) -> String {
    text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(":", "%3A").replace(",", "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_where_it_ends() {
        assert_eq!(
            command("error", ("a,b:c.rs", 7), "50 %: a\n::b", "5 % slower, 1:2\n::error::x"),
            "::error file=a%2Cb%3Ac.rs,line=7,title=50 %25%3A a%0A%3A%3Ab::5 %25 slower, 1:2%0A::error::x\n"
        );
    }
}
