//! A process of one of the programs, as the run sees it: copies of it call functions, one at a time.

use std::time::{Duration, Instant};

use crate::call::work::Work;
use crate::run::child::NO_SUCH_PAIR;
use crate::run::fault::{Fault, LONGEST, of_end};
use crate::run::output::ChildOutput;
use crate::run::process::{Process, not_started};
use crate::run::protocol::{Request, TurnsRequest};
use crate::run::started::Started;
use crate::run::turns::{Answer, Channel, Ready, Wish};
use crate::settings::TimeLimit;
use crate::system::executable::Executable;
use crate::system::temporary::{InnerFolder, TempFolder};

/// The process. It does not outlive this value.
pub(super) struct Partner<'l> {
    process: Process,
    channel: Channel,
    pub(super) output: ChildOutput,
    /// When the time of its function is over, and what set that.
    deadline: Option<(Instant, &'l TimeLimit)>,
    /// True if that is over, and not since this process did not answer.
    pub(super) is_late: bool,
    /// True if another function can be asked for.
    pub(super) stays: bool,
    /// The folder of its files, into which a process that it leaves running may still write.
    _folder: InnerFolder,
}

impl<'l> Partner<'l> {
    /// Starts one of this program.
    ///
    /// # Errors
    ///
    /// If it could not be started; the text says why.
    pub(super) fn start(program: &Executable, folder: &TempFolder) -> Result<Self, String> {
        let (channel, end) = Channel::new().map_err(not_started)?;
        let request = Request { takes_turns: true, ..Request::default() };
        let Started { process, output, folder, .. } = Started::new(program, folder, request, end)?;
        Ok(Self { process, channel, output, deadline: None, is_late: false, stays: true, _folder: folder })
    }

    /// Has it begin with this function, for which there is so much time, of which so much was used.
    pub(super) fn begin(&mut self, request: &TurnsRequest, limit: Option<(&'l TimeLimit, Duration)>) {
        self.deadline = limit.and_then(|(limit, used)| {
            Some((Instant::now().checked_add(limit.time.saturating_sub(used))?, limit))
        });
        self.output.begin(self.output.length());
        // One that is gone is told by what is read.
        let _ = request.send(&mut self.channel);
    }

    /// The facts about its function, once that was called.
    pub(super) fn ready(&mut self) -> Result<Ready, Fault> {
        match self.receive()? {
            Answer::Ready(ready) => Ok(*ready),
            other => Err(other.instead()),
        }
    }

    /// Has it do something, and waits for the answer.
    pub(super) fn ask(&mut self, wish: Wish) -> Result<Answer, Fault> {
        // One that is gone is told by what is read.
        let _ = wish.send(&mut self.channel);
        self.receive()
    }

    /// Tells it that there are no more turns of its function.
    pub(super) fn finish(&mut self) {
        let _ = Wish::End.send(&mut self.channel);
    }

    /// The work of one call, after the last turn.
    pub(super) fn done(&mut self) -> Result<Work, Fault> {
        let work = match self.receive()? {
            Answer::Done(done) => done.map_err(Fault::Reported)?,
            other => return Err(other.instead()),
        };
        let Self { process, channel, .. } = self;
        let end = Instant::now() + LONGEST;
        let told = Answer::receive(channel, &mut || match process.ended_within(Duration::ZERO) {
            None if Instant::now() < end => Ok(()),
            _ => Err(Fault::Lost("there was time enough".to_owned())),
        });
        self.stays = told == Ok(Some(Answer::Ended));
        if !self.stays {
            let left = end.saturating_duration_since(Instant::now());
            process.ended_within(left).map_or(Ok(()), of_end)?;
        }
        Ok(work)
    }

    fn receive(&mut self) -> Result<Answer, Fault> {
        let Self { process, channel, deadline, is_late, .. } = self;
        let (asked, mut has_ended) = (Instant::now(), false);
        let mut in_time = |now: Instant| match *deadline {
            Some((deadline, limit)) if now >= deadline => {
                // Then most of the time went by in the turns before.
                *is_late = now.duration_since(asked) <= limit.time / 2;
                Err(Fault::late(limit))
            }
            _ => Ok(()),
        };
        in_time(asked)?;
        let answer = Answer::receive(channel, &mut || {
            in_time(Instant::now())?;
            // What it has said before it ended is still to be read, and another process may hold the channel.
            if has_ended {
                return Err(how_it_ended(process));
            }
            has_ended = process.ended_within(Duration::ZERO).is_some();
            Ok(())
        })?;
        answer.ok_or_else(|| how_it_ended(process))
    }
}

/// The reason that a process says no more.
fn how_it_ended(process: &Process) -> Fault {
    match process.ended_within(LONGEST) {
        Some(status) => of_end(status).err().unwrap_or(Fault::Exited(0)),
        None => Fault::Lost("closed the channel between its process and the run".to_owned()),
    }
}

impl Answer {
    /// The problem if this comes in the place of another answer.
    pub(super) fn instead(self) -> Fault {
        match self {
            Self::Done(Err(reason)) => Fault::Reported(reason),
            Self::Ended => Fault::Exited(0),
            Self::NoSuchPair => Fault::Lost(NO_SUCH_PAIR.to_owned()),
            _ => Fault::Lost("what its process says is out of order".to_owned()),
        }
    }
}
