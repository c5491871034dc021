//! The victims of kills: a run, or one of the processes that it started.

use std::fs;
use std::process::Child;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::processes::pids;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Victim {
    Run,
    /// The one that was started last.
    Process,
}

/// A process, and how it was called.
pub(crate) struct Process {
    pid: i32,
    line: String,
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

impl Process {
    /// Its task.
    pub(crate) fn what(&self) -> &'static str {
        let has = |word: &str| self.line.contains(word);
        match () {
            () if has("--bench-diff-round") => "round",
            () if has("--seed") => "about to be a round",
            () if has("--list") => "first start of a layout",
            () if has("--crate-name") => "compiling",
            () => "linking",
        }
    }
}

/// The processes below this one, in the order in which they were started.
pub(crate) fn descendants(root: u32) -> Vec<Process> {
    let parents: Vec<(i32, i32)> = pids().filter_map(|pid| Some((pid, parent_of(pid)?))).collect();
    let mut found = vec![i32::try_from(root).unwrap()];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    let line = |pid| fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let of = |pid| Process { pid, line: String::from_utf8_lossy(&line(pid)).into_owned() };
    let mut processes: Vec<Process> = found.into_iter().skip(1).map(of).collect();
    processes.retain(|process| !process.line.is_empty());
    processes.sort_by_key(|process| process.pid);
    processes
}

fn parent_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}
