//! The pairs that are proven to be the same code, and what the proof takes.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::build::Build;
use crate::count::{median, records};
use crate::ends::{Ends, Rows};
use crate::target_of;

/// The name of the file in the folder of a build that holds what is proven.
const FILE: &str = "same.json";

/// Which pairs of unchanged source are proven to be the same code, in each of these builds, and how long runs
/// of the first one take.
pub(crate) fn study(builds: &[Build], runs: usize) -> Result<(), Box<dyn Error>> {
    let mut rows = Rows::new("build");
    for build in builds {
        rows.add(&build.to_string(), Ends::of(&mut command(&build.make("1000")?, &[]))?);
    }
    println!("{rows}");
    let Some(first) = builds.first() else { return Ok(()) };
    let program = first.make("1000")?;
    println!("| pairs are | runs | seconds of a run | CPU seconds |\n|---|---|---|---|");
    let one_round = ["--layouts", "linked", "--report-only", "--max-rounds", "1"];
    let kinds: [(&str, &[&str]); 3] = [
        ("proven", &[]),
        ("proven by an earlier run", &[]),
        ("measured for one round, as linked", &one_round),
    ];
    for (kind, flags) in kinds {
        let mut times = Vec::new();
        for _ in 0..runs {
            if kind == "proven" {
                forget(&target_of(&program).join("bench_diff/bench_diff_tests/unchanged"))?;
            }
            let (start, before) = (Instant::now(), cpu(&children()?));
            records(&mut command(&program, flags))?;
            times.push((start.elapsed(), cpu(&children()?).saturating_sub(before)));
        }
        let [seconds, cpu] = [|time: &(Duration, _)| time.0, |time: &(_, Duration)| time.1].map(|part| {
            median(&times.iter().map(part).collect::<Vec<_>>()).unwrap_or_default().as_secs_f64()
        });
        println!("| {kind} | {runs} | {seconds:.3} | {cpu:.3} |");
    }
    Ok(())
}

fn command(program: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(["--bench", "--format", "json"]).args(flags).env("CARGO_TARGET_DIR", target_of(program));
    command
}

/// Removes what is proven of the builds of a bench.
fn forget(bench: &Path) -> Result<(), Box<dyn Error>> {
    for build in fs::read_dir(bench)? {
        let file = build?.path().join(FILE);
        if file.exists() {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

/// What the processes have taken that have ended.
fn children() -> Result<Usage, Box<dyn Error>> {
    Ok(getrusage(UsageWho::RUSAGE_CHILDREN)?)
}

fn cpu(usage: &Usage) -> Duration {
    let of = |time: nix::sys::time::TimeVal| {
        Duration::from_micros((time.tv_sec() * 1_000_000 + time.tv_usec()) as u64)
    };
    of(usage.user_time()) + of(usage.system_time())
}
