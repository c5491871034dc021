//! A process with one function of one of the programs, as the run sees it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::call::work::Work;
use crate::run::end;
use crate::run::output::ChildOutput;
use crate::run::process::{Process, not_started};
use crate::run::protocol::Request;
use crate::run::started::Started;
use crate::run::turns::{Answer, Line, Ready, Wish};
use crate::settings::TimeLimit;
use crate::system::temporary::{InnerFolder, TempFolder};

/// A process that has said everything, or that has given up its line, may take so long to end.
const LONGEST_END: Duration = Duration::from_secs(2);

/// The process. It does not outlive this value.
pub(super) struct Partner<'l> {
    process: Process,
    line: Line,
    pub(super) output: ChildOutput,
    /// When its time is over, and what set that.
    deadline: Option<(Instant, &'l TimeLimit)>,
    /// What a process leaves running may still write into its files.
    _folder: InnerFolder,
}

impl<'l> Partner<'l> {
    /// Starts one of this program, for which there is so much time, of which so much was used.
    ///
    /// # Errors
    ///
    /// Why it could not be started.
    pub(super) fn start(
        program: &Path,
        folder: &TempFolder,
        request: Request,
        limit: Option<(&'l TimeLimit, Duration)>,
    ) -> Result<Self, String> {
        let (line, end) = Line::new().map_err(not_started)?;
        let Started { process, output, folder, .. } = Started::new(program, folder, request, end)?;
        let deadline = limit.and_then(|(limit, used)| {
            Some((Instant::now().checked_add(limit.time.saturating_sub(used))?, limit))
        });
        Ok(Self { process, line, output, deadline, _folder: folder })
    }

    /// What it knows of its function, once that was called.
    pub(super) fn ready(&mut self) -> Result<Ready, String> {
        match self.receive()? {
            Answer::Ready(ready) => Ok(*ready),
            other => Err(other.instead()),
        }
    }

    /// Has it do something, and waits for the answer.
    pub(super) fn ask(&mut self, wish: Wish) -> Result<Answer, String> {
        // One that is gone is told by what is read.
        let _ = wish.send(&mut self.line);
        self.receive()
    }

    /// Ends it. What one call works on comes back.
    pub(super) fn end(&mut self) -> Result<Work, String> {
        let work = match self.ask(Wish::End)? {
            Answer::Done(done) => done?,
            other => return Err(other.instead()),
        };
        self.process.ended_within(LONGEST_END).map_or(Ok(()), end::result)?;
        Ok(work)
    }

    fn receive(&mut self) -> Result<Answer, String> {
        let Self { process, line, deadline, .. } = self;
        let mut has_ended = false;
        let answer = Answer::receive(line, &mut || match deadline {
            Some((deadline, limit)) if Instant::now() >= *deadline => Err(end::too_late(limit)),
            // What it has said before it ended is still to be read, and another process may hold the line.
            _ if has_ended => Err(how_it_ended(process)),
            _ => {
                has_ended = process.ended_within(Duration::ZERO).is_some();
                Ok(())
            }
        })?;
        answer.ok_or_else(|| how_it_ended(process))
    }
}

/// Why a process says no more.
fn how_it_ended(process: &Process) -> String {
    match process.ended_within(LONGEST_END) {
        Some(status) => end::result(status).err().unwrap_or_else(|| end::with_code(0)),
        None => "closed the line between its process and the run".to_owned(),
    }
}

impl Answer {
    /// What is wrong where this comes in the place of another answer.
    pub(super) fn instead(self) -> String {
        match self {
            Self::Done(Err(reason)) => reason,
            _ => "what its process says is out of order".to_owned(),
        }
    }
}
