//! Benches of Criterion and divan that people have written, run as they are by bench_diff: how many benchmarks
//! each one lists, and whether each of them can be called. Nothing changes but the dependency in the manifest.
//! Prints markdown tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../httparse
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../textwrap --package benchmarks --against
//! ```
//!
//! Then it compares revisions. With `--against`, every file of the library gets two comment lines, and with
//! `--more 20` the bench gets 20 benchmarks as well: what is proven, and with `--flags --no-proof`, what fails.
//! With `--allocates` and `--flags "--against-benches own"`, the bench keeps 64 bytes of the heap beforehand.
//! With `--slow`, a function of the library gets a loop that makes the benchmark `--gains` 5 % slower. With
//! `--commits 20` or `--revisions`, each commit is compared with the one before, and the table says which
//! benches the older one ran, today's or its own:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../ryu --against --flags --no-proof --runs 10
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../ryu --slow write_mantissa_long --gains d2s
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../ryu --commits 20
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../ryu --revisions "1.0.5 1.0.6 1.0.7"
//! ```
//!
//! A revision that cannot be built as it is, or lacks a bench, is made ready with `--prepare`. The study is left
//! out of a plain `cargo bench`.

mod bench;
#[path = "../command_line.rs"]
mod command_line;
mod compared;
mod edit;
mod ends;
#[path = "../git.rs"]
mod git;
mod manifest;
mod more;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::error::Error;
use std::fs;
use std::path::{Path, absolute};
use std::process::{self, ExitCode};

use clap::{Arg, ArgMatches, Command};

use crate::bench::{Bench, benches_of};
use crate::command_line::{flag, number, one};
use crate::compared::{Commit, Compared, newest};
use crate::git::git;

fn main() -> ExitCode {
    let text = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let command = Command::new("drop_in")
        .arg(text("repository", "Repository with benches of Criterion or divan").required(true))
        .arg(one("package", ".", "Folder of the package or workspace in it"))
        .arg(text("only", "One of the benches"))
        .arg(flag("against", "Compare with what is committed"))
        .arg(one("flags", "", "Flags and filters of each comparison").allow_hyphen_values(true))
        .arg(one("runs", "1", "How often each comparison is made"))
        .arg(one("more", "0", "Benchmarks that the bench gets in addition"))
        .arg(flag("allocates", "Let the bench keep 64 bytes of the heap").conflicts_with("more"))
        .arg(text("slow", "The function of the library that becomes slower").requires("gains"))
        .arg(text("gains", "The benchmark that becomes 5 % slower by it"))
        .arg(one("commits", "0", "Compare so many commits that changed sources with the one before each"))
        .arg(text("revisions", "Compare these revisions, each with the one before, with blanks between them"))
        .arg(text("features", "Features of the package, besides those that a bench requires"))
        .arg(text("prepare", "A shell command, run in the folder of the package at each revision"))
        .arg(command_line::dir());
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str);
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    fs::create_dir_all(&folder)?;
    let (tree, target) = (folder.join("tree"), folder.join("target"));
    let repository = absolute(text("repository").unwrap_or_default())?;
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    git(&folder, ["clone", "--quiet", &repository.display().to_string(), "tree"])?;
    let package = tree.join(text("package").unwrap_or_default());
    let commits: usize = number(matches, "commits")?;
    let revisions = match text("revisions") {
        Some(names) => names.split(' ').map(revision).collect(),
        // One more, with which the first of them is compared.
        None if commits > 0 => newest(&package, commits + 1)?,
        None => Vec::new(),
    };
    git(&tree, ["reset", "--quiet", "--hard", revisions.last().map_or("HEAD", |last| &last.id)])?;
    let benches = || -> Result<Vec<Bench>, Box<dyn Error>> {
        if let Some(command) = text("prepare") {
            shell(&package, command)?;
        }
        let mut benches = benches_of(&package, text("features"))?;
        benches.retain(|bench| text("only").is_none_or(|only| only == bench.name));
        Ok(benches)
    };

    println!("| bench | benchmarks | can be called | reason |\n|---|---|---|---|");
    let (mut running, mut all) = (Vec::new(), 0);
    for bench in benches()? {
        let row = bench.tried(&target)?;
        println!("| `{}` | {row} |", bench.file.strip_prefix(&tree).unwrap_or(&bench.file).display());
        all += 1;
        running.extend(row.is_whole().then_some(bench));
    }
    println!("\n{} of {all} benches run as they are\n", running.len());

    let flags = text("flags").unwrap_or_default();
    let mut compared = Compared::new(&tree, &target, flags, number(matches, "runs")?);
    git(&tree, ["add", "--all"])?;
    git(&tree, ["commit", "--quiet", "--message", "Run benches by bench_diff"])?;
    for bench in &running {
        if matches.get_flag("against") {
            compared.with_comments(bench, number(matches, "more")?, matches.get_flag("allocates"))?;
        }
        if let Some((function, gains)) = text("slow").zip(text("gains")) {
            compared.with_slowdown(bench, function, gains)?;
        }
    }
    compared.revisions(&running, &benches, &revisions)?;
    println!("{compared}");
    Ok(())
}

/// Runs this command in a folder.
fn shell(folder: &Path, command: &str) -> Result<(), Box<dyn Error>> {
    let status = process::Command::new("sh").arg("-c").arg(command).current_dir(folder).status()?;
    status.success().then_some(()).ok_or_else(|| format!("--prepare ended with {status}").into())
}

fn revision(name: &str) -> Commit {
    Commit { id: name.to_owned(), subject: String::new() }
}
