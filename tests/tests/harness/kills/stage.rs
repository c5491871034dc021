//! The progress of a run, as its files tell, and waiting for a stage of it.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::home::Home;
use crate::processes::{Process, Victim, descendants};

/// When it is killed.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    After(Duration),
    /// As soon as it is seen to be there, or over.
    At(&'static str),
}

/// In the order of a run, of which only one in random layouts has the first.
const AIMS: [&str; 4] = ["compiling or linking", "rounds", "decided pairs", "end"];

impl Victim {
    /// The stages in which there is something of it to be killed.
    pub(super) fn aims(self, in_layouts: bool) -> &'static [&'static str] {
        let end = if self == Self::Run { AIMS.len() } else { 2 };
        &AIMS[usize::from(!in_layouts)..end]
    }

    /// The stages that many kills hit.
    pub(super) fn stages(self) -> &'static [&'static str] {
        match self {
            Self::Run => self.aims(true),
            Self::Process => &["compiling", "linking", "round"],
        }
    }
}

impl Aim {
    pub(super) fn wait(self, run: &mut Child, home: &Home, seed: u64) {
        let start = Instant::now();
        while run.try_wait().unwrap().is_none() {
            let is_there = match self {
                Self::After(time) => start.elapsed() >= time,
                Self::At(aim) => stage(home, seed, &descendants(run.id())) == aim,
            };
            if is_there {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The stage of the run with this seed.
pub(super) fn stage(home: &Home, seed: u64, processes: &[Process]) -> &'static str {
    if processes.iter().any(|process| ["compiling", "linking"].contains(&process.what())) {
        return "compiling or linking";
    }
    let records = fs::read_to_string(home.path().join(super::RECORDS)).unwrap_or_default();
    let is_of_run = |record: &str| record.contains(&format!("\"seed\":\"{seed:016x}\""));
    match records.lines().next() {
        // The first round begins the file.
        None => "rounds",
        Some(first) if !is_of_run(first) => "start",
        Some(_) if records.contains("\"event\":\"run\"") => "end",
        Some(_) => "decided pairs",
    }
}
