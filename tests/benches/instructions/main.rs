//! What counts of instructions tell of a change, and what times tell: five functions in two revisions. One
//! misses the cache, one mispredicts branches, and both execute as many instructions as before; one executes
//! more instructions that take no time; one does 5 % more work; one has not changed. Gungraun counts under
//! valgrind, which has to be installed, and this harness measures with `--against`. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench instructions
//! ```
//!
//! The crate is in a temporary folder, or in the one of `--dir`. It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
mod counts;
#[path = "../git.rs"]
mod git;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use clap::{ArgMatches, Command};
use serde_json::Value;

use crate::counts::{CYCLES, Counts, GUNGRAUN, INSTRUCTIONS, read};
use crate::git::git;

const FUNCTIONS: [(&str, &str); 5] = [
    ("misses", "reads a table by columns instead of by rows"),
    ("mispredictions", "reads bytes in random order instead of sorted"),
    ("hidden", "computes beside a chain of divisions"),
    ("work", "5 % more turns of a loop"),
    ("unchanged", "nothing"),
];

fn main() -> ExitCode {
    command_line::main(Command::new("instructions").arg(command_line::dir()), study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let user = UserCrate::new(&command_line::folder(matches, &temporary)?)?;
    user.commit(include_str!("sources/old.rs"))?;
    user.counts("--save-baseline=old")?;
    user.commit(include_str!("sources/new.rs"))?;
    let counts = user.counts("--baseline=old")?;
    let times = user.times()?;

    println!(
        "| the newer function | instructions | estimated cycles | measured | verdict |\n|---|---|---|---|---|"
    );
    for (name, change) in FUNCTIONS {
        let count = |what| counts.get(&(name.to_owned(), what)).map_or("-".to_owned(), |by| percent(*by));
        let (time, verdict) = times.get(name).ok_or_else(|| format!("{name} was not measured"))?;
        println!(
            "| {change} | {} | {} | {} | {verdict} |",
            count(INSTRUCTIONS),
            count(CYCLES),
            percent(*time)
        );
    }
    Ok(())
}

fn percent(ratio: f64) -> String {
    format!("{:+.1} %", 100.0 * (ratio - 1.0))
}

struct UserCrate {
    folder: PathBuf,
    runner: PathBuf,
}

impl UserCrate {
    fn new(parent: &Path) -> Result<Self, Box<dyn Error>> {
        let folder = parent.join("instructions");
        fs::create_dir_all(folder.join("src"))?;
        fs::create_dir_all(folder.join("benches"))?;
        fs::write(folder.join("benches/counts.rs"), include_str!("sources/counts.rs"))?;
        fs::write(folder.join("benches/times.rs"), include_str!("sources/times.rs"))?;
        let harness = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bench_diff_harness");
        let bench = |name: &str| format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n");
        let manifest = format!(
            "[package]\nname = \"instructions\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
             [dev-dependencies]\ngungraun = \"={GUNGRAUN}\"\nbench_diff_harness = {{ path = {harness:?} }}\n{}{}\n[workspace]\n",
            bench("counts"),
            bench("times")
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join(".gitignore"), "bin\ntarget\n")?;
        git(&folder, ["init", "--quiet"])?;
        let runner = folder.join("bin/gungraun-runner");
        if !runner.exists() {
            let package = format!("--version {GUNGRAUN} --root . gungraun-runner");
            user_cargo::cargo(&folder, &format!("install --quiet --locked {package}"))?;
        }
        Ok(Self { folder, runner })
    }

    fn commit(&self, library: &str) -> Result<(), Box<dyn Error>> {
        fs::write(self.folder.join("src/lib.rs"), library)?;
        git(&self.folder, ["add", "--all"])?;
        git(&self.folder, ["commit", "--quiet", "--allow-empty", "--message", "A revision"])?;
        Ok(())
    }

    /// Counts under valgrind.
    fn counts(&self, option: &str) -> Result<Counts, Box<dyn Error>> {
        let line = format!("bench --quiet --bench counts -- {option}");
        let mut cargo = user_cargo::command(&self.folder, &line);
        let output = cargo
            .env("GUNGRAUN_RUNNER", &self.runner)
            .env("NO_COLOR", "1")
            .stderr(Stdio::inherit())
            .output()?;
        if !output.status.success() {
            return Err(format!("cargo {line}: {}", output.status).into());
        }
        Ok(read(&String::from_utf8(output.stdout)?))
    }

    /// The ratio of each function, and the verdict.
    fn times(&self) -> Result<BTreeMap<String, (f64, String)>, Box<dyn Error>> {
        let line = "bench --quiet --bench times -- --against HEAD~1 --format json";
        // It ends with 101, since functions fail.
        let output = user_cargo::command(&self.folder, line).stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8(output.stdout)?;
        let records = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let time = |record: Value| {
            let name = record["name"].as_str()?.to_owned();
            Some((name, (record["ratio"].as_f64()?, record["outcome"].as_str()?.to_owned())))
        };
        Ok(records.filter(|record| record["event"] == "pair").filter_map(time).collect())
    }
}
