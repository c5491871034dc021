//! Resolves the name of a revision to an id before anything else is done, since names move.

use std::fmt;
use std::fs;
use std::path::Path;

use super::base;
use super::git::{Git, GitError};
use super::search::{Search, Variables};

/// A commit to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The full id of the commit.
    pub id: String,
    /// The abbreviated id.
    pub short: String,
    /// The first line of its message.
    pub subject: String,
    /// How it was found, in words.
    pub(super) found: Option<String>,
    /// The id of its tree.
    pub(super) tree: String,
    /// True if the working tree has the same content.
    pub(super) is_same: bool,
}

/// `3f2c9e1 "parser: borrow keys", where this branch left main (main is 4 commits further)`
impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.found.iter().map(|found| format!(", {found}")).collect::<String>();
        write!(f, "{} \"{}\"{found}", self.short, self.subject)
    }
}

impl Revision {
    /// Resolves the name that the user gives.
    ///
    /// # Errors
    ///
    /// If there is no such commit; the text says what to do.
    pub(super) fn resolve(git: &Git, name: &str, variables: Variables<'_>) -> Result<Self, GitError> {
        let search = Search { git, variables };
        let (commit, found) = if name == "base" { base::find(&search)? } else { search.named(name)? };
        let shown = git.ask(&["show", "--no-show-signature", "-s", "--format=%H%n%h%n%T%n%s", &commit])?;
        let mut lines = shown.lines().map(str::to_owned);
        let [id, short, tree, subject] = [(); 4].map(|()| lines.next().unwrap_or_default());
        let is_same = git.ask(&["rev-parse", "HEAD^{tree}"])? == tree && search.status()?.is_empty();
        // An id needs no explanation.
        let found = Some(found).filter(|found| !id.starts_with(found.as_str()));
        Ok(Self { id, short, subject, found, tree, is_same })
    }

    /// The same revision for a binary that was built before: if a file of the working tree is newer, somebody
    /// may have switched to another branch since.
    pub(super) fn built_into(self, git: &Git, program: &Path) -> Result<Self, GitError> {
        // The program may be known by a link of the system, such as `/proc/self/exe`.
        let built = fs::metadata(program).and_then(|file| file.modified()).ok();
        let time = |path: &Path| fs::symlink_metadata(path).and_then(|file| file.modified()).ok();
        let is_older = |file: &String| time(&git.top.join(file)) <= built;
        let is_same = self.is_same && git.paths(&["ls-files", "-z"])?.iter().all(is_older);
        Ok(Self { is_same, ..self })
    }

    /// An error of git about the files of this revision, with the command that fetches them if this may be a
    /// partial clone.
    pub(super) fn maybe_promised(&self, git: &Git, error: String) -> String {
        let promised = git.ask(&["config", "--get-regexp", r"^remote\..*\.promisor$"]).is_ok();
        let lacks = "\nthis clone lacks files of that revision: `git diff --stat HEAD";
        if promised { format!("{error}{lacks} {}` fetches them", self.id) } else { error }
    }

    /// The path of a working-tree file in this revision: the same path, or the path from which git says it
    /// was renamed.
    pub(super) fn path_of(&self, git: &Git, file: &Path) -> Result<Option<String>, GitError> {
        let path = file.strip_prefix(&git.top).ok().and_then(Path::to_str);
        let Some(path) = path.map(|path| path.replace('\\', "/")) else { return Ok(None) };
        if git.ask_for(&["cat-file", "-e", &format!("{}:{path}", self.id)])?.is_some() {
            return Ok(Some(path));
        }
        let renamed = ["diff-index", "--find-renames", "--diff-filter=R", "--name-status", "-z", &self.id];
        let renamed = git.ask(&renamed)?;
        // `R100`, the old path and the new one.
        let mut words = renamed.split_terminator('\0');
        Ok(std::iter::from_fn(|| Some([words.next()?, words.next()?, words.next()?]))
            .find_map(|[_, there, here]| (here == path).then(|| there.to_owned())))
    }
}

#[cfg(test)]
mod tests;
