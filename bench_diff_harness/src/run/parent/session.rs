//! Follows one process of a run: what it answers line by line, what it prints, and how it ends.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use bench_diff_report::record::End;

use crate::run::fault::{Fault, LONGEST};
use crate::run::inbox::{FindingResult, Inbox};
use crate::run::one_pair::Finding;
use crate::run::output::ChildOutput;
use crate::run::process::Process;
use crate::run::protocol::{AnswerReader, Line};
use crate::run::started::Started;
use crate::run::{Message, Receive, RoundPair};
use crate::settings::TimeLimit;

/// The interval at which the answer of a process is read, unless the process ends earlier.
const INTERVAL: Duration = Duration::from_millis(100);

/// The exchange with a process from its start to its end.
struct Session<'a> {
    /// The limit for one pair over all of its rounds, and the time that each pair of the run has used of it.
    timeout: Option<&'a TimeLimit>,
    used: &'a mut [Duration],
    pairs: &'a [RoundPair<'a>],
    receive: Receive<'a>,
    reader: AnswerReader,
    inbox: Inbox,
    /// When its latest line came.
    since: Instant,
    answered: usize,
    output: ChildOutput,
}

/// Passes on the findings of a process until it ends. Returns how many pairs it answered.
pub(super) fn follow<'a>(
    timeout: Option<&'a TimeLimit>,
    used: &'a mut [Duration],
    pairs: &'a [RoundPair<'a>],
    receive: Receive<'a>,
    Started { process, reader, output, folder: _folder }: Started,
) -> ControlFlow<(), usize> {
    let (inbox, since) = (Inbox::new(pairs.len()), Instant::now());
    let mut session = Session { timeout, used, pairs, receive, reader, inbox, since, answered: 0, output };
    let end = session.until_its_end(&process)?;
    // If the process took too long, this ends it.
    drop(process);
    let printed = session.output.length();
    for (pair, found) in session.inbox.end(session.reader.explained(end)) {
        session.send(pair, found, printed)?;
    }
    ControlFlow::Continue(session.answered)
}

impl Session<'_> {
    /// Passes on its findings until the process ends, or has to be ended.
    fn until_its_end(&mut self, process: &Process) -> ControlFlow<(), Result<(), Fault>> {
        loop {
            let left = self.time_left();
            let end = process.ended_within(left.map_or(INTERVAL, |left| left.min(INTERVAL)));
            while let Some(line) = self.reader.line() {
                match line {
                    Ok(line) => self.line(line)?,
                    Err(fault) => return ControlFlow::Continue(Err(fault)),
                }
            }
            if let Some(end) = end {
                return ControlFlow::Continue(end);
            }
            if self.inbox.has_ended && self.since.elapsed() >= LONGEST {
                return ControlFlow::Continue(Ok(()));
            }
            if let Some(limit) = self.timeout
                && self.time_left().is_some_and(|left| left.is_zero())
            {
                return ControlFlow::Continue(Err(Fault::late(limit)));
            }
            if let Some(current) = self.inbox.current() {
                if self.pairs[current].task.is_first() {
                    self.output.show_lines();
                }
                (self.receive)(Message::Started(self.pairs[current].index))?;
            }
        }
    }

    fn line(&mut self, line: Line) -> ControlFlow<()> {
        if let Line::Begun { printed } = line {
            if let Some((pair, found)) = self.inbox.line(line) {
                self.send(pair, found, printed)?;
            }
            self.output.begin(printed);
        } else {
            self.inbox.line(line);
        }
        self.since = Instant::now();
        ControlFlow::Continue(())
    }

    /// Passes on the finding on a pair, whose output ends at this length.
    fn send(&mut self, pair: usize, found: FindingResult, printed: u64) -> ControlFlow<()> {
        self.answered += 1;
        let RoundPair { index, task, .. } = self.pairs[pair];
        let found = found.map_err(|fault| {
            let reason = fault.to_string();
            End::Error { output: self.output.of_pair(printed, &reason), reason }
        });
        if found.is_ok() && task.is_first() {
            self.output.show(printed);
        }
        // Output from before the first pair belongs to one error, and not to all of them.
        self.output.begin(printed);
        if let Ok(Finding { recording: Some(recording), .. }) = &found {
            self.used[index] += recording.time();
        }
        (self.receive)(Message::Found { index, found: Box::new(found) })
    }

    /// The time that is left for the current pair.
    fn time_left(&self) -> Option<Duration> {
        let used = self.inbox.current().map_or(Duration::ZERO, |pair| self.used[self.pairs[pair].index]);
        let spent = used.saturating_add(self.since.elapsed());
        self.timeout.map(|limit| limit.time.saturating_sub(spent))
    }
}
