//! Calls the `git` binary, and changes nothing in the user's repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use bench_diff_system::lifeline;

/// The environment variables that hooks set, and that would make git use another repository or index.
pub const OF_HOOKS: [&str; 7] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// Settings that override the user's. Nothing is fetched, even by a git that does not know
/// `GIT_NO_LAZY_FETCH`, and no hooks run; one of them would run whenever an index is written.
const SETTINGS: [&str; 6] = [
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "submodule.recurse=false",
    // Windows allows 260 characters otherwise, and the target directory comes before the path of a file.
    "core.longPaths=true",
];

/// A repository with a working tree.
#[derive(Clone, Debug)]
pub struct Git {
    /// The folder of the repository, or of its part for this working tree if there are several.
    pub(super) folder: PathBuf,
    /// The root of the working tree.
    pub top: PathBuf,
}

impl Git {
    /// The repository of a folder.
    ///
    /// # Errors
    ///
    /// If there is no repository or no git.
    pub fn of(folder: &Path) -> Result<Self, GitError> {
        if !folder.is_dir() {
            return Err(format!(
                "the folder {} is gone, in which this bench was compiled: run `cargo clean` if it was moved",
                folder.display()
            )
            .into());
        }
        let query = ["rev-parse", "--absolute-git-dir", "--show-toplevel"];
        let found = run(git(folder).args(query)).map_err(|error| String::from(error) + INSTEAD)?;
        // With the separators of the system, since others print such paths too, and texts are compared.
        let mut lines = found.lines().map(|line| Path::new(line).components().collect());
        let [folder, top] = [(); 2].map(|()| lines.next().unwrap_or_default());
        Ok(Self { folder, top })
    }

    /// A git call for this repository and a working tree.
    pub(super) fn call(&self, tree: &Path, arguments: &[&str]) -> Command {
        let mut command = git(tree);
        command.env("GIT_DIR", &self.folder).env("GIT_WORK_TREE", tree).args(arguments);
        command
    }

    /// Asks git about this repository.
    ///
    /// # Errors
    ///
    /// The reason why git does not answer.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, GitError> {
        run(&mut self.call(&self.top, arguments))
    }

    /// Asks git about something that may not exist: `None` if git refuses to answer.
    ///
    /// # Errors
    ///
    /// If git comes to no answer, which says nothing about what exists.
    pub(super) fn ask_for(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        match self.ask(arguments) {
            Err(GitError::Refused { .. }) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// The paths that git prints for a query with `-z`.
    ///
    /// # Errors
    ///
    /// The reason why git does not answer.
    pub fn paths(&self, query: &[&str]) -> Result<Vec<String>, GitError> {
        Ok(self.ask(query)?.split_terminator('\0').map(str::to_owned).collect())
    }

    /// The changed files that git ignores because somebody marked them as `assume-unchanged` or
    /// `skip-worktree`.
    pub(super) fn changed_but_marked(&self) -> Result<Vec<String>, GitError> {
        let listed = self.ask(&["ls-files", "-v", "--stage", "-z"])?;
        let changed = listed.split_terminator('\0').filter_map(|entry| {
            // `h 100644 ID 0<tab>PATH`
            let (stage, path) = entry.split_once('\t')?;
            let mut words = stage.split(' ');
            let (tag, id) = (words.next()?, words.nth(1)?);
            // A sparse checkout marks the files that it leaves out.
            let is_left_out = || tag == "S" && self.top.join(path).symlink_metadata().is_err();
            let is_marked = tag == "S" || tag.starts_with(char::is_lowercase);
            let has_changed = || self.ask(&["hash-object", "--", path]).ok().as_deref() != Some(id);
            (is_marked && !is_left_out() && has_changed()).then(|| path.to_owned())
        });
        Ok(changed.collect())
    }
}

/// Why git does not answer.
#[derive(Debug)]
pub enum GitError {
    /// It refused to answer.
    Refused {
        /// The code with which it ended.
        code: i32,
        /// What it said.
        words: String,
    },
    /// It came to no answer, or the repository lacks a commit, or the job does not name it, as this says.
    Failed(String),
}

impl From<String> for GitError {
    fn from(words: String) -> Self {
        Self::Failed(words)
    }
}

impl From<GitError> for String {
    fn from(error: GitError) -> Self {
        match error {
            GitError::Refused { words, .. } => format!("git: {words}"),
            GitError::Failed(words) => words,
        }
    }
}

const INSTEAD: &str = "\n`--against PATH` takes a folder with another checkout";

/// A git command in this folder, without the variables of hooks.
fn git(folder: &Path) -> Command {
    let mut git = Command::new("git");
    for setting in SETTINGS {
        git.args(["-c", setting]);
    }
    without_hooks(&mut git);
    let variables = [
        ("LC_ALL", "C"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_LFS_SKIP_SMUDGE", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
    ];
    git.current_dir(folder).envs(variables);
    git
}

/// Removes the variables that a hook has set.
pub fn without_hooks(command: &mut Command) {
    for variable in OF_HOOKS {
        command.env_remove(variable);
    }
}

/// The output of a git call, without the end of its last line.
///
/// # Errors
///
/// The reason why git does not answer.
pub(super) fn run(git: &mut Command) -> Result<String, GitError> {
    let ended = lifeline::output(git).map_err(|error| format!("cannot start git: {error}"))?;
    let text = |bytes| String::from_utf8_lossy(bytes).trim_end().to_owned();
    match ended.status.code() {
        Some(0) => Ok(text(&ended.stdout)),
        Some(code) => Err(GitError::Refused {
            code,
            words: text(&ended.stderr).trim_start_matches("fatal: ").to_owned(),
        }),
        None => Err(format!("git was ended by {}", ended.status).into()),
    }
}
