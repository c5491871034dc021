//! The process of the run: starts a process for every round, and hears what that finds.

use std::collections::HashSet;
use std::env;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use bench_diff_core::{Clocks, Instruments};

use super::inbox::{Found, Inbox};
use super::output::ChildOutput;
use super::process::{Process, not_started};
use super::protocol::{CostsRequest, Line, Listener, PairRequest, Request};
use super::{Asked, Message, Processes, Task, end};
use crate::layout::{self, Relinker};
use crate::machine;
use crate::plan::RunPlan;
use crate::settings::TimeLimit;
use crate::system::executable;
use crate::system::temporary::{TempFolder, new_word};

/// The flag that asks this program for a round, before the path of the request. It is the first argument, and
/// not for users.
pub(crate) const FLAG: &str = "--bench-diff-round";

/// How often it is looked for what a process has found, unless it ends before.
const INTERVAL: Duration = Duration::from_millis(100);

/// A process that has said everything may take so long to end.
const LONGEST_END: Duration = Duration::from_secs(2);

/// A process that takes longer to come to its first pair is worth a note.
const LONG_STARTUP: Duration = Duration::from_millis(50);

/// Processes of this program, one after the other.
pub(crate) struct Children<'p> {
    program: PathBuf,
    /// Where there are programs in random layouts.
    relinker: Option<Relinker>,
    /// The pairs whose functions are of the same machine code, by their places in the run; none before
    /// anybody looked.
    same: Option<HashSet<usize>>,
    folder: TempFolder,
    costs: CostsRequest,
    /// Whether each pair has a process of its own.
    isolate: bool,
    /// Of one pair, in all of its rounds.
    timeout: Option<&'p TimeLimit>,
    /// What each pair of the run has taken of that.
    used: Vec<Duration>,
    processes: u32,
    /// From the start of a process to its first pair, of all of them.
    startup: Duration,
}

impl<'p> Children<'p> {
    /// # Errors
    ///
    /// Why there can be none.
    pub(crate) fn new(plan: &'p RunPlan, instruments: &Instruments<'_, impl Clocks>) -> Result<Self, String> {
        let program = executable::path()?;
        let folder =
            TempFolder::of_run().map_err(|error| format!("no folder for what processes find: {error}"))?;
        Ok(Self {
            program,
            relinker: None,
            same: None,
            folder,
            costs: CostsRequest::of(instruments),
            isolate: plan.isolate,
            timeout: plan.timeout.as_ref(),
            used: vec![Duration::ZERO; plan.pairs.len()],
            processes: 0,
            startup: Duration::ZERO,
        })
    }

    /// The same with programs in random layouts.
    pub(crate) fn with_layouts(self, relinker: Option<Relinker>) -> Self {
        Self { relinker, ..self }
    }

    /// How many were started so far, and came to a pair.
    pub(crate) fn started(&self) -> u64 {
        self.processes.into()
    }

    /// What linking took of the machine.
    pub(crate) fn cost_of_linking(&self) -> machine::ResourceUsage {
        self.relinker.as_ref().map(Relinker::cost).unwrap_or_default()
    }

    /// What a reader should know after the run.
    pub(crate) fn note(&self) -> Option<String> {
        let count = self.processes;
        let startup = self.startup.checked_div(count)?;
        (startup > LONG_STARTUP).then(|| {
            format!(
                "each of {count} processes took {startup:.1?} before its first pair, because it evaluates all `args`: move \
                 heavy work into `setup`"
            )
        })
    }

    /// Has one process measure these pairs, as far as it gets. Of how many something was heard comes back.
    fn one_process(
        &mut self,
        program: &Path,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<(), usize> {
        // What a former process left running may still write into the files of that one.
        let folder = self.folder.inner().and_then(|folder| Ok((ChildOutput::new(&folder.0)?, folder)));
        let (output, folder) = match folder {
            Ok(folder) => folder,
            Err(error) => return all_failed(asked, &not_started(error), receive),
        };
        let (process, listener) = match self.start(program, asked, &output, &folder.0) {
            Ok(started) => started,
            Err(reason) => return all_failed(asked, &reason, receive),
        };
        let mut conversation = Conversation {
            children: self,
            asked,
            receive,
            listener,
            inbox: Inbox::new(asked.len()),
            since: Instant::now(),
            heard: 0,
            output,
        };
        let end = conversation.until_its_end(&process)?;
        // A process that took too long goes with its value.
        drop(process);
        conversation.conclude(end)?;
        ControlFlow::Continue(conversation.heard)
    }

    fn start(
        &self,
        program: &Path,
        asked: &[Asked<'_>],
        output: &ChildOutput,
        folder: &Path,
    ) -> Result<(Process, Listener), String> {
        let request = folder.join("request");
        let word = new_word();
        let listener = Listener::to(&request, &word).map_err(not_started)?;
        let pairs = asked.iter().map(|asked| PairRequest::new(&asked.pair.registered, asked.task)).collect();
        Request { word, costs: self.costs, pairs }.write(&request).map_err(not_started)?;
        let mut command = Command::new(program);
        command.arg(FLAG).arg(&request);
        named(&mut command);
        output.redirect(&mut command).map_err(not_started)?;
        Ok((Process::start(&mut command)?, listener))
    }
}

impl Processes for Children<'_> {
    fn round(
        &mut self,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (in_layout, as_linked): (Vec<Asked<'_>>, Vec<Asked<'_>>) =
            asked.iter().partition(|asked| asked.in_layout);
        let program = self.program.clone();
        self.look_for_same(asked);
        self.all(&program, &as_linked, receive)?;
        if in_layout.is_empty() {
            return ControlFlow::Continue(());
        }
        match self.relinker.as_mut().map_or_else(|| Err("there are none".to_owned()), Relinker::next) {
            Ok(program) => {
                let flow = self.all(&program, &in_layout, receive);
                layout::remove(&program);
                flow
            }
            Err(reason) => {
                all_failed(&in_layout, &format!("its layout could not be linked: {reason}"), receive)?;
                ControlFlow::Continue(())
            }
        }
    }
}

impl Children<'_> {
    /// Looks once for pairs whose functions are of the same machine code: where the linker makes one of both.
    /// Their ratio is 1 in any layout.
    fn look_for_same(&mut self, asked: &[Asked<'_>]) {
        if self.same.is_some() {
            return;
        }
        let mut same = HashSet::new();
        if let Some(Ok(folded)) = self.relinker.as_ref().and_then(Relinker::folded) {
            let compared: Vec<Asked<'_>> = asked
                .iter()
                .filter(|asked| asked.pair.wants_layouts())
                .map(|asked| Asked { task: Task::Compare, ..*asked })
                .collect();
            // What goes wrong in it goes wrong again where it is told.
            let _ = self.all(&folded, &compared, &mut |message| {
                if let Message::Found { index, found, .. } = message
                    && found.is_ok_and(|finding| finding.is_one_function)
                {
                    same.insert(index);
                }
                ControlFlow::Continue(())
            });
            layout::remove(&folded);
        }
        self.same = Some(same);
    }

    /// Has all of these pairs measured by processes of this program.
    fn all(
        &mut self,
        program: &Path,
        asked: &[Asked<'_>],
        receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut rest = asked;
        while !rest.is_empty() {
            let together = if self.isolate { 1 } else { rest.len() };
            let heard = self.one_process(program, &rest[..together], receive)?;
            rest = &rest[heard..];
        }
        ControlFlow::Continue(())
    }
}

/// A process that is heard.
struct Conversation<'a, 'p> {
    children: &'a mut Children<'p>,
    asked: &'a [Asked<'a>],
    receive: &'a mut dyn FnMut(Message) -> ControlFlow<()>,
    listener: Listener,
    inbox: Inbox,
    /// The start of the pair that it is at, or of its end.
    since: Instant,
    heard: usize,
    output: ChildOutput,
}

impl Conversation<'_, '_> {
    /// Tells what it says, until it ends as it should or otherwise.
    fn until_its_end(&mut self, process: &Process) -> ControlFlow<(), Result<(), String>> {
        loop {
            let left = self.time_left();
            let status = process.ended_within(left.map_or(INTERVAL, |left| left.min(INTERVAL)));
            while let Some(line) = self.listener.line() {
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
                return ControlFlow::Continue(Err(format!(
                    "took longer than {} and was ended",
                    limit.source
                )));
            }
            process.resume();
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
            Ok(Line::Begun { pair, startup, printed }) => Some((pair, startup, printed)),
            Ok(Line::End) => {
                self.since = Instant::now();
                None
            }
            Ok(Line::Found { .. }) | Err(_) => None,
        };
        let printed = begun.map_or_else(|| self.output.length(), |(.., printed)| printed);
        match self.inbox.line(line) {
            Ok(None) => {}
            Ok(Some((pair, found))) => self.send(pair, found, printed)?,
            Err(reason) => return ControlFlow::Continue(Err(reason)),
        }
        if let Some((pair, startup, printed)) = begun {
            self.since = Instant::now();
            if pair == 0 {
                self.children.processes += 1;
                self.children.startup += startup;
                if self.asked[0].task.is_first_judged() {
                    self.output.show(printed);
                }
            }
            self.output.begin(printed);
        }
        ControlFlow::Continue(Ok(()))
    }

    /// Sends what was found of a pair, whose output ends here.
    fn send(&mut self, pair: usize, mut found: Found, printed: u64) -> ControlFlow<()> {
        self.heard += 1;
        let Asked { index, task, .. } = self.asked[pair];
        let output = found.as_ref().err().and_then(|reason| self.output.of_pair(printed, reason));
        if found.is_ok() && task.is_first_judged() {
            self.output.show(printed);
        }
        // What a process printed that came to no pair belongs to one error and not to all of them.
        self.output.begin(printed);
        if let Ok(finding) = &mut found
            && let Some(recording) = &mut finding.recording
        {
            recording.is_one_function |=
                self.children.same.as_ref().is_some_and(|same| same.contains(&index));
            self.children.used[index] += recording.preparing + recording.elapsed;
        }
        (self.receive)(Message::Found { index, found: Box::new(found), output })
    }

    fn conclude(&mut self, end: Result<(), String>) -> ControlFlow<()> {
        let inbox = std::mem::replace(&mut self.inbox, Inbox::new(0));
        let printed = self.output.length();
        inbox.end(end).into_iter().try_for_each(|(pair, found)| self.send(pair, found, printed))
    }

    /// What is left of the time of the pair that it is at.
    fn time_left(&self) -> Option<Duration> {
        let used =
            self.inbox.current().map_or(Duration::ZERO, |pair| self.children.used[self.asked[pair].index]);
        let spent = used.saturating_add(self.since.elapsed());
        self.children.timeout.map(|limit| limit.time.saturating_sub(spent))
    }
}

/// The same reason for all of them.
fn all_failed(
    asked: &[Asked<'_>],
    reason: &str,
    receive: &mut dyn FnMut(Message) -> ControlFlow<()>,
) -> ControlFlow<(), usize> {
    asked.iter().try_for_each(|asked| receive(Message::found(asked.index, Err(reason.to_owned()))))?;
    ControlFlow::Continue(asked.len())
}

/// Where the program has a name by which it was started, that is the name of its processes as well.
#[cfg(unix)]
fn named(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    if let Some(name) = env::args_os().next() {
        command.arg0(name);
    }
}

#[cfg(not(unix))]
fn named(_: &mut Command) {}
