//! A repository with a crate of somebody else, at a path with blanks.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::common::pages::text;
use crate::common::ran::Ran;
use crate::common::skip::skipped;
use crate::user_crate::{UserCrate, dependency};

pub(crate) struct Repository(UserCrate);

const BENCH: &str = "[[bench]]\nname = \"works\"\nharness = false\n";

impl Repository {
    /// One without a commit; none where there is no git.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let manifest = format!("[dev-dependencies]\n{}\n\n{BENCH}", dependency());
        let this = Self(UserCrate::below("a repository", name, &manifest));
        this.write(".gitignore", "target\n");
        this.lock();
        let _ = fs::remove_dir_all(this.0.folder().join(".git"));
        if this.try_git("init --quiet -b main").is_none() {
            skipped("there is no git");
            return None;
        }
        Some(this)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.0.write(path, text);
    }

    pub(crate) fn read(&self, path: &str) -> String {
        self.0.read(path)
    }

    pub(crate) fn git(&self, arguments: &str) -> String {
        self.try_git(arguments).unwrap_or_else(|| panic!("git {arguments}"))
    }

    fn try_git(&self, arguments: &str) -> Option<String> {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let mut git = Command::new("git");
        let ran = git.args(who).args(arguments.split(' ')).current_dir(self.0.folder()).output();
        let ran = ran.ok().filter(|ran| ran.status.success())?;
        Some(String::from_utf8(ran.stdout).unwrap())
    }

    /// Commits all that is there, with a subject of one word.
    pub(crate) fn commit(&self, subject: &str) {
        self.git("add --all");
        self.git(&format!("commit --quiet -m {subject}"));
    }

    /// Runs its bench with these flags.
    pub(crate) fn bench(&self, flags: &str) -> Ran {
        self.bench_in(flags, &[])
    }

    pub(crate) fn bench_in(&self, flags: &str, environment: &[(&str, &str)]) -> Ran {
        self.0.cargo_in(&format!("bench --bench works -- {flags}"), environment)
    }

    /// The records of a run with these flags, which ends so, and what it says beside them.
    pub(crate) fn records(&self, flags: &str, code: i32) -> (Vec<Value>, String) {
        let ran = self.bench(&format!("{flags} --format json")).ends_with(code);
        let lines = ran.stdout.lines().filter(|line| line.starts_with('{'));
        (lines.map(|line| serde_json::from_str(line).unwrap()).collect(), ran.stderr)
    }

    /// Gives it the lock file of this workspace, without what it does not need.
    pub(crate) fn lock(&self) {
        self.write("Cargo.lock", &text("Cargo.lock"));
        self.0.cargo("metadata --format-version 1").ends_with(0);
    }
}

/// A library whose functions take so many turns.
pub(crate) fn library(functions: &[(&str, u32)]) -> String {
    let turns = "fn turns(count: u64) -> u64 {\n    \
        (0..std::hint::black_box(count)).fold(1, |turned, turn| turned ^ turn.wrapping_mul(turned | 1))\n}\n";
    let of = |(name, count): &(&str, u32)| format!("pub fn {name}() -> u64 {{\n    turns({count})\n}}\n");
    functions.iter().map(of).fold(turns.to_owned(), |library, function| library + &function)
}

/// A bench of these functions of the library.
pub(crate) fn bench(krate: &str, functions: &[&str]) -> String {
    let of = |name: &&str| {
        format!(
            "#[bench_diff_harness::bench_diff(baseline = {krate}::{name})]\n\
             fn {name}() -> u64 {{\n    {krate}::{name}()\n}}\n"
        )
    };
    functions.iter().map(of).collect::<String>() + "bench_diff_harness::main!();\n"
}
