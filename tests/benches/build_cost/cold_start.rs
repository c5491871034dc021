//! How long a harness takes to compare two revisions of a crate if its dependencies are downloaded and nothing is
//! built.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::git::git;
use crate::library::Library;
use crate::timed::{Line, Run};
use crate::user_cargo::command;
use crate::user_crate::UserCrate;

/// The arguments of the runs that compare two revisions.
#[derive(Clone, Copy)]
enum Runs {
    /// One run, in the newer revision.
    Both(&'static str),
    /// One in the older revision, then one in the newer.
    Each { older: &'static str, newer: &'static str },
}

/// The libraries that have benchmarks here, and how each compares.
const COMPARED: [(&str, &str, Runs); 4] = [
    ("bench_diff", include_str!("sources/bench_diff.rs"), Runs::Both("--against HEAD~1")),
    ("bench_diff_opt_0", include_str!("sources/bench_diff.rs"), Runs::Both("--against HEAD~1")),
    (
        "criterion",
        include_str!("sources/criterion.rs"),
        Runs::Each { older: "--save-baseline old", newer: "--baseline old" },
    ),
    ("divan", include_str!("sources/divan.rs"), Runs::Each { older: "", newer: "" }),
];

/// Compares with each of these libraries that has benchmarks here.
pub(crate) fn study(folder: &Path, libraries: &[&'static Library]) -> Result<(), Box<dyn Error>> {
    println!("| harness | its build | the crate | the other revision | compiled again | measured | all |");
    println!("|---|---|---|---|---|---|---|");
    for (name, bench, runs) in COMPARED {
        if let Some(library) = libraries.iter().find(|library| library.name == name) {
            let parts = PullRequest::new(folder, library, bench, runs)?.parts()?;
            let seconds = parts.seconds().map(|seconds| format!("{seconds:.1}"));
            println!("| {name} | {} | {:.1} |", seconds.join(" | "), parts.all());
        }
    }
    Ok(())
}

/// A crate in two revisions.
struct PullRequest {
    folder: PathBuf,
    library: &'static Library,
    runs: Runs,
}

/// The seconds that each part takes.
#[derive(Default)]
struct Parts {
    /// The harness, with all that it depends on.
    library: f64,
    /// The crate and its bench.
    bench: f64,
    other_revision: f64,
    /// Both sides, for layouts.
    again: f64,
    measured: f64,
}

impl Parts {
    /// In the order of the table.
    fn seconds(&self) -> [f64; 5] {
        [self.library, self.bench, self.other_revision, self.again, self.measured]
    }

    fn all(&self) -> f64 {
        self.seconds().iter().sum()
    }
}

impl PullRequest {
    /// Writes the crate and commits two revisions.
    fn new(
        parent: &Path,
        library: &'static Library,
        bench: &str,
        runs: Runs,
    ) -> Result<Self, Box<dyn Error>> {
        let UserCrate { folder } = UserCrate::new(parent, library, bench)?;
        fs::write(folder.join(".gitignore"), "target\n")?;
        let this = Self { folder, library, runs };
        git(&this.folder, ["init", "--quiet"])?;
        for turns in ["8_000", "8_800"] {
            let functions = include_str!("sources/library.rs").replace("CHANGED", turns);
            fs::write(this.folder.join("src/lib.rs"), functions)?;
            git(&this.folder, ["add", "--all"])?;
            git(&this.folder, ["commit", "--quiet", "--allow-empty", "--message", turns])?;
        }
        Ok(this)
    }

    /// Compares the revisions, with nothing built.
    fn parts(&self) -> Result<Parts, Box<dyn Error>> {
        let target = self.folder.join("target");
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
        let mut parts = Parts::default();
        match self.runs {
            Runs::Both(arguments) => parts.add_run_of_both(&self.run(arguments)?, self.library)?,
            Runs::Each { older, newer } => {
                git(&self.folder, ["checkout", "--quiet", "HEAD~1"])?;
                let older = self.run(older)?;
                git(&self.folder, ["checkout", "--quiet", "-"])?;
                parts.add_first_of_two(&older, self.library)?;
                parts.add_second_of_two(&self.run(newer)?)?;
            }
        }
        fs::remove_dir_all(&target)?;
        Ok(parts)
    }

    fn run(&self, arguments: &str) -> Result<Run, Box<dyn Error>> {
        let cargo = "bench --offline --message-format json-render-diagnostics --bench functions --";
        Run::of(command(&self.folder, &format!("{cargo} {arguments}")))
    }
}

impl Parts {
    fn add_run_of_both(&mut self, run: &Run, library: &Library) -> Result<(), Box<dyn Error>> {
        let built = self.add_builds(run, library)?;
        let said = |beginning: &str| seconds_said(&run.lines, beginning);
        let [other] = said("built the old bench in ")[..] else {
            return Err("the other revision was not built once".into());
        };
        self.other_revision = other;
        self.again = said("compiled in ").iter().sum();
        self.measured = run.seconds - built - self.other_revision - self.again;
        let is_found = |line: &Line| line.text.contains("7 passed, 1 failed");
        if run.lines.iter().any(is_found) { Ok(()) } else { Err("the slower function was not found".into()) }
    }

    fn add_first_of_two(&mut self, run: &Run, library: &Library) -> Result<(), Box<dyn Error>> {
        self.measured += run.seconds - self.add_builds(run, library)?;
        Ok(())
    }

    fn add_second_of_two(&mut self, run: &Run) -> Result<(), Box<dyn Error>> {
        self.other_revision = built_at(run, "functions")?;
        self.measured += run.seconds - self.other_revision;
        Ok(())
    }

    /// Adds what cargo builds before the bench begins, and returns when it does.
    fn add_builds(&mut self, run: &Run, library: &Library) -> Result<f64, Box<dyn Error>> {
        self.library = built_at(run, library.package)?;
        let built = built_at(run, "functions")?;
        self.bench = built - self.library;
        Ok(built)
    }
}

/// The time at which cargo had built this target.
fn built_at(run: &Run, target: &str) -> Result<f64, Box<dyn Error>> {
    let is_artifact = |line: &&Line| {
        serde_json::from_str::<Value>(&line.text).is_ok_and(|message| message["target"]["name"] == target)
    };
    let text = || run.lines.iter().map(|line| &*line.text).collect::<Vec<_>>().join("\n");
    let line = run.lines.iter().find(is_artifact);
    Ok(line.ok_or_else(|| format!("{target} was not built:\n{}", text()))?.at)
}

/// The seconds in the lines that have this text in front of a number.
fn seconds_said(lines: &[Line], beginning: &str) -> Vec<f64> {
    let rest = lines.iter().filter_map(|line| line.text.split_once(beginning));
    rest.filter_map(|(_, rest)| rest.split(' ').next()?.parse().ok()).collect()
}
