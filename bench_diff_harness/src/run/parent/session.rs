//! One process of a run: what it says line by line, what it prints, and how it ends.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Children;
use crate::run::inbox::{FindingResult, Inbox};
use crate::run::output::ChildOutput;
use crate::run::process::Process;
use crate::run::protocol::{AnswerReader, Line};
use crate::run::{Asked, Message, end};

/// The interval between looks at the findings of a process, unless it ends before.
const INTERVAL: Duration = Duration::from_millis(100);

/// A process that has said everything may take so long to end.
const LONGEST_END: Duration = Duration::from_secs(2);

/// The exchange with a process from its start to its end.
pub(super) struct Session<'a, 'p> {
    children: &'a mut Children<'p>,
    asked: &'a [Asked<'a>],
    receive: &'a mut dyn FnMut(Message) -> ControlFlow<()>,
    reader: AnswerReader,
    inbox: Inbox,
    /// The start of the pair that it is at, or of its end.
    since: Instant,
    answered: usize,
    output: ChildOutput,
}

impl<'a, 'p> Session<'a, 'p> {
    pub(super) fn new(
        children: &'a mut Children<'p>,
        asked: &'a [Asked<'a>],
        receive: &'a mut dyn FnMut(Message) -> ControlFlow<()>,
        reader: AnswerReader,
        output: ChildOutput,
    ) -> Self {
        let (inbox, since) = (Inbox::new(asked.len()), Instant::now());
        Self { children, asked, receive, reader, inbox, since, answered: 0, output }
    }

    /// Hands on what the process finds until it ends. How many pairs it answered comes back.
    pub(super) fn with(mut self, process: Process) -> ControlFlow<(), usize> {
        let end = self.until_its_end(&process)?;
        // A process that took too long goes with its value.
        drop(process);
        let printed = self.output.length();
        let inbox = std::mem::replace(&mut self.inbox, Inbox::new(0));
        inbox.end(end).into_iter().try_for_each(|(pair, found)| self.send(pair, found, printed))?;
        ControlFlow::Continue(self.answered)
    }

    /// Hands on what it says, until it ends as it should or otherwise.
    fn until_its_end(&mut self, process: &Process) -> ControlFlow<(), Result<(), String>> {
        loop {
            let left = self.time_left();
            let status = process.ended_within(left.map_or(INTERVAL, |left| left.min(INTERVAL)));
            while let Some(line) = self.reader.line() {
                if let Err(reason) = self.line(line)? {
                    return ControlFlow::Continue(Err(format!("what it found cannot be read: {reason}")));
                }
            }
            if let Some(status) = status {
                return ControlFlow::Continue(end::result(status));
            }
            if self.inbox.has_ended() && self.since.elapsed() >= LONGEST_END {
                return ControlFlow::Continue(Ok(()));
            }
            if let Some(limit) = self.children.timeout
                && self.time_left().is_some_and(|left| left.is_zero())
            {
                return ControlFlow::Continue(Err(end::too_late(limit)));
            }
            if let Some(current) = self.inbox.current() {
                if self.asked[current].task.is_first_judged() {
                    self.output.show_lines();
                }
                (self.receive)(Message::Started(self.asked[current].index))?;
            }
        }
    }

    fn line(&mut self, line: Result<Line, String>) -> ControlFlow<(), Result<(), String>> {
        let begun = match line {
            Ok(Line::Begun { printed, .. }) => Some(printed),
            Ok(Line::End) => {
                self.since = Instant::now();
                None
            }
            Ok(Line::Found { .. } | Line::Attributes { .. } | Line::Listed { .. }) | Err(_) => None,
        };
        let printed = begun.unwrap_or_else(|| self.output.length());
        match self.inbox.line(line) {
            Ok(None) => {}
            Ok(Some((pair, found))) => self.send(pair, found, printed)?,
            Err(reason) => return ControlFlow::Continue(Err(reason)),
        }
        if let Some(printed) = begun {
            self.since = Instant::now();
            self.output.begin(printed);
        }
        ControlFlow::Continue(Ok(()))
    }

    /// Sends what was found of a pair, whose output ends here.
    fn send(&mut self, pair: usize, found: FindingResult, printed: u64) -> ControlFlow<()> {
        self.answered += 1;
        let Asked { index, task, .. } = self.asked[pair];
        let output = found.as_ref().err().and_then(|reason| self.output.of_pair(printed, reason));
        if found.is_ok() && task.is_first_judged() {
            self.output.show(printed);
        }
        // What a process printed that came to no pair belongs to one error and not to all of them.
        self.output.begin(printed);
        if let Ok(finding) = &found
            && let Some(recording) = &finding.recording
        {
            self.children.used[index] += recording.time();
        }
        (self.receive)(Message::Found { index, found: Box::new(found), output })
    }

    /// The time that is left for the pair that it is at.
    fn time_left(&self) -> Option<Duration> {
        let used =
            self.inbox.current().map_or(Duration::ZERO, |pair| self.children.used[self.asked[pair].index]);
        let spent = used.saturating_add(self.since.elapsed());
        self.children.timeout.map(|limit| limit.time.saturating_sub(spent))
    }
}
