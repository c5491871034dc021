//! Resolves the name of a revision to an id before anything else is done, since names move, and says what to
//! do if the commit is missing.

use std::fmt;
use std::fs;
use std::path::Path;

use bench_diff_system::similar::similar;
use bench_diff_system::text::counted;

use super::base;
use super::git::{Git, GitError};

/// A commit to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The full id of the commit.
    pub id: String,
    /// The abbreviated id.
    pub short: String,
    /// The first line of its message.
    pub subject: String,
    /// If it is `base`, what the change says of itself: texts, each behind a name for the place that has it.
    pub texts: Vec<(String, String)>,
    /// How it was found, in words.
    pub(super) found: Option<String>,
    /// The id of its tree.
    pub tree: String,
    /// True if the working tree has the same content.
    pub is_same: bool,
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
    pub fn resolve(git: &Git, name: &str, variables: Variables<'_>) -> Result<Self, GitError> {
        let search = Search { git, variables };
        let head = git.ask_for(&["rev-parse", "--verify", "--quiet", "HEAD^{tree}"])?;
        let head = head.ok_or_else(|| NOTHING_COMMITTED.to_owned())?;
        let (commit, found) = if name == "base" { base::find(&search)? } else { search.named(name)? };
        // `show` would read the tree, which a partial clone may lack.
        let shown = git.ask(&["log", "-1", "--no-show-signature", "--format=%H%n%h%n%T%n%s", &commit])?;
        let mut lines = shown.lines().map(str::to_owned);
        let [id, short, tree, subject] = [(); 4].map(|()| lines.next().unwrap_or_default());
        let is_same = head == tree && search.status()?.is_empty();
        let texts = if name == "base" { base::texts(&search, &id)? } else { Vec::new() };
        // An id needs no explanation.
        let found = Some(found).filter(|found| !id.starts_with(found.as_str()));
        Ok(Self { id, short, subject, texts, found, tree, is_same })
    }

    /// The same revision for a binary that was built before: if a file of the working tree is newer, somebody
    /// may have switched to another branch since.
    ///
    /// # Errors
    ///
    /// If git does not list the files.
    pub fn built_into(self, git: &Git, program: &Path) -> Result<Self, GitError> {
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
    /// was renamed. `None` if the revision lacks it.
    ///
    /// # Errors
    ///
    /// The reason why git does not answer, with the command that fetches what is missing.
    pub fn path_of(&self, git: &Git, file: &Path) -> Result<Option<String>, String> {
        self.found_path(git, file).map_err(|error| self.maybe_promised(git, error.into()))
    }

    fn found_path(&self, git: &Git, file: &Path) -> Result<Option<String>, GitError> {
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
            .find_map(|[_, old, new]| (new == path).then(|| old.to_owned())))
    }
}

const NOTHING_COMMITTED: &str = "nothing is committed yet: `git commit` makes a revision to compare with";

/// Looks up a variable of the environment.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What the search for a revision needs.
pub(super) struct Search<'a> {
    pub(super) git: &'a Git,
    pub(super) variables: Variables<'a>,
}

/// A commit, and a description of how it was found.
pub(super) type Found = (String, String);

impl Search<'_> {
    /// The commit that git resolves. For the name of a branch, it is where this branch left that one, since
    /// later commits there are not part of the change.
    pub(super) fn named(&self, name: &str) -> Result<Found, GitError> {
        let Some(commit) = self.commit(name)? else {
            let of_origin = format!("origin/{name}");
            return match self.commit(&of_origin)? {
                // In a clone, the branches of others have this prefix.
                Some(_) => self.left(&of_origin),
                None => Err(self.beyond(name)?.map_or_else(|| self.unknown(name), Ok)?.into()),
            };
        };
        let full = self.git.ask_for(&["rev-parse", "--symbolic-full-name", name])?.unwrap_or_default();
        let is_branch = full.starts_with("refs/heads/") || full.starts_with("refs/remotes/");
        // These are resolved to the name of the branch as well.
        let is_here = ["HEAD", "@"].contains(&name);
        if !is_branch || is_here {
            return Ok((commit, name.to_owned()));
        }
        self.left(self.fetched(name)?.as_deref().unwrap_or(name))
    }

    /// The remote branch of the same name that this one follows, if the working tree left that one later. For
    /// example, a local `main` lacks what others have pushed since it was last pulled.
    fn fetched(&self, name: &str) -> Result<Option<String>, GitError> {
        let upstream = ["rev-parse", "--abbrev-ref", &format!("{name}@{{upstream}}")];
        let upstream = self.git.ask_for(&upstream)?.filter(|it| it.ends_with(&format!("/{name}")));
        let Some(upstream) = upstream else { return Ok(None) };
        let base = |branch: &str| self.git.ask_for(&["merge-base", "HEAD", branch]);
        let (Some(own), Some(fetched)) = (base(name)?, base(&upstream)?) else { return Ok(None) };
        let is_earlier = self.git.ask_for(&["merge-base", "--is-ancestor", &own, &fetched])?.is_some();
        Ok((is_earlier && own != fetched).then_some(upstream))
    }

    /// The id of a commit, if the repository has it.
    pub(super) fn commit(&self, name: &str) -> Result<Option<String>, GitError> {
        let query = ["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")];
        Ok(self.git.ask_for(&query)?.filter(|_| !name.starts_with('-')))
    }

    /// The commit where this branch left another one.
    pub(super) fn left(&self, branch: &str) -> Result<Found, GitError> {
        let commit = self.merge_base(branch, branch)?;
        let further = self.git.ask(&["rev-list", "--count", &format!("{commit}..{branch}")])?;
        let how = match further.as_str() {
            "0" => format!("the end of {branch}"),
            "1" => format!("where this branch left {branch} ({branch} is 1 commit further)"),
            _ => format!("where this branch left {branch} ({branch} is {further} commits further)"),
        };
        Ok((commit, how))
    }

    /// The last commit that this branch shares with `other`; `description` names that in messages.
    pub(super) fn merge_base(&self, other: &str, description: &str) -> Result<String, GitError> {
        self.git.ask(&["merge-base", "HEAD", other]).map_err(|error| match error {
            GitError::Refused { code: 1, .. } if self.is_shallow() => {
                self.missing(&format!("where this branch left {description}"), 0).into()
            }
            GitError::Refused { code: 1, .. } => {
                format!("this branch and {description} have no commit in common: name a commit").into()
            }
            error => error,
        })
    }

    /// The uncommitted changes of the working tree, a line for each file.
    pub(super) fn status(&self) -> Result<String, GitError> {
        let query = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=none"];
        let mut status = vec![self.git.ask(&query)?];
        status.extend(self.git.changed_but_marked()?.into_iter().map(|path| format!(" M {path}")));
        status.retain(|lines| !lines.is_empty());
        Ok(status.join("\n"))
    }

    /// The message that a name like `HEAD~20` goes back further than the history, if the clone has all of it.
    fn beyond(&self, name: &str) -> Result<Option<String>, GitError> {
        let Some((start, way)) = name.find(['~', '^']).map(|end| name.split_at(end)) else { return Ok(None) };
        if !way.chars().all(|c| "~^".contains(c) || c.is_ascii_digit()) || self.is_shallow() {
            return Ok(None);
        }
        let Some(commit) = self.commit(start)? else { return Ok(None) };
        let count = self.git.ask(&["rev-list", "--count", "--first-parent", &commit])?.parse();
        Ok(count.ok().map(|count| {
            format!("`{name}` does not exist: the history of {start} has {}", counted(count, "commit"))
        }))
    }

    /// The message that a name is no commit, with the name of a branch or tag that is like it.
    fn unknown(&self, name: &str) -> Result<String, GitError> {
        let refs =
            ["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags", "refs/remotes"];
        let refs = self.git.ask(&refs)?;
        let names = refs.lines().map(|name| name.trim_start_matches("origin/"));
        let meant = similar(name, &names.chain(["HEAD", "base"]).collect::<Vec<_>>()).map(str::to_owned);
        let default = || self.name_of_default().ok().filter(|_| ["main", "master"].contains(&name));
        let depth = if name.contains(['~', '^']) { 2 } else { 0 };
        Ok(match meant.or_else(default).filter(|_| !self.is_shallow()) {
            Some(meant) => format!("there is no `{name}` here: did you mean `{meant}`?"),
            None => self.missing(&format!("`{name}`"), depth),
        })
    }

    pub(super) fn is_shallow(&self) -> bool {
        self.git.ask(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|answer| answer == "true")
    }

    /// The message that something is missing, with the line or the command that fetches it: this many
    /// commits, or all of them if the number is 0.
    pub(super) fn missing(&self, what: &str, depth: u32) -> String {
        if !self.is_shallow() {
            let remedy = "`git branch --all` lists what is here, `git fetch` gets what others have pushed";
            return format!("{what} is not in this repository: {remedy}");
        }
        let help = if (self.variables)("GITHUB_ACTIONS").is_some() {
            format!("give actions/checkout the line `fetch-depth: {depth}` below `with:`")
        } else if (self.variables)("GITLAB_CI").is_some() {
            "give the job the line `GIT_DEPTH: 0` below `variables:`".to_owned()
        } else {
            "run `git fetch --unshallow`".to_owned()
        };
        format!("{what} is not in this clone, which is shallow: {help}")
    }
}

#[cfg(test)]
mod tests;
