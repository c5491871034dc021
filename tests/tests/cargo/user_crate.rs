//! A crate of somebody else, outside the workspace, for the real cargo and the real nextest.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::NamedTempFile;

use crate::common::heard::isolate;
use crate::common::pages::{text, workspace};
use crate::common::ran::{Ran, temporary_folder};
use crate::common::skip::skipped;

/// Has a run judge the program as cargo has linked it, where layouts have no part in what a test proves.
pub(crate) const LINKED: (&str, &str) = ("BENCH_DIFF_LAYOUTS", "linked");

/// The output of git in this folder; none where there is no git, or where it fails.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let mut git = Command::new("git");
    isolate(&mut git);
    let ran = git.args(who).args(arguments).current_dir(folder).output();
    let ran = ran.ok().filter(|ran| ran.status.success())?;
    Some(String::from_utf8(ran.stdout).unwrap())
}

/// Returns whether this machine has cargo-nextest, without which a test is skipped.
///
/// # Panics
///
/// If there is none, and REQUIRE_NEXTEST is 1.
pub(crate) fn has_nextest() -> bool {
    let version = Command::new(env!("CARGO")).args(["nextest", "--version"]).output();
    let is_there = version.is_ok_and(|version| version.status.success());
    if !is_there {
        let is_required = env::var_os("REQUIRE_NEXTEST").is_some_and(|value| value == "1");
        assert!(!is_required, "cargo-nextest is not installed, and REQUIRE_NEXTEST is 1");
        skipped("cargo-nextest is not installed");
    }
    is_there
}

/// The line of a manifest that takes the harness from this workspace. All crates ask for the same features, so
/// the harness is built once for all of them.
pub(crate) fn dependency() -> String {
    let path = workspace().join("bench_diff_harness");
    format!("bench_diff_harness = {{ path = {path:?}, features = [\"tokio\"] }}")
}

pub(crate) struct UserCrate {
    pub(crate) folder: PathBuf,
}

impl UserCrate {
    /// A crate of this name with an empty library, and these sections of its manifest beside `[package]`.
    pub(crate) fn new(name: &str, manifest: &str) -> Self {
        Self::below("", name, manifest)
    }

    /// A new crate below another folder.
    pub(crate) fn below(above: &str, name: &str, manifest: &str) -> Self {
        let package = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n");
        let own_workspace = "\n[workspace]\n\n[lib]\nbench = false\n";
        let this = Self { folder: folder().join(above).join(name) };
        this.write("Cargo.toml", &format!("{package}{manifest}{own_workspace}"));
        this.write("src/lib.rs", "//! A crate of somebody else.\n");
        if !this.folder.join("Cargo.lock").exists() {
            this.write("Cargo.lock", &text("Cargo.lock"));
        }
        this
    }

    /// Leaves a file that already has this text alone, and what was built from it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return;
        }
        let folder = path.parent().unwrap();
        fs::create_dir_all(folder).unwrap();
        // Tests share a crate, and each may read it while another one makes it.
        let mut whole = NamedTempFile::new_in(folder).unwrap();
        whole.write_all(text.as_bytes()).unwrap();
        whole.persist(path).unwrap();
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.join(path)).unwrap()
    }

    /// Gives a command the variables of a cargo of this crate.
    pub(crate) fn surround(command: &mut Command) {
        isolate(command);
        command.env("CARGO_TARGET_DIR", Self::target());
    }

    pub(crate) fn cargo(&self, arguments: &str) -> Ran {
        self.cargo_in(arguments, &[])
    }

    /// The target directory of all crates.
    pub(crate) fn target() -> PathBuf {
        folder().join("target")
    }

    /// Cargo with these arguments and variables. All crates share what is built: all need the harness.
    pub(crate) fn cargo_in(&self, arguments: &str, environment: &[(&str, &str)]) -> Ran {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments.split_whitespace()).current_dir(&self.folder);
        Self::surround(&mut command);
        let temporary = temporary_folder();
        command.env("TMPDIR", temporary.path()).env("TMP", temporary.path());
        command.envs(environment.iter().copied());
        Ran::from(command.output().unwrap())
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("user_crates")
}
