//! A process of one of the programs, as the run sees it: copies of it call functions, one at a time.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::call::work::Work;
use crate::run::end;
use crate::run::output::ChildOutput;
use crate::run::process::{Process, not_started};
use crate::run::protocol::{Request, TurnsRequest};
use crate::run::started::Started;
use crate::run::turns::{Answer, Channel, Ready, Wish};
use crate::settings::TimeLimit;
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
    pub(super) fn start(program: &Path, folder: &TempFolder) -> Result<Self, String> {
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
    pub(super) fn ready(&mut self) -> Result<Ready, String> {
        match self.receive()? {
            Answer::Ready(ready) => Ok(*ready),
            other => Err(other.instead()),
        }
    }

    /// Has it do something, and waits for the answer.
    pub(super) fn ask(&mut self, wish: Wish) -> Result<Answer, String> {
        // One that is gone is told by what is read.
        let _ = wish.send(&mut self.channel);
        self.receive()
    }

    /// Tells it that there are no more turns of its function.
    pub(super) fn finish(&mut self) {
        let _ = Wish::End.send(&mut self.channel);
    }

    /// The work of one call, after the last turn.
    pub(super) fn done(&mut self) -> Result<Work, String> {
        let work = match self.receive()? {
            Answer::Done(done) => done?,
            other => return Err(other.instead()),
        };
        let Self { process, channel, .. } = self;
        let end = Instant::now() + end::LONGEST;
        let told = Answer::receive(channel, &mut || match process.ended_within(Duration::ZERO) {
            None if Instant::now() < end => Ok(()),
            _ => Err("there was time enough".to_owned()),
        });
        self.stays = told == Ok(Some(Answer::Ended));
        if !self.stays {
            let left = end.saturating_duration_since(Instant::now());
            process.ended_within(left).map_or(Ok(()), end::result)?;
        }
        Ok(work)
    }

    fn receive(&mut self) -> Result<Answer, String> {
        let Self { process, channel, deadline, is_late, .. } = self;
        let (asked, mut has_ended) = (Instant::now(), false);
        let mut in_time = |now: Instant| match *deadline {
            Some((deadline, limit)) if now >= deadline => {
                // Then most of the time went by in the turns before.
                *is_late = now.duration_since(asked) <= limit.time / 2;
                Err(end::too_late(limit))
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
fn how_it_ended(process: &Process) -> String {
    match process.ended_within(end::LONGEST) {
        Some(status) => end::result(status).err().unwrap_or_else(|| end::with_code(0)),
        None => "closed the channel between its process and the run".to_owned(),
    }
}

impl Answer {
    /// The problem if this comes in the place of another answer.
    pub(super) fn instead(self) -> String {
        match self {
            Self::Done(Err(reason)) => reason,
            Self::Ended => end::with_code(0),
            _ => "what its process says is out of order".to_owned(),
        }
    }
}
