//! Benches of Criterion and divan that people have written, run as they are by bench_diff: how many benchmarks
//! each one lists, whether each of them can be called, and, with `--against`, what is proven when every file of
//! the library gets two comment lines. Nothing changes but the dependency in the manifest. Prints markdown
//! tables:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../httparse
//! cargo bench -p bench_diff_tests --bench drop_in -- --repository ../textwrap --package benchmarks --against
//! ```
//!
//! It is left out of a plain `cargo bench`.

#[path = "../command_line.rs"]
mod command_line;
#[path = "../edits/edit.rs"]
#[allow(dead_code, reason = "comments are the only edit here")]
mod edit;
#[path = "../ends.rs"]
mod ends;
#[path = "../git.rs"]
mod git;
mod manifest;
#[path = "../user_cargo.rs"]
mod user_cargo;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::{Command as Process, ExitCode, Output};

use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::Value;

use crate::edit::{Edit, Sources};
use crate::ends::{Ends, Rows};
use crate::git::git;

fn main() -> ExitCode {
    let text = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
    let command = Command::new("drop_in")
        .arg(text("repository", "Repository with benches of Criterion or divan").required(true))
        .arg(text("package", "Folder of the package or workspace in it").default_value("."))
        .arg(text("against", "Also compare with what is committed").action(ArgAction::SetTrue))
        .arg(command_line::dir());
    command_line::main(command, study)
}

fn study(matches: &ArgMatches) -> Result<(), Box<dyn Error>> {
    let text = |name: &str| matches.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let temporary = tempfile::tempdir()?;
    let folder = command_line::folder(matches, &temporary)?;
    fs::create_dir_all(&folder)?;
    let tree = folder.join("tree");
    let repository = absolute(text("repository"))?.display().to_string();
    git(&folder, ["clone", "--quiet", &repository, "tree"])?;
    let package = tree.join(text("package"));
    let benches = benches_of(&package)?;

    println!("| bench | benchmarks | can be called | reason |\n|---|---|---|---|");
    let mut running = Vec::new();
    for bench in &benches {
        let row = bench.tried(&package)?;
        println!("| `{}` | {row} |", bench.file.strip_prefix(&tree).unwrap_or(&bench.file).display());
        running.extend(row.is_whole().then_some(bench));
    }
    println!("\n{} of {} benches run as they are\n", running.len(), benches.len());
    if matches.get_flag("against") {
        git(&tree, ["add", "--all"])?;
        git(&tree, ["commit", "--quiet", "--message", "Run benches by bench_diff"])?;
        let mut rows = Rows::new("bench");
        for bench in running {
            Sources::read(&bench.package.join("src"))?.edited(Edit::Comment).ok_or("no sources")?.write()?;
            match Ends::of(&mut bench.command(&package, "--against HEAD --format json")) {
                Ok(ends) => rows.add(&bench.name, ends),
                Err(error) => rows.add_error(&bench.name, &error.to_string()),
            }
            git(&tree, ["checkout", "--quiet", "."])?;
        }
        println!("{rows}");
    }
    Ok(())
}

/// A bench target for Criterion or divan.
struct Bench {
    name: String,
    file: PathBuf,
    /// The folder of its package.
    package: PathBuf,
    /// The features that it requires.
    features: Vec<String>,
}

/// The benches of all packages, whose manifests name the crates of bench_diff from here on.
fn benches_of(folder: &Path) -> Result<Vec<Bench>, Box<dyn Error>> {
    let metadata: Value =
        serde_json::from_str(&user_cargo::cargo(folder, "metadata --no-deps --format-version 1 --quiet")?)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut benches = Vec::new();
    manifest::swap(&Path::new(&text(&metadata["workspace_root"])).join("Cargo.toml"))?;
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let path = PathBuf::from(text(&package["manifest_path"]));
        manifest::swap(&path)?;
        let targets = package["targets"].as_array().into_iter().flatten();
        for target in targets.filter(|target| target["kind"][0] == "bench") {
            let file = PathBuf::from(text(&target["src_path"]));
            let source = fs::read_to_string(&file)?;
            if source.contains("criterion") || source.contains("divan") {
                let features = target["required-features"].as_array().into_iter().flatten();
                benches.push(Bench {
                    name: text(&target["name"]),
                    file,
                    package: path.with_file_name(""),
                    features: features.map(text).collect(),
                });
            }
        }
    }
    Ok(benches)
}

impl Bench {
    /// Runs it; what is built stays in this folder.
    fn command(&self, folder: &Path, arguments: &str) -> Process {
        let features =
            self.features.iter().fold(String::new(), |all, feature| all + " --features " + feature);
        let line = format!("bench --quiet --bench {}{features} -- {arguments}", self.name);
        let mut command = user_cargo::command(&self.package, &line);
        command.env("CARGO_TARGET_DIR", folder.join("target"));
        command
    }

    /// Lists the benchmarks, and calls each once.
    fn tried(&self, folder: &Path) -> Result<Tried, Box<dyn Error>> {
        let lines = |output: &Output, end: &str| {
            String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.ends_with(end)).count()
        };
        let list = self.command(folder, "--list").output()?;
        if !list.status.success() {
            return Ok(Tried { benchmarks: 0, called: 0, reason: Some(reason(&list)) });
        }
        let test = self.command(folder, "--test").output()?;
        Ok(Tried {
            benchmarks: lines(&list, ": benchmark"),
            called: lines(&test, "... ok"),
            reason: (!test.status.success()).then(|| reason(&test)),
        })
    }
}

/// The first error that cargo or the bench reports.
fn reason(output: &Output) -> String {
    let text =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let error = text.lines().find(|line| line.starts_with("error") || line.contains("FAILED"));
    error.unwrap_or("no reason").replace('|', "\\|")
}

/// The result of listing and calling the benchmarks of a bench.
struct Tried {
    benchmarks: usize,
    called: usize,
    reason: Option<String>,
}

impl Tried {
    fn is_whole(&self) -> bool {
        self.benchmarks > 0 && self.called == self.benchmarks
    }
}

impl std::fmt::Display for Tried {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { benchmarks, called, reason } = self;
        write!(f, "{benchmarks} | {called} | {}", reason.as_deref().unwrap_or_default())
    }
}
