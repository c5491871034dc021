//! Annotations: commands that a runner reads in the log.

use std::io::{self, Write};

use super::sources::Sources;
use crate::record::{Event, PairRecord, Severity};
use crate::report::explain;
use crate::report::sink::Sink;

/// A step shows so many of each level.
const LIMIT: usize = 10;

pub(in crate::report) struct Annotations<W> {
    out: W,
    sources: Sources,
    strict: bool,
    errors: Level,
    warnings: Level,
}

/// The annotations of one level so far.
struct Level {
    name: &'static str,
    count: usize,
    /// The last one that is shown, unless there are more.
    last: Option<String>,
}

impl<W: Write> Annotations<W> {
    pub(in crate::report) fn new(out: W, sources: Sources) -> Self {
        let level = |name| Level { name, count: 0, last: None };
        Self { out, sources, strict: false, errors: level("error"), warnings: level("warning") }
    }

    fn pair(&mut self, record: &PairRecord) -> Option<String> {
        let strict = self.strict;
        let level = match record.outcome().severity(strict) {
            Severity::Nothing => return None,
            Severity::Warning => &mut self.warnings,
            Severity::Failure | Severity::Error => &mut self.errors,
        };
        let (_, lines) = explain::explanation(record, strict);
        let annotation = command(
            level.name,
            Some((&self.sources.in_repository(&record.file), record.line)),
            &format!("bench_diff: {} {}", record.name, record.outcome().predicate()),
            &format!("{}\nrepeat:   {}", lines.join("\n"), record.repeat),
        );
        level.admit(annotation)
    }
}

impl Level {
    /// The annotation, if it is certain that there is room for it.
    fn admit(&mut self, annotation: String) -> Option<String> {
        self.count += 1;
        if self.count < LIMIT {
            return Some(annotation);
        }
        self.last.get_or_insert(annotation);
        None
    }

    /// The last one, which stands for all that have no room.
    fn close(&mut self) -> Option<String> {
        let last = self.last.take()?;
        let more = self.count - (LIMIT - 1);
        Some(if more == 1 {
            last
        } else {
            command(
                self.name,
                None,
                "bench_diff",
                &format!("and {more} more, which the log of this step has"),
            )
        })
    }
}

impl<W: Write> Sink for Annotations<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let mut annotations = Vec::new();
        match event {
            Event::RunStarted(start) => self.strict = start.strict,
            Event::PairFinished { record, .. } => annotations.extend(self.pair(record)),
            Event::RunFinished(_) => {
                annotations.extend(self.errors.close());
                annotations.extend(self.warnings.close());
            }
            _ => {}
        }
        for annotation in annotations {
            // The log has the same in other words, and a job that has none has nobody to be told of it.
            let _ = self.out.write_all(annotation.as_bytes());
        }
        Ok(())
    }
}

fn command(level: &str, place: Option<(&str, u32)>, title: &str, message: &str) -> String {
    let place = place.map(|(file, line)| format!("file={},line={line},", property(file))).unwrap_or_default();
    format!("::{level} {place}title={}::{}\n", property(title), data(message))
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
            command("error", Some(("a,b:c.rs", 7)), "50 %: a\n::b", "5 % slower, 1:2\n::error::x"),
            "::error file=a%2Cb%3Ac.rs,line=7,title=50 %25%3A a%0A%3A%3Ab::5 %25 slower, 1:2%0A::error::x\n"
        );
    }
}
