//! The processes of this machine, as `/proc` has them.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Much longer than any machine takes to end a process.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(300);

/// Waits until no process is left that was told of this folder: none of a run outlives it for long.
pub(crate) fn wait_for_all(folder: &Path) {
    let start = Instant::now();
    while let Some(process) = alive(folder) {
        assert!(start.elapsed() < FOR_EVER, "{process} lives on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A process that was told of this folder and has not ended.
fn alive(folder: &Path) -> Option<String> {
    let folder = folder.display().to_string();
    let was_told = |pid: &i32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(&folder)
    };
    pids().find(was_told).map(|pid| format!("process {pid}"))
}

fn pids() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The victim of a kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Victim {
    Run,
    /// The process that the run, or one of its processes, started last.
    Process,
}

/// A process, and how it was called.
pub(crate) struct Process {
    pub(crate) pid: i32,
    line: String,
}

impl Process {
    /// Returns whether it is a bench that compares its functions with another side.
    pub(crate) fn is_against(&self) -> bool {
        self.line.contains("\0--against\0")
    }

    /// Kills it, unless it has ended by now.
    pub(crate) fn kill(&self) {
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
    }

    /// Its task.
    pub(crate) fn what(&self) -> &'static str {
        let has = |word: &str| self.line.contains(word);
        let program = self.line.split('\0').next().and_then(|path| path.rsplit('/').next());
        match program {
            Some("git") => "git",
            Some("cargo") => "cargo",
            Some("rustc") if !has("--crate-name") || has("--print") => "asking the compiler",
            _ if has("--bench-diff-round") => "round",
            _ if has("--seed") || self.is_against() => "about to be another program",
            _ if has("--list") || has("--bench-diff-rustc-call") => "first start of a layout",
            _ if has("--crate-name") => "compiling",
            _ => "linking",
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
