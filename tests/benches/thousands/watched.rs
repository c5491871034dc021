//! A run that is watched from outside: its memory in every round, and its end.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::heard::isolate;

const MOST_MEGABYTES: f64 = 200.0;

/// More than this between two rounds is growth, and no noise of an allocator.
const MOST_GROWTH: f64 = 5.0;

/// Rounds in which as many pairs are open: after the first ones, in which most are decided, and before the
/// last one, in which the rest are.
const EARLY: usize = 12;
const LATE: usize = 38;

/// The rounds before the interrupt.
const INTERRUPTED: usize = 5;

const WITHIN: Duration = Duration::from_secs(1);

pub(super) fn all() -> io::Result<bool> {
    Ok(is_small()? & is_interrupted()?)
}

fn start(folder: &TempDir) -> io::Result<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_load"));
    isolate(&mut command);
    command.args(["--bench", "--format", "terse", "--layouts", "linked"]);
    command.env("TMPDIR", folder.path()).env("CARGO_TARGET_DIR", folder.path());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Tells the number of the round, as far as processes were started for rounds, until that answers.
fn watch(run: &mut Child, mut tell: impl FnMut(usize, &Path) -> bool) -> io::Result<()> {
    let process = Path::new("/proc").join(run.id().to_string());
    let children = process.join("task").join(run.id().to_string()).join("children");
    let (mut round, mut last) = (0, String::new());
    while run.try_wait()?.is_none() {
        let now = fs::read_to_string(&children).unwrap_or_default();
        if !now.trim().is_empty() && now != last {
            round += 1;
            last = now;
        }
        if tell(round, &process) {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// A figure of the memory of a process, in megabytes.
fn memory(process: &Path, figure: &str) -> Option<f64> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(figure))?;
    let kilobytes: f64 = line.trim_start_matches(':').trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

fn is_small() -> io::Result<bool> {
    let folder = TempDir::new()?;
    let mut run = start(&folder)?;
    let (mut most, mut rounds) = (0.0_f64, BTreeMap::<usize, f64>::new());
    watch(&mut run, |round, process| {
        if let (Some(peak), Some(now)) = (memory(process, "VmHWM"), memory(process, "VmRSS")) {
            most = most.max(peak);
            let of_round = rounds.entry(round).or_default();
            *of_round = of_round.max(now);
        }
        false
    })?;
    let status = run.wait()?;
    let at = |round: usize| rounds.get(&round).copied().unwrap_or(f64::NAN);
    let growth = at(LATE) - at(EARLY);
    println!("{status} after {} rounds", rounds.len());
    println!(
        "memory: {most:.0} MB at the most; {:.0} MB in round {EARLY}, {:.0} MB in round {LATE}",
        at(EARLY),
        at(LATE)
    );
    // What it says of its functions is another matter.
    let has_ended = matches!(status.code(), Some(0 | 101));
    let is_small = has_ended && most < MOST_MEGABYTES && growth < MOST_GROWTH;
    println!("{}", if is_small { "small enough" } else { "NOT small enough, or not all rounds were seen" });
    Ok(is_small)
}

fn is_interrupted() -> io::Result<bool> {
    let folder = TempDir::new()?;
    let mut run = start(&folder)?;
    watch(&mut run, |round, _| round >= INTERRUPTED)?;
    let start = Instant::now();
    let pid = i32::try_from(run.id()).map_err(io::Error::other)?;
    kill(Pid::from_raw(pid), Signal::SIGINT)?;
    let status = run.wait()?;
    let time = start.elapsed();
    println!("an interrupt in round {INTERRUPTED}: {status} after {time:.1?}");
    Ok(!status.success() && time < WITHIN)
}
