//! The crate of a harness, and its programs: one for each amount of work and of code that is never called.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

use crate::rival::Rival;
use crate::user_cargo::cargo;

/// The judged functions of `kernels/old`: numbers summed, a sieve, two sorts, two hashes, numbers and words
/// read from text.
pub(crate) const FUNCTIONS: [&str; 8] =
    ["sum", "sieve", "sort", "insertion", "fnv", "hash", "parse", "words"];

/// The numbers of the newer side where nothing has changed. The older one always has as many.
pub(crate) const SAME: usize = 1000;

/// The numbers of the newer side with 5 % more input.
pub(crate) const MORE: usize = 1050;

/// The newer side of a comparison.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// The numbers that it works on.
    pub(crate) numbers: usize,
    /// The functions in its program that are never called; the older program has none.
    pub(crate) padding: usize,
}

/// The program in which nothing has changed yet.
const OLDER: Case = Case { numbers: SAME, padding: 0 };

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
        for side in ["old", "new"] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(side);
            manifest.push_str(&format!("bench_diff_kernels_{side} = {{ path = {path:?} }}\n"));
        }
        let newer = [SAME, MORE]
            .into_iter()
            .flat_map(|numbers| (1..=4).map(move |padding| Case { numbers, padding }));
        for case in [OLDER].into_iter().chain(newer) {
            let (name, Case { numbers, padding }) = (case.program(), case);
            manifest.push_str(&format!("\n[[bench]]\nname = \"{name}\"\nharness = false\n"));
            let text = format!(
                "const PADDING: usize = {padding};\nconst NUMBERS: usize = {numbers};\n\n\
                 macro_rules! functions {{\n    ($do:ident) => {{\n        $do! {{ {} }}\n    }};\n}}\n\n{}\n{}",
                FUNCTIONS.join(" "),
                include_str!("sources/prelude.rs"),
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

    /// The program of this case, built unless it has been.
    pub(crate) fn built(&self, case: Case) -> Result<PathBuf, Box<dyn Error>> {
        let name = case.program();
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
        let start = Instant::now();
        let said = self.output(program, arguments)?;
        self.seconds += start.elapsed().as_secs_f64();
        Ok(said)
    }

    fn output(&self, program: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null()).stderr(Stdio::null());
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
        if self.is_short {
            command.env("RIVALS_SHORT", "1");
        }
        Ok(String::from_utf8(command.output()?.stdout)?)
    }

    /// The seconds of all runs since this was asked last.
    pub(crate) fn take_seconds(&mut self) -> f64 {
        std::mem::take(&mut self.seconds)
    }
}

impl Case {
    fn program(self) -> String {
        format!("numbers_{}_padding_{}", self.numbers, self.padding)
    }
}
