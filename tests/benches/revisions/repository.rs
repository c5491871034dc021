//! A git repository with a package.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::git;
use crate::user_cargo;

pub(crate) struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// A new one in this folder, where a former one may have left what it has built.
    pub(crate) fn new(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let this = Self { folder: folder.to_owned() };
        for inner in ["src", "benches"] {
            fs::create_dir_all(folder.join(inner))?;
        }
        if folder.join(".git").exists() {
            fs::remove_dir_all(folder.join(".git"))?;
        }
        git(folder, ["init", "--quiet"])?;
        fs::write(folder.join(".gitignore"), "target\n")?;
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("Cargo.lock");
        fs::copy(lock, folder.join("Cargo.lock"))?;
        Ok(this)
    }

    /// Commits these files, by their paths.
    pub(crate) fn commit<'a>(
        &self,
        files: impl IntoIterator<Item = (&'a str, String)>,
    ) -> Result<(), Box<dyn Error>> {
        for (path, text) in files {
            fs::write(self.folder.join(path), text)?;
        }
        // It leaves out of the lock file what the package does not need.
        user_cargo::cargo(&self.folder, "metadata --format-version 1")?;
        git(&self.folder, ["add", "--all"])?;
        git(&self.folder, ["commit", "--quiet", "--allow-empty", "--message", "revision"]).map(drop)
    }

    /// The command that runs the benches with these flags, and prints JSON.
    pub(crate) fn bench(&self, flags: &str) -> Command {
        user_cargo::command(&self.folder, &format!("bench --quiet -- --format json {flags}"))
    }
}
