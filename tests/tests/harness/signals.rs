//! Signals in the middle of a run.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::skip::skipped;
use crate::fixture::{FAULTS, command, temporary_folder};

/// The file of `--json`.
const RECORDS: &str = "records.jsonl";

/// A run in a process group of its own, in the middle of a pair that does not return.
struct Running {
    child: Child,
    temporary: TempDir,
}

impl Running {
    fn start(arguments: &str) -> Self {
        let temporary = temporary_folder();
        let json = temporary.path().join(RECORDS);
        let line = format!(
            "--exact first never_returns --judge welch --json {} --bench {arguments}",
            json.display()
        );
        let mut command = command(FAULTS, &line, temporary.path());
        let mut child =
            command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("it does not return") {
            assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "{said}");
        }
        // The run looks a few times in a second for what the process of a round has found.
        while records(&temporary).lines().count() < 1 {
            assert!(child.try_wait().unwrap().is_none(), "{said}");
            thread::sleep(Duration::from_millis(10));
        }
        Self { child, temporary }
    }

    fn group(&self) -> Pid {
        Pid::from_raw(self.child.id().try_into().unwrap())
    }

    /// Checks that the signal ended it and every process of it, and that what was decided is on disk.
    #[track_caller]
    fn ended_by(self, signal: Signal) {
        let Self { mut child, temporary } = self;
        assert_eq!(child.wait().unwrap().signal(), Some(signal as i32));
        #[cfg(target_os = "linux")]
        crate::processes::wait_for_all(temporary.path());
        let records = records(&temporary);
        let lines: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [first] = &lines[..] else { panic!("{records}") };
        assert_eq!(first["name"], "first");
    }
}

fn records(temporary: &TempDir) -> String {
    fs::read_to_string(temporary.path().join(RECORDS)).unwrap_or_default()
}

/// A shell lets what it starts in the background ignore interrupts, and every program that that starts.
fn interrupts_are_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    let bit = 1 << (Signal::SIGINT as u32 - 1);
    u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & bit != 0)
}

#[test]
fn an_interrupt_ends_a_run_as_it_ends_any_program() {
    if interrupts_are_ignored() {
        skipped("interrupts are ignored here");
        return;
    }
    for arguments in ["", "--timeout 1min"] {
        let running = Running::start(arguments);
        killpg(running.group(), Signal::SIGINT).unwrap();
        running.ended_by(Signal::SIGINT);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_of_a_round_ends_with_the_run() {
    let running = Running::start("");
    kill(running.group(), Signal::SIGKILL).unwrap();
    running.ended_by(Signal::SIGKILL);
}
