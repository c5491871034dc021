//! Runs against a revision, killed at any time, or with whatever they have started: git, cargo, a compiler, a
//! linker, a round of either side. One of the functions takes four times as long as before, so that a run
//! which comes to its end fails, and one that does not may be anything but green.
//!
//! `BENCH_DIFF_KILLS=1000` is the long form. Nothing that is checked depends on what a kill hits; what it hit is
//! counted and printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

use crate::chance::{self, Random};
use crate::common::ran::temporary_folder;
use crate::processes::{FOR_EVER, Process, Victim, descendants, wait_for_all};
use crate::repository::{Repository, bench, library};
use crate::user_crate::UserCrate;

/// What is killed, and whether the change brings the bench as well, which is then copied into the old side.
const KINDS: [(Victim, bool); 4] =
    [(Victim::Run, false), (Victim::Process, true), (Victim::Run, true), (Victim::Process, false)];

/// Without `BENCH_DIFF_KILLS`, one kill of each of the first kinds: of this many.
const FEW: usize = 2;

/// One in this many runs has random layouts, which take longer.
const IN_LAYOUTS: usize = 3;

/// This many kills hit every task.
const MANY: usize = 100;

/// What a run has others do, in the order of a run whose old side is not built.
const TASKS: [&str; 7] =
    ["git", "cargo", "asking the compiler", "compiling", "linking", "first start of a layout", "round"];

struct Trials {
    repository: Repository,
    /// How long a run takes that is left alone.
    length: Duration,
    random: Random,
}

/// A run, as cargo started it.
struct Run {
    cargo: Child,
    /// What it writes, and its temporary files.
    folder: TempDir,
}

impl Run {
    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    /// The records of its report, without a last line that is cut short.
    fn records(&self) -> Vec<Value> {
        self.file("out.json").lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The bench itself, and the processes below it in the order of their starts; none before it is there.
    fn processes(&self) -> Option<(Process, Vec<Process>)> {
        let bench = descendants(self.cargo.id()).into_iter().find(Process::is_against)?;
        let below = descendants(u32::try_from(bench.pid).unwrap());
        Some((bench, below))
    }

    fn is_over(&mut self) -> bool {
        self.cargo.try_wait().unwrap().is_some()
    }
}

impl Trials {
    fn new(repository: Repository, seed: u64) -> Self {
        let mut trials = Self { repository, length: FOR_EVER, random: Random(seed) };
        trials.forget_builds();
        let start = Instant::now();
        trials.check_whole(trials.start("linked"));
        trials.length = start.elapsed();
        trials
    }

    fn start(&self, layouts: &str) -> Run {
        let folder = temporary_folder();
        let mut command = Command::new(env!("CARGO"));
        let json = folder.path().join("out.json");
        command.args(["bench", "--bench", "works", "--", "--against", "HEAD", "--json"]).arg(json);
        command.current_dir(self.repository.folder());
        UserCrate::surround(&mut command);
        // Where whatever is left open is an error.
        command.env("CI", "true").env("BENCH_DIFF_LAYOUTS", layouts);
        command.env("TMPDIR", folder.path()).env("TMP", folder.path());
        let said = File::create(folder.path().join("said")).unwrap();
        Run { cargo: command.stdout(Stdio::null()).stderr(said).spawn().unwrap(), folder }
    }

    /// Has the next run check out and build the old side again.
    fn forget_builds(&self) {
        self.repository.old_sides().into_iter().for_each(|folder| fs::remove_dir_all(folder).unwrap());
    }

    /// Kills a run, or one of its processes, and returns what that was doing.
    fn kill(&mut self, whom: Victim, number: usize) -> &'static str {
        let task = number.is_multiple_of(3).then(|| TASKS[number / 3 % TASKS.len()]);
        if task.is_some() || number.is_multiple_of(2) {
            self.forget_builds();
        }
        let mut run = self.start(if number % IN_LAYOUTS == IN_LAYOUTS - 1 { "auto" } else { "linked" });
        let time = Duration::from_micros(self.random.below(self.length.as_micros() as u64));
        let start = Instant::now();
        let mut hit = "it was over";
        while !run.is_over() {
            if let Some((bench, below)) = run.processes() {
                let is_time = match task {
                    Some(task) => below.iter().any(|process| process.what() == task),
                    None => start.elapsed() >= time && (whom == Victim::Run || !below.is_empty()),
                };
                if is_time {
                    hit = below.last().map_or("on its own", Process::what);
                    let victim = if whom == Victim::Run { Some(&bench) } else { below.last() };
                    victim.into_iter().for_each(Process::kill);
                    break;
                }
            }
            thread::sleep(Duration::from_millis(1));
        }
        let status = run.cargo.wait().unwrap();
        wait_for_all(run.folder.path());
        assert_ne!(status.code(), Some(0), "green: killed {whom:?}, {hit}\n{}", run.file("said"));
        let records = run.records();
        let slowed = records.iter().find(|record| record["name"] == "slowed");
        assert!(
            slowed.is_none_or(|record| record["outcome"] != "pass"),
            "killed {whom:?}, {hit}: {slowed:?}"
        );
        self.check_whole(self.start("linked"));
        hit
    }

    /// Checks that the old side has the harness that was compiled for the working tree.
    fn check_harness(&self) {
        let deps = self.repository.old_sides()[0].join("target/release/deps");
        let [old, today] = [harness_in(&deps), harness_in(&UserCrate::target().join("release/deps"))];
        assert!(!old.is_empty() && old.is_subset(&today), "{old:?} is compiled again, {today:?}");
    }

    /// Checks a run that is not killed: it fails for the slower function, and leaves no temporary file.
    fn check_whole(&self, mut run: Run) {
        let before = self.repository.git("status --porcelain");
        run.cargo.wait().unwrap();
        let said = run.file("said");
        let outcomes: BTreeMap<String, String> = run
            .records()
            .iter()
            .filter_map(|record| Some((record["name"].as_str()?.into(), record["outcome"].as_str()?.into())))
            .collect();
        let expected = [("slowed", "fail"), ("steady", "pass")];
        assert_eq!(outcomes, expected.map(|(name, end)| (name.into(), end.into())).into(), "{said}");
        assert_eq!(self.repository.git("status --porcelain"), before);
        assert_eq!(self.repository.git("worktree list").lines().count(), 1);
        for old in self.repository.old_sides() {
            for left in ["target.passing", "modules/index.lock"] {
                assert!(!old.join(left).exists(), "{left} is left");
            }
        }
        assert!(!self.repository.folder().join(".git/index.lock").exists());
    }
}

/// The names of the compiled harness in a folder, with their times.
fn harness_in(deps: &Path) -> BTreeSet<(String, SystemTime)> {
    let files = fs::read_dir(deps).unwrap().map(|file| file.unwrap());
    let named = files
        .map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().modified().unwrap()));
    named.filter(|(name, _)| name.starts_with("libbench_diff_") && name.ends_with(".rlib")).collect()
}

/// What is asked may or may not exist, and a git that was killed has said neither.
#[test]
fn a_git_that_is_killed_gives_no_answer() {
    let Some(asked) = Repository::new("asked") else { return };
    asked.write("src/lib.rs", &library(&[("steady", 1_000)]));
    asked.write("benches/works.rs", &bench("asked", &["steady"]));
    asked.commit("before");
    asked.write("src/lib.rs", &library(&[("steady", 1_001)]));
    let folder = temporary_folder();
    let script = folder.path().join("git");
    let path = std::env::var("PATH").unwrap();
    for question in ["rev-parse --verify", "cat-file -e", "ls-files -z -- *Cargo.toml"] {
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *'{question}'*) kill -9 $$ ;; esac\nPATH='{path}' exec git \"$@\"\n"
        );
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
        let first = format!("{}:{path}", folder.path().display());
        let killed = asked.bench_in("--against HEAD", &[("PATH", &first)]);
        killed.ends_with(3).complains("git was ended by signal: 9 (SIGKILL)");
    }
}

#[test]
fn what_is_killed_at_any_time_is_not_green_and_harms_no_later_run() {
    let (kinds, count) = chance::asked().map_or((FEW, 1), |asked| (KINDS.len(), asked.div_ceil(KINDS.len())));
    let seed = chance::seed();
    for (whom, brings_bench) in &KINDS[..kinds] {
        let name = if *brings_bench { "killed_new" } else { "killed" };
        let Some(killed) = Repository::new(name) else { return };
        let bench = bench(name, &["steady", "slowed"]);
        killed.write("src/lib.rs", &library(&[("steady", 1_000), ("slowed", 1_000)]));
        killed.write("benches/works.rs", if *brings_bench { "fn main() {}\n" } else { &bench });
        killed.commit("before");
        killed.write("src/lib.rs", &library(&[("steady", 1_000), ("slowed", 4_000)]));
        killed.write("benches/works.rs", &bench);
        let mut trials = Trials::new(killed, seed);
        if !brings_bench {
            trials.check_harness();
        }
        let mut hits: BTreeMap<&str, usize> = BTreeMap::new();
        for number in 0..count {
            *hits.entry(trials.kill(*whom, number)).or_default() += 1;
        }
        println!("{count} kills of {whom:?}, its bench new: {brings_bench}: {hits:?}");
        if count >= MANY {
            assert!(TASKS.iter().all(|task| hits.contains_key(task)), "{hits:?}");
        }
    }
}
