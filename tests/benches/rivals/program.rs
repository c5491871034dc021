//! The crate of a harness, and its programs: that of the older revision, and four newer ones.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::rival::Rival;
use crate::user_cargo::cargo;

/// The judged functions of `kernels/new`: numbers summed, a sieve, two sorts, two hashes, numbers and words
/// read from text.
pub(crate) const FUNCTIONS: [&str; 8] =
    ["sum", "sieve", "sort", "insertion", "fnv", "hash", "parse", "words"];

/// The revisions after the older one.
pub(crate) const NEWER: [Revision; 4] = [Revision(1), Revision(2), Revision(3), Revision(4)];

/// The one in which nothing has changed yet.
const OLDER: Revision = Revision(0);

/// A revision, by the amount of code that is never called.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revision(usize);

/// The change of the work of a function since the older revision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Same,
    More,
    Less,
}

impl Revision {
    /// The change of a function: of two of four there is none.
    pub(crate) fn change(self, function: &str) -> Change {
        let place = FUNCTIONS.iter().position(|name| *name == function).unwrap_or_default();
        match (place + self.0) % 4 {
            _ if self == OLDER => Change::Same,
            0 => Change::More,
            1 => Change::Less,
            _ => Change::Same,
        }
    }

    fn program(self) -> String {
        format!("revision_{}", self.0)
    }

    /// The constants of its program.
    fn constants(self) -> String {
        let amounts = FUNCTIONS.map(|name| {
            let numbers = match self.change(name) {
                Change::Same => 1000,
                Change::More => 1050,
                Change::Less => 950,
            };
            format!("    pub const {name}: usize = {numbers};\n")
        });
        format!(
            "const PADDING: usize = {};\n\n/// The numbers that functions work on.\n\
             #[allow(non_upper_case_globals)]\nmod amount {{\n{}}}\n",
            self.0,
            amounts.concat()
        )
    }
}

pub(crate) struct Programs {
    folder: PathBuf,
    pub(crate) is_short: bool,
    prepared: BTreeSet<PathBuf>,
    seconds: f64,
}

impl Programs {
    /// Writes the crate and fetches what it depends on.
    pub(crate) fn new(parent: &Path, rival: &Rival, is_short: bool) -> Result<Self, Box<dyn Error>> {
        let folder = parent.join(rival.name);
        fs::create_dir_all(folder.join("src"))?;
        fs::create_dir_all(folder.join("benches"))?;
        fs::write(folder.join("src/lib.rs"), "")?;
        let mut manifest = format!(
            "[package]\nname = \"user\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nbench = false\n\n\
             [workspace]\n\n[dev-dependencies]\n{}\n",
            rival.dependency()
        );
        let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/new");
        manifest.push_str(&format!("bench_diff_kernels_new = {{ path = {kernels:?} }}\n"));
        for revision in [OLDER].into_iter().chain(NEWER) {
            let name = revision.program();
            manifest.push_str(&format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n"));
            let text = format!(
                "{}\nmacro_rules! functions {{\n    ($do:ident) => {{\n        $do! {{ {} }}\n    }};\n}}\n\n{}\n{}\n{}",
                revision.constants(),
                FUNCTIONS.join(" "),
                include_str!("sources/prelude.rs"),
                include_str!("../padding.rs"),
                rival.source
            );
            fs::write(folder.join("benches").join(name).with_extension("rs"), text)?;
        }
        fs::write(folder.join("Cargo.toml"), manifest)?;
        cargo(&folder, "fetch --quiet")?;
        Ok(Self { folder, is_short, prepared: BTreeSet::new(), seconds: 0.0 })
    }

    /// The program of the older side.
    pub(crate) fn older(&self) -> Result<PathBuf, Box<dyn Error>> {
        self.built(OLDER)
    }

    /// A checkout of the older revision, which has a benchmark of each name.
    pub(crate) fn older_tree(&self) -> Result<PathBuf, Box<dyn Error>> {
        let tree = self.folder.join("older");
        if !tree.exists() {
            fs::create_dir_all(tree.join("src"))?;
            fs::create_dir_all(tree.join("benches"))?;
            for file in ["Cargo.toml", "Cargo.lock", "src/lib.rs"] {
                fs::copy(self.folder.join(file), tree.join(file))?;
            }
            let benches = self.folder.join("benches");
            let older = benches.join(OLDER.program()).with_extension("rs");
            for bench in fs::read_dir(&benches)? {
                fs::copy(&older, tree.join("benches").join(bench?.file_name()))?;
            }
        }
        Ok(tree)
    }

    /// The program of this revision, built unless it has been.
    pub(crate) fn built(&self, revision: Revision) -> Result<PathBuf, Box<dyn Error>> {
        let name = revision.program();
        let line = format!("bench --no-run --offline --quiet --message-format json --bench {name}");
        let said = cargo(&self.folder, &line)?;
        let messages = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages
            .filter(|message| message["target"]["name"] == name.as_str())
            .find_map(|message| message["executable"].as_str().map(PathBuf::from))
            .ok_or_else(|| format!("cargo names no program of {name}").into())
    }

    /// Tells a program these arguments, untimed, unless it has been told anything in this way.
    pub(crate) fn once(&mut self, program: &Path, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
        if self.prepared.insert(program.to_owned()) {
            self.output(program, arguments)?;
        }
        Ok(())
    }

    /// The output of a program for these arguments, timed.
    pub(crate) fn run(&mut self, program: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        Ok(String::from_utf8(self.timed(program, arguments)?.stdout)?)
    }

    fn timed(&mut self, program: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
        let start = Instant::now();
        let output = self.output(program, arguments)?;
        self.seconds += start.elapsed().as_secs_f64();
        Ok(output)
    }

    /// A command that a package installs, in the folder of this crate.
    pub(crate) fn installed(&self, package: &str, version: &str) -> Result<PathBuf, Box<dyn Error>> {
        let command = self.folder.join("bin").join(package);
        if !command.exists() {
            let line = format!("install --quiet --locked --version {version} --root . {package}");
            cargo(&self.folder, &line)?;
        }
        Ok(command)
    }

    /// The messages of a program for these arguments, on its error stream, timed.
    pub(crate) fn messages(&mut self, program: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        Ok(String::from_utf8(self.timed(program, arguments)?.stderr)?)
    }

    fn output(&self, program: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let is_setting = |name: &str| {
                ["CARGO", "BENCH_DIFF_", "CRITERION_", "DIVAN_", "ZENBENCH_"]
                    .iter()
                    .any(|prefix| name.starts_with(prefix))
            };
            if name.to_str().is_some_and(is_setting) {
                command.env_remove(name);
            }
        }
        command.env("CRITERION_HOME", self.folder.join("criterion")).env("NO_COLOR", "1");
        command.env("ZENBENCH_RESULT_PATH", program.with_extension("json"));
        if self.is_short {
            command.env("RIVALS_SHORT", "1");
        }
        Ok(command.output()?)
    }

    /// The seconds of all runs since this was asked last.
    pub(crate) fn take_seconds(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }
}
