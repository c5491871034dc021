//! Calls the `git` binary, and changes nothing in the user's repository.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::system::lifeline;

/// The environment variables that hooks set, and that would make git use another repository or index.
pub(super) const OF_HOOKS: [&str; 7] = [
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
const SETTINGS: [&str; 5] = [
    "protocol.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.splitIndex=false",
    "submodule.recurse=false",
];

/// A repository with a working tree.
#[derive(Clone, Debug)]
pub(super) struct Git {
    /// The folder of the repository, or of its part for this working tree if there are several.
    pub(super) folder: PathBuf,
    /// The root of the working tree.
    pub(super) top: PathBuf,
}

impl Git {
    /// The repository of a folder.
    ///
    /// # Errors
    ///
    /// If there is no repository or no git; the text is for the user.
    pub(super) fn of(folder: &Path) -> Result<Self, String> {
        if !folder.is_dir() {
            return Err(format!("the folder {} is gone, in which this bench was compiled", folder.display()));
        }
        let query = ["rev-parse", "--absolute-git-dir", "--show-toplevel"];
        let found = run(git(folder).args(query)).map_err(|error| {
            let is_no_repository = error.contains("not a git repository");
            let here = folder.display();
            if is_no_repository { format!("{here} is not in a git repository{INSTEAD}") } else { error }
        })?;
        let (folder, top) = found.split_once('\n').ok_or("git reports no working tree")?;
        Ok(Self { folder: folder.into(), top: top.into() })
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
    /// The error message of git.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<String, String> {
        run(&mut self.call(&self.top, arguments))
    }

    /// The changed files that git ignores because somebody marked them as `assume-unchanged` or
    /// `skip-worktree`.
    pub(super) fn changed_but_marked(&self) -> Result<Vec<String>, String> {
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

const INSTEAD: &str = ": `--against PATH` takes a folder with another checkout";

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
pub(super) fn without_hooks(command: &mut Command) {
    for variable in OF_HOOKS {
        command.env_remove(variable);
    }
}

/// The output of a git call, without the end of its last line.
///
/// # Errors
///
/// The error message of git.
pub(super) fn run(git: &mut Command) -> Result<String, String> {
    lifeline::tie(git.stdin(Stdio::null()));
    let ended = git.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("there is no `git` in PATH{INSTEAD}"),
        _ => format!("cannot start git: {error}"),
    })?;
    let text = |bytes| String::from_utf8_lossy(bytes).trim_end().to_owned();
    match ended.status.success() {
        true => Ok(text(&ended.stdout)),
        false => Err(format!("git: {}", text(&ended.stderr).trim_start_matches("fatal: "))),
    }
}
