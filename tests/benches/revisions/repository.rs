//! A git repository with a package, of which the last two commits are compared.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::count::records;
use crate::git::git;
use crate::source::Source;
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

    /// Commits these revisions, one after the other.
    pub(crate) fn commit(&self, revisions: &[Source]) -> Result<(), Box<dyn Error>> {
        for revision in revisions {
            for (path, text) in revision.files() {
                fs::write(self.folder.join(path), text)?;
            }
            // It leaves out of the lock file what the package does not need.
            user_cargo::cargo(&self.folder, "metadata --format-version 1")?;
            git(&self.folder, ["add", "--all"])?;
            git(&self.folder, ["commit", "--quiet", "--allow-empty", "--message", "revision"])?;
        }
        Ok(())
    }

    /// The command that compares the last two commits, each of which is compiled.
    pub(crate) fn built(&self) -> Result<Command, Box<dyn Error>> {
        // One function is enough to have all compiled.
        records(&mut self.against("--no-proof --exact sum"))?;
        Ok(self.against("--no-proof"))
    }

    /// The command that compares the last two commits, with these flags.
    pub(crate) fn against(&self, flags: &str) -> Command {
        let arguments = format!("bench --quiet -- --against HEAD~1 --format json {flags}");
        user_cargo::command(&self.folder, &arguments)
    }
}
