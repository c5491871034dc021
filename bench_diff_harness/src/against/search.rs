//! Commits of a repository, by whatever names them, and what to do where one is missing.

use super::git::Git;
use crate::system::text::counted;

/// Looks up a variable of the environment.
pub(crate) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The data for the search for a revision.
pub(super) struct Search<'a> {
    pub(super) git: &'a Git,
    pub(super) variables: Variables<'a>,
}

/// A commit, and how it was found.
pub(super) type Found = (String, String);

impl Search<'_> {
    /// The commit that git resolves, but for the name of a branch: that branch goes on without this one, and
    /// its later commits are no change of this one.
    pub(super) fn named(&self, name: &str) -> Result<Found, String> {
        let Some(commit) = self.commit(name) else {
            let of_origin = format!("origin/{name}");
            return match self.commit(&of_origin) {
                // A clone has the branches of others under this name.
                Some(_) => self.left(&of_origin),
                None => Err(self.beyond(name).unwrap_or_else(|| {
                    self.missing(&format!("`{name}`"), if name.contains(['~', '^']) { 2 } else { 0 })
                })),
            };
        };
        let full = self.git.ask(&["rev-parse", "--symbolic-full-name", name]).unwrap_or_default();
        let is_branch = full.starts_with("refs/heads/") || full.starts_with("refs/remotes/");
        // They have the name of the branch too.
        let is_here = ["HEAD", "@"].contains(&name);
        if is_branch && !is_here { self.left(name) } else { Ok((commit, name.to_owned())) }
    }

    /// The id of a commit that is here.
    pub(super) fn commit(&self, name: &str) -> Option<String> {
        let query = ["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")];
        self.git.ask(&query).ok().filter(|_| !name.starts_with('-'))
    }

    /// The commit where this branch left another one.
    pub(super) fn left(&self, branch: &str) -> Result<Found, String> {
        let commit = self.merge_base(branch, branch)?;
        let further = self.git.ask(&["rev-list", "--count", &format!("{commit}..{branch}")])?;
        let how = match further.as_str() {
            "0" => format!("the end of {branch}"),
            "1" => format!("where this branch left {branch} ({branch} is 1 commit further)"),
            _ => format!("where this branch left {branch} ({branch} is {further} commits further)"),
        };
        Ok((commit, how))
    }

    /// The last commit that this branch and another one, which is called so, have in common.
    pub(super) fn merge_base(&self, other: &str, called: &str) -> Result<String, String> {
        self.git.ask(&["merge-base", "HEAD", other]).map_err(|_| match self.is_shallow() {
            true => self.missing(&format!("where this branch left {called}"), 0),
            false => format!("this branch and {called} have no commit in common: name a commit"),
        })
    }

    /// The uncommitted changes of the working tree, a line for each file.
    pub(super) fn status(&self) -> Result<String, String> {
        let query = ["status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=none"];
        let mut status = vec![self.git.ask(&query)?];
        status.extend(self.git.passed_over()?.into_iter().map(|path| format!(" M {path}")));
        status.retain(|lines| !lines.is_empty());
        Ok(status.join("\n"))
    }

    /// Says that a name like `HEAD~20` goes back further than a history that is here as a whole.
    fn beyond(&self, name: &str) -> Option<String> {
        let (start, way) = name.split_at(name.find(['~', '^'])?);
        let is_way_back = way.chars().all(|c| "~^".contains(c) || c.is_ascii_digit());
        let commit = self.commit(start).filter(|_| is_way_back && !self.is_shallow())?;
        let count = self.git.ask(&["rev-list", "--count", "--first-parent", &commit]).ok()?.parse().ok()?;
        Some(format!("`{name}` does not exist: the history of {start} has {}", counted(count, "commit")))
    }

    fn is_shallow(&self) -> bool {
        self.git.ask(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said == "true")
    }

    /// Says that something is not here, with the line or the command that gets it: this many commits do, or
    /// all where that is 0.
    pub(super) fn missing(&self, what: &str, depth: u32) -> String {
        if !self.is_shallow() {
            return format!("{what} is not in this repository: `git fetch` gets what others have pushed");
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
