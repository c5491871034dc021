//! Bench targets for Criterion or divan, as bench_diff runs them.

use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::{manifest, user_cargo};

/// A bench target for Criterion or divan.
pub(crate) struct Bench {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    /// The folder of its package.
    pub(crate) package: PathBuf,
    /// The features that it is built with.
    features: Vec<String>,
}

/// The benches of all packages, with these features besides their own. The manifests name the crates of
/// bench_diff from here on.
pub(crate) fn benches_of(folder: &Path, features: Option<&str>) -> Result<Vec<Bench>, Box<dyn Error>> {
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
                let required = target["required-features"].as_array().into_iter().flatten();
                benches.push(Bench {
                    name: text(&target["name"]),
                    file,
                    package: path.with_file_name(""),
                    features: required.map(text).chain(features.map(str::to_owned)).collect(),
                });
            }
        }
    }
    // Adds the dependencies to the lock file, if there is one.
    user_cargo::cargo(folder, "metadata --format-version 1 --quiet")?;
    Ok(benches)
}

impl Bench {
    /// Runs it; what is built stays in the folder `target`.
    pub(crate) fn command(&self, target: &Path, arguments: &str) -> Command {
        let features =
            self.features.iter().fold(String::new(), |all, feature| all + " --features " + feature);
        let line = format!("bench --quiet --bench {}{features} -- {arguments}", self.name);
        let mut command = user_cargo::command(&self.package, &line);
        command.env("CARGO_TARGET_DIR", target);
        command
    }

    /// Lists the benchmarks, and calls each once.
    pub(crate) fn tried(&self, target: &Path) -> Result<Tried, Box<dyn Error>> {
        let lines = |output: &Output, end: &str| {
            String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.ends_with(end)).count()
        };
        let list = self.command(target, "--list").output()?;
        if !list.status.success() {
            return Ok(Tried { benchmarks: 0, called: 0, reason: Some(reason(&list)) });
        }
        let test = self.command(target, "--test").output()?;
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
pub(crate) struct Tried {
    benchmarks: usize,
    called: usize,
    reason: Option<String>,
}

impl Tried {
    pub(crate) fn is_whole(&self) -> bool {
        self.benchmarks > 0 && self.called == self.benchmarks
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { benchmarks, called, reason } = self;
        write!(f, "{benchmarks} | {called} | {}", reason.as_deref().unwrap_or_default())
    }
}
