//! Repositories for tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::files::{canonical, slashed};
use tempfile::TempDir;

use super::without_hooks;

/// A repository in its own folder, with a blank in its path.
pub(crate) struct Repository {
    pub(crate) top: PathBuf,
    _folder: Option<TempDir>,
}

impl Repository {
    /// A repository with one commit.
    pub(crate) fn new() -> Self {
        let this = Self::empty();
        this.git("init --quiet -b main");
        this.commit("one", &[("a", "1\n")]);
        this
    }

    /// An empty folder for a repository.
    pub(crate) fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let top = canonical(folder.path()).unwrap().join("a repository");
        fs::create_dir(&top).unwrap();
        Self { top, _folder: Some(folder) }
    }

    /// A repository that another owner made and removes.
    #[cfg(unix)]
    pub(crate) fn of_another_process(top: PathBuf) -> Self {
        Self { top, _folder: None }
    }

    /// A clone made with these arguments.
    pub(crate) fn clone(&self, arguments: &str) -> Self {
        let clone = Self::empty();
        run(&clone.top, &[&["clone", "--quiet"], &words(arguments)[..], &[&self.url(), "."]].concat());
        clone
    }

    pub(crate) fn url(&self) -> String {
        format!("file:///{}", slashed(&self.top).trim_start_matches('/'))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.top.join(path)
    }

    pub(crate) fn write(&self, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = self.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// Commits these files, and returns the id.
    pub(crate) fn commit(&self, subject: &str, files: &[(&str, &str)]) -> String {
        self.write(files);
        self.git("add --all");
        run(&self.top, &["commit", "--quiet", "--allow-empty", "-m", subject]);
        self.id("HEAD")
    }

    pub(crate) fn git(&self, arguments: &str) -> String {
        run(&self.top, &words(arguments))
    }

    pub(crate) fn id(&self, name: &str) -> String {
        self.git(&format!("rev-parse {name}"))
    }
}

fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    for setting in [
        "user.name=a",
        "user.email=a@b",
        "commit.gpgsign=false",
        "advice.detachedHead=false",
        "protocol.file.allow=always",
    ] {
        git.args(["-c", setting]);
    }
    without_hooks(&mut git);
    let ran = git.args(arguments).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "git {arguments:?} in {}: {stderr}", folder.display());
    String::from_utf8(ran.stdout).unwrap().trim_end().to_owned()
}
