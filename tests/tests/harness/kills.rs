//! Runs and their processes, killed at any time, and what holds then: the file of `--json` is that of the run
//! before, or has the records of the pairs that this run decided; the next run works, it leaves nothing behind,
//! and no run that was cut short is green.
//!
//! `BENCH_DIFF_KILLS=1000` is the long form. Nothing that is checked depends on what a kill hits; what it hit is
//! counted and printed.

mod stage;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use stage::{Aim, stage};

use crate::chance::{self, Random};
use crate::fixture::{LASTING, command};
use crate::home::Home;
use crate::processes::{FOR_EVER, Process, Victim, descendants, wait_for_all};

/// The number of runs to kill, and of child processes.
const COUNT: usize = 6;

/// One in this many runs has random layouts, which take much longer.
const LINKED: usize = 6;

/// The functions of a run.
const ALL: &str = "first second third fourth";

/// The files of `--json` and of `--html`.
const RECORDS: &str = "out.json";
const PAGE: &str = "out.html";

/// This many kills hit every stage.
const MANY: usize = 500;

/// A home for runs of one kind, and how long one takes that is left alone.
struct Trials {
    home: Home,
    layouts: &'static str,
    length: Duration,
    random: Random,
    /// The kills so far.
    count: u64,
}

impl Trials {
    fn new(layouts: &'static str, seed: u64) -> Self {
        let (home, random) = (Home::new(), Random(seed));
        // Where there is one kill in random layouts, it hits what no other run does: a compilation or a link.
        let count = u64::from(layouts == "auto");
        let mut trials = Self { home, layouts, length: FOR_EVER, random, count };
        let start = Instant::now();
        let ended = trials.start(1, ALL).wait().unwrap();
        assert_eq!(ended.code(), Some(0), "{}", trials.said());
        trials.length = start.elapsed();
        trials
    }

    fn start(&self, seed: u64, functions: &str) -> Child {
        let [json, html] = [RECORDS, PAGE].map(|name| self.home.file(name));
        let line = format!("--exact {functions} --bench --seed {seed:x} --json {json} --html {html}");
        let mut command = command(LASTING, &line, self.home.path());
        command.env("BENCH_DIFF_LAYOUTS", self.layouts);
        let said = File::create(self.home.path().join("said")).unwrap();
        command.stdout(Stdio::null()).stderr(said).spawn().unwrap()
    }

    fn said(&self) -> String {
        fs::read_to_string(self.home.path().join("said")).unwrap()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.home.path().join(name)).unwrap()
    }

    /// Any time of a run, and each of its stages in turn.
    fn next_aim(&mut self, whom: Victim) -> Aim {
        let number = self.count as usize;
        self.count += 1;
        if number.is_multiple_of(2) {
            let time = self.length.as_micros() as u64 * 11 / 10;
            return Aim::After(Duration::from_micros(self.random.below(time.max(1))));
        }
        let aims = whom.aims(self.layouts == "auto");
        Aim::At(aims[number / 2 % aims.len()])
    }

    /// Starts a run and kills it, or one of its processes; what it hit.
    fn kill(&mut self, whom: Victim) -> &'static str {
        self.forget_builds();
        let aim = self.next_aim(whom);
        let seed = 1 + self.count;
        let before = self.file(RECORDS);
        let mut run = self.start(seed, ALL);
        aim.wait(&mut run, &self.home, seed);
        let mut processes = descendants(run.id());
        while whom == Victim::Process && processes.is_empty() && run.try_wait().unwrap().is_none() {
            processes = descendants(run.id());
        }
        let hit = match whom {
            Victim::Run => stage(&self.home, seed, &processes),
            Victim::Process => processes.last().map_or("no process", |process| process.what()),
        };
        match whom {
            Victim::Run => run.kill().unwrap(),
            Victim::Process => processes.last().into_iter().for_each(Process::kill),
        }
        let status = run.wait().unwrap();
        wait_for_all(self.home.path());
        self.check(status, seed, &before, whom);
        self.check_next_run();
        if status.code().is_some() && whom == Victim::Run { "it was over" } else { hit }
    }

    /// Has the next run compile again.
    fn forget_builds(&self) {
        // A run in the binary as linked builds none.
        let builds = fs::read_dir(self.home.folder("lasting")).into_iter().flatten();
        for entry in builds.map(Result::unwrap) {
            if entry.file_name().to_string_lossy().starts_with("build-") {
                fs::remove_dir_all(entry.path()).unwrap();
            }
        }
    }

    fn check(&self, status: ExitStatus, seed: u64, before: &str, whom: Victim) {
        let records = self.file(RECORDS);
        let said = self.said();
        let is_of_run = records != before;
        let has_ended = is_of_run && ends(&records);
        match (status.code(), whom) {
            (None, Victim::Run) => assert_eq!(status.signal(), Some(9), "{said}"),
            // It was over before, or the process that was killed is none that matters.
            (Some(0), _) => assert!(has_ended && passes(&records) == 4, "green of\n{records}\n{said}"),
            // Without a list of functions there is no run.
            (Some(3), Victim::Process) if !is_of_run => {
                assert!(said.contains(" was ended by signal: 9"), "{said}");
            }
            (Some(3), Victim::Process) => {
                assert!(has_ended && records.contains("\"outcome\":\"error\""), "{records}\n{said}");
            }
            (code, _) => panic!("{code:?} {:?}: {said}", status.signal()),
        }
        let seed = format!("{seed:016x}");
        if is_of_run {
            // The system may stop a write in its middle.
            let whole = records.rfind('\n').map_or(0, |end| end + 1);
            assert!(whole == records.len() || !has_ended && status.code().is_none(), "{records}");
            let mut names = BTreeSet::new();
            for line in records[..whole].lines() {
                let record: Value = serde_json::from_str(line).unwrap();
                if record["event"] == "pair" {
                    assert_eq!(record["seed"], seed, "{records}");
                    assert!(names.insert(record["name"].to_string()), "{records}");
                }
            }
        }
        // The page is of a run that came to its end.
        assert!(has_ended || !self.file(PAGE).contains(&seed), "{records}\n{said}");
    }

    /// The next run works and leaves nothing behind, of itself or of the one that was killed.
    fn check_next_run(&self) {
        let status = self.start(1, "first").wait().unwrap();
        assert_eq!(status.code(), Some(0), "{}", self.said());
        let left = left_behind(self.home.path());
        assert_eq!(left, [""; 0]);
    }
}

/// Returns whether these records end as a run does.
fn ends(records: &str) -> bool {
    let last = records.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok());
    last.is_some_and(|last| last["event"] == "run")
}

fn passes(records: &str) -> usize {
    records.matches("\"outcome\":\"pass\"").count()
}

/// The files in a folder that are not meant to stay.
fn left_behind(folder: &Path) -> Vec<String> {
    let mut left = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_temporary =
            ["bench_diff-", "links-", "check-", "cc", "."].iter().any(|start| name.starts_with(start))
                || ["tmp", "out", "incremental"].contains(&name.as_str());
        if is_temporary {
            left.push(entry.path().display().to_string());
        } else if entry.file_type().unwrap().is_dir() {
            left.extend(left_behind(&entry.path()));
        }
    }
    left
}

fn killed(whom: Victim) {
    let count = chance::asked().map_or(COUNT, |count| count.div_ceil(2));
    let seed = chance::seed();
    let (mut linked, mut layouts) = (Trials::new("linked", seed), Trials::new("auto", seed));
    let mut hits: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..count {
        let trials = if number % LINKED == LINKED - 1 { &mut layouts } else { &mut linked };
        *hits.entry(trials.kill(whom)).or_default() += 1;
    }
    println!("{count} kills of {whom:?}: {hits:?}");
    if count >= MANY {
        assert!(whom.stages().iter().all(|stage| hits.contains_key(stage)), "{hits:?}");
    }
}

#[test]
fn a_run_that_is_killed_at_any_time_leaves_what_was_promised() {
    killed(Victim::Run);
}

#[test]
fn a_process_that_is_killed_at_any_time_is_an_error_or_makes_no_difference() {
    killed(Victim::Process);
}
