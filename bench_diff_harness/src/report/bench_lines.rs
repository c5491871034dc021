//! The lines of the standard benchmark harness, which dashboards read: the latency of the candidate, no
//! verdict.

use std::io::{self, Write};

use super::row::INDENT;
use super::sink::Sink;
use super::{count, explain, sides};
use crate::record::{End, Event, PairRecord, RunRecord, StartRecord, SummaryRecord};
use crate::system::text::counted;

pub(super) struct BenchLines<O, E> {
    out: O,
    /// The stream on which failures are explained.
    err: E,
    filtered_out: usize,
    strict: bool,
    width: usize,
}

impl<O: Write, E: Write> BenchLines<O, E> {
    pub(super) fn new(out: O, err: E, filtered_out: usize) -> Self {
        Self { out, err, filtered_out, strict: false, width: 0 }
    }

    fn start(&mut self, start: &StartRecord) -> io::Result<()> {
        self.strict = start.strict;
        self.width = start.pairs.iter().map(|pair| pair.name.len()).max().unwrap_or_default();
        // Errors of the error stream itself cannot be told anywhere.
        let _ = sides::matched(start).iter().try_for_each(|line| writeln!(self.err, "{line}"));
        writeln!(self.out, "\nrunning {}", counted(start.pairs.len(), "test"))
    }

    fn pair(&mut self, record: &PairRecord) -> io::Result<()> {
        writeln!(self.out, "{}", line(record, self.width))?;
        self.out.flush()?;
        if record.outcome().is_shown_at_the_end() {
            // Errors of the error stream itself cannot be told anywhere.
            let _ = self.err.write_all(explanation(record, self.strict).as_bytes());
        }
        Ok(())
    }

    fn finish(&mut self, run: &RunRecord) -> io::Result<()> {
        let RunRecord { failed, inconclusive, errors, ignored, .. } = *run;
        let (failed, filtered_out) =
            (failed + errors + if self.strict { inconclusive } else { 0 }, self.filtered_out);
        let word = if failed == 0 { "ok" } else { "FAILED" };
        let measured = count::done(run) - ignored - failed;
        writeln!(
            self.out,
            "\ntest result: {word}. 0 passed; {failed} failed; {ignored} ignored; {measured} measured; \
             {filtered_out} filtered out; finished in {:.2}s\n",
            run.elapsed_s
        )?;
        self.out.flush()
    }
}

impl<O: Write, E: Write> Sink for BenchLines<O, E> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::RunStarted(start) => self.start(start),
            Event::PairFinished { record, .. } => self.pair(record),
            Event::RunFinished(run) => self.finish(run),
            _ => Ok(()),
        }
    }
}

fn line(record: &PairRecord, width: usize) -> String {
    let name = &record.name;
    let result = match &record.end {
        End::Measured(figures) => latency(&figures.candidate),
        End::Timed(timing) => latency(&timing.candidate),
        End::Ignored { reason: None } => "ignored".to_owned(),
        End::Ignored { reason: Some(reason) } | End::FailsInOld { reason } => {
            format!("ignored, {}", reason.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        End::Error { .. } => "FAILED".to_owned(),
    };
    format!("test {name:width$} ... {result}")
}

/// The median, and the range between the 5th and the 95th percentile: the standard harness takes the range as
/// well, after it has pulled in the outermost 5 % at each end.
fn latency(SummaryRecord { median, p5, p95, .. }: &SummaryRecord) -> String {
    format!("bench: {median:>14.2} ns/iter (+/- {:.2})", p95 - p5)
}

fn explanation(record: &PairRecord, strict: bool) -> String {
    let (place, lines) = explain::in_short(record, strict);
    let mut text = format!("{}: {} ({place})\n", record.outcome().name(), record.name);
    for line in lines.into_iter().chain(explain::repetition(record)) {
        text += &format!("{INDENT}{line}\n");
    }
    text
}
