//! A git repository with a package, of which the last two commits are compared.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::count::records;
use crate::source::{Build, Source};
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
        this.git("init --quiet")?;
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
            self.git("add --all")?;
            self.git("commit --quiet --allow-empty --message revision")?;
        }
        Ok(())
    }

    /// The command that compares the last two commits, each of which is compiled.
    pub(crate) fn built(&self, build: Build) -> Result<Command, Box<dyn Error>> {
        // One function is enough to have all compiled.
        records(&mut self.against(build, "--no-proof --exact sum"))?;
        Ok(self.against(build, "--no-proof"))
    }

    /// The command that compares the last two commits of this build, with these flags.
    pub(crate) fn against(&self, build: Build, flags: &str) -> Command {
        let arguments = format!("bench --quiet -- --against HEAD~1 --format json {flags}");
        let mut command = user_cargo::command(&self.folder, &arguments);
        command.env("REVISIONS_PADDING", build.padding.to_string()).stderr(Stdio::piped());
        command
    }

    fn git(&self, arguments: &str) -> Result<(), Box<dyn Error>> {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]);
        let status = git.args(arguments.split(' ')).current_dir(&self.folder).status()?;
        if status.success() { Ok(()) } else { Err(format!("git {arguments}: {status}").into()) }
    }
}
