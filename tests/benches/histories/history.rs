//! The commits of a repository that is only read.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::{git, said};

/// A repository.
pub(crate) struct History {
    /// Its folder of objects: `.git`, or that of a bare clone.
    folder: PathBuf,
    name: String,
}

/// A commit: its short hash and its subject.
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) subject: String,
}

impl History {
    pub(crate) fn open(repository: &Path) -> Result<Self, Box<dyn Error>> {
        let folder = git(repository, ["rev-parse", "--absolute-git-dir"])?;
        let name = repository.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { folder: folder.trim().into(), name })
    }

    /// The name of the folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The newest commits that changed sources or the manifest, the oldest of them first. Of a merge, only its
    /// result counts.
    pub(crate) fn newest(&self, count: usize) -> Result<Vec<Commit>, Box<dyn Error>> {
        let count = format!("--max-count={count}");
        let log = git(
            &self.folder,
            [
                "log",
                "--first-parent",
                &count,
                "--format=%h %s",
                "HEAD",
                "--",
                "src",
                "build.rs",
                "Cargo.toml",
            ],
        )?;
        let commit = |line: &str| {
            let (id, subject) = line.split_once(' ').unwrap_or((line, ""));
            Commit { id: id.to_owned(), subject: subject.to_owned() }
        };
        Ok(log.lines().rev().map(commit).collect())
    }

    /// Writes the files of a commit into a folder, which has no others then.
    pub(crate) fn check_out(&self, commit: &Commit, folder: &Path) -> Result<(), Box<dyn Error>> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        // An index of its own, so that the repository stays as it is.
        let index = tempfile::tempdir()?;
        let mut command = Command::new("git");
        command.arg("--git-dir").arg(&self.folder).arg("--work-tree").arg(folder);
        command.args(["checkout", "--quiet", "--force", &commit.id, "--", "."]);
        said(command.env("GIT_INDEX_FILE", index.path().join("index")).current_dir(folder)).map(drop)
    }
}
