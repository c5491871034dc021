//! The progress of a run, as its files tell, and waiting for a stage of it.

use std::fs;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use super::victim::Victim;
use crate::home::Home;
use crate::processes::{Process, descendants};

/// When it is killed.
#[derive(Clone, Copy)]
pub(super) enum Aim {
    After(Duration),
    /// As soon as it is seen to be there, or over.
    At(&'static str),
}

/// In the order of a run, of which only one in random layouts has the first.
const AIMS: [&str; 5] = ["compiling or linking", "first round", "rounds", "reports of decided pairs", "end"];

impl Victim {
    /// The stages in which there is something of it to be killed.
    pub(super) fn aims(self, in_layouts: bool) -> &'static [&'static str] {
        let end = if self == Self::Run { AIMS.len() } else { 3 };
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
    let seed = format!("\"seed\":\"{seed:016x}\"");
    let stored = fs::read_to_string(home.stored("kills")).unwrap_or_default();
    let has = |event: &str| stored.contains(&format!("\"event\":\"{event}\""));
    match () {
        () if !stored.lines().next().is_some_and(|start| start.contains(&seed)) => "start",
        () if has("run") => "end",
        () if !stored.ends_with('\n') => "writing the store",
        () if has("pair") => "reports of decided pairs",
        () if has("round") => "rounds",
        () => "first round",
    }
}
