//! The victims of kills: a run, or one of the processes that it started.

use std::process::Child;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::processes::Process;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    Run,
    /// The one that was started last.
    Process,
}

impl Victim {
    pub(super) fn kill(self, run: &mut Child, processes: &[Process]) {
        match self {
            Self::Run => run.kill().unwrap(),
            // It may have ended by now.
            Self::Process => {
                let _ = processes.last().map(|process| kill(Pid::from_raw(process.pid), Signal::SIGKILL));
            }
        }
    }
}
