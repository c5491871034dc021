//! A child process of one of the binaries, which takes turns with another. Copies of the process call
//! functions, one at a time.

use std::time::{Duration, Instant};

use bench_diff_system::executable::Executable;
use bench_diff_system::temporary::{InnerFolder, TempFolder};

use crate::call::work::Work;
use crate::run::child::NO_SUCH_PAIR;
use crate::run::fault::{Fault, LONGEST};
use crate::run::output::ChildOutput;
use crate::run::process::Process;
use crate::run::protocol::Request;
use crate::run::started::Started;
use crate::run::turns::channel::{self, Channel};
use crate::run::turns::{Answer, Instruction, Ready, TurnsRequest};
use crate::settings::TimeLimit;

/// The process. It ends when this value is dropped.
pub(super) struct Partner<'l> {
    process: Process,
    channel: Channel,
    pub(super) output: ChildOutput,
    /// When the time of the current function is over, and the limit that says so.
    deadline: Option<(Instant, &'l TimeLimit)>,
    /// When the budget of the run is spent.
    pub(super) end: Option<Instant>,
    /// True if that time is over, but most of it passed before the last request to this process.
    pub(super) is_late: bool,
    /// True if the process can be used for another function.
    pub(super) stays: bool,
    /// The folder of its files. A process that it leaves running may still write into the folder.
    _folder: InnerFolder,
}

impl<'l> Partner<'l> {
    /// Starts a process of this binary.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn start(program: &Executable, folder: &TempFolder) -> Result<Self, Fault> {
        let (offer, input) = channel::offer().map_err(Fault::not_started)?;
        let request = Request { takes_turns: true, ..Request::default() };
        let Started { process, output, folder, .. } = Started::new(program, folder, request, input)?;
        let channel = offer(&mut || process.connects()).map_err(|fault| {
            let printed = output.of_pair(output.length(), "");
            printed.map_or(fault.clone(), |text| Fault::Outside(format!("{fault}: {text}")))
        })?;
        Ok(Self {
            process,
            channel,
            output,
            deadline: None,
            end: None,
            is_late: false,
            stays: true,
            _folder: folder,
        })
    }

    /// Starts a function, with a time limit, the time that its pair has already used of it, and the end of
    /// the budget.
    pub(super) fn begin(
        &mut self,
        request: &TurnsRequest,
        limit: Option<(&'l TimeLimit, Duration)>,
        end: Option<Instant>,
    ) {
        self.end = end;
        self.deadline = limit.and_then(|(limit, used)| {
            Some((Instant::now().checked_add(limit.time.saturating_sub(used))?, limit))
        });
        self.output.begin(self.output.length());
        // If the process is gone, reading the answer will show that.
        let _ = request.send(&mut self.channel);
    }

    /// The process's facts about its function, after the first call.
    pub(super) fn ready(&mut self) -> Result<Ready, Fault> {
        match self.receive()? {
            Answer::Ready(ready) => Ok(*ready),
            other => Err(other.unexpected()),
        }
    }

    /// Makes a request, and waits for the answer.
    pub(super) fn ask(&mut self, instruction: Instruction) -> Result<Answer, Fault> {
        self.tell(instruction);
        self.receive()
    }

    /// Makes a request without waiting. If the process is gone, reading its next answer will show that.
    pub(super) fn tell(&mut self, instruction: Instruction) {
        let _ = instruction.send(&mut self.channel);
    }

    /// The work of one call, after the last turn.
    pub(super) fn done(&mut self) -> Result<Work, Fault> {
        let work = match self.receive()? {
            Answer::Done(done) => done.map_err(Fault::Reported)?,
            other => return Err(other.unexpected()),
        };
        let Self { process, channel, .. } = self;
        let end = Instant::now() + LONGEST;
        let last = Answer::receive(channel, &mut || match process.ended_within(Duration::ZERO) {
            None if Instant::now() < end => Ok(()),
            _ => Err(Fault::Outside("its process did not end".to_owned())),
        });
        self.stays = last == Ok(Some(Answer::Ended));
        if !self.stays {
            let left = end.saturating_duration_since(Instant::now());
            process.ended_within(left).unwrap_or(Ok(()))?;
        }
        Ok(work)
    }

    /// Lets processes leave the attributes that they visit, whose functions may clean up, and end.
    pub(super) fn end_all(partners: [Self; 2]) {
        let processes = partners.map(|Self { process, channel, _folder, .. }| {
            drop(channel);
            (process, _folder)
        });
        let end = Instant::now() + LONGEST;
        for (process, _) in &processes {
            process.ended_within(end.saturating_duration_since(Instant::now()));
        }
    }

    fn receive(&mut self) -> Result<Answer, Fault> {
        let Self { process, channel, deadline, end, is_late, .. } = self;
        let (since, mut has_ended) = (Instant::now(), false);
        let mut in_time = |now: Instant| match *deadline {
            Some((deadline, limit)) if now >= deadline => {
                // Most of the time passed in earlier turns.
                *is_late = now.duration_since(since) <= limit.time / 2;
                Err(Fault::late(limit))
            }
            _ if end.is_some_and(|end| now >= end) => Err(Fault::Outside("the budget is spent".to_owned())),
            _ => Ok(()),
        };
        in_time(since)?;
        let answer = Answer::receive(channel, &mut || {
            in_time(Instant::now())?;
            // Answers that it wrote before it ended are still to be read, and another process may hold the
            // channel open.
            if has_ended {
                return Err(how_it_ended(process));
            }
            has_ended = process.ended_within(Duration::ZERO).is_some();
            Ok(())
        })?;
        answer.ok_or_else(|| how_it_ended(process))
    }
}

/// The reason why a process answers no more.
fn how_it_ended(process: &Process) -> Fault {
    match process.ended_within(LONGEST) {
        Some(end) => end.err().unwrap_or(Fault::Exited(0)),
        None => Fault::Outside("closed the channel between its process and the run".to_owned()),
    }
}

impl Answer {
    /// The fault that this answer means where another one was expected.
    pub(super) fn unexpected(self) -> Fault {
        match self {
            Self::Done(Err(failed)) => Fault::Reported(failed),
            Self::Ended => Fault::Exited(0),
            Self::NoSuchPair => Fault::Outside(NO_SUCH_PAIR.to_owned()),
            _ => Fault::Outside("the answers of its process are out of order".to_owned()),
        }
    }
}
