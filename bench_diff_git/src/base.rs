//! Finds the commit that a change started from, as the CI service reports it, or else from the default
//! branch; and what the change says of itself.

use std::path::Path;

use bench_diff_system::json;
use miniserde::json::Value;

use super::git::GitError;
use super::revision::{Found, Search};

/// The largest event file in bytes: GitHub sends at most 25 MB.
const LARGEST: u64 = 32 << 20;

/// The revision `base`.
///
/// # Errors
///
/// If something is missing; the text contains the line to add or the command to run.
pub(super) fn find(search: &Search<'_>) -> Result<Found, GitError> {
    let variable = search.variables;
    let event = variable("GITHUB_EVENT_NAME").unwrap_or_default();
    match event.as_str() {
        "pull_request_target" => Err(GitError::Failed(
            "a `pull_request_target` job has write access and secrets, so it must not build the code of a pull \
             request: run it on `pull_request`, or name a revision"
                .to_owned(),
        )),
        "push" => search.before_push(&search.event("before")?),
        "merge_group" => {
            search.present(&search.event("merge_group.base_sha")?, "the base of this merge group")
        }
        _ if event.starts_with("pull_request") => {
            if let Some(found) = search.merged(&search.event("pull_request.head.sha")?)? {
                return Ok(found);
            }
            let description = "the base of this pull request";
            let (base, _) = search.present(&search.event("pull_request.base.sha")?, description)?;
            Ok((search.merge_base(&base, description)?, "where this pull request left its base".to_owned()))
        }
        _ => {
            let Some(base) = variable("CI_MERGE_REQUEST_DIFF_BASE_SHA") else {
                let is_default = variable("CI_COMMIT_BRANCH") == variable("CI_DEFAULT_BRANCH");
                let before = variable("CI_COMMIT_BEFORE_SHA").filter(|_| is_default);
                return before.map_or_else(|| search.default_branch(), |before| search.before_push(&before));
            };
            // GitLab sets this variable if it merged the request for the job.
            let head = variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA").unwrap_or_default();
            let merged = search.merged(&head)?;
            merged.map_or_else(|| search.present(&base, "the base of this merge request"), Ok)
        }
    }
}

/// What a change since this base says of itself: the description of its pull request, and the messages of its
/// commits that the clone has.
///
/// # Errors
///
/// If git cannot list the commits.
pub(super) fn texts(search: &Search<'_>, base: &str) -> Result<Vec<(String, String)>, GitError> {
    let of_gitlab = || (search.variables)("CI_MERGE_REQUEST_DESCRIPTION");
    let description = search.event("pull_request.body").ok().or_else(of_gitlab);
    let mut texts = Vec::from_iter(description.map(|text| ("the description".to_owned(), text)));
    let range = format!("{base}..HEAD");
    let mut query = vec!["log", "--no-show-signature", "--format=%x00%h%n%B", &range];
    if search.is_shallow() {
        // Further back, commits of the base may look like the change's, since the history breaks off.
        query.extend(["--ignore-missing", "--not", "HEAD^1^@", "HEAD^2^@"]);
    }
    let messages = search.git.ask(&query)?;
    let messages = messages.split('\0').filter_map(|message| message.split_once('\n'));
    texts.extend(messages.map(|(id, text)| (id.to_owned(), text.to_owned())));
    Ok(texts)
}

impl Search<'_> {
    /// A text in GitHub's file about the event that started the job, by the names of the fields that lead to
    /// it.
    fn event(&self, names: &str) -> Result<String, GitError> {
        let unset = || "GITHUB_EVENT_PATH is not set".to_owned();
        let path = (self.variables)("GITHUB_EVENT_PATH").ok_or_else(unset)?;
        let mut value: Value = json::read(Path::new(&path), LARGEST)?;
        for name in names.split('.') {
            value = match value {
                Value::Object(mut fields) => fields.remove(name).unwrap_or(Value::Null),
                _ => Value::Null,
            };
        }
        if let Value::String(text) = value { Ok(text) } else { Err(format!("{path} has no {names}").into()) }
    }

    /// If the working tree is the merge of a change's last commit: the commit that the job merged the change
    /// into. Both sides then contain everything else that is merged there.
    fn merged(&self, head: &str) -> Result<Option<Found>, GitError> {
        // In a shallow clone, only the raw commit still shows its parents.
        let itself = self.git.ask(&["cat-file", "commit", "HEAD"])?;
        let header = itself.lines().take_while(|line| !line.is_empty());
        let parents: Vec<&str> = header.filter_map(|line| line.strip_prefix("parent ")).collect();
        match parents[..] {
            [_, second] if second == head => self.parent("what this change is merged into").map(Some),
            _ => Ok(None),
        }
    }

    fn before_push(&self, before: &str) -> Result<Found, GitError> {
        // For a new branch, the services write zeros.
        let is_known = before.contains(|c| c != '0');
        match self.commit(before)? {
            Some(commit) if self.is_ancestor(&commit, "HEAD")? => {
                Ok((commit, "the commit before this push".to_owned()))
            }
            None if is_known && self.is_shallow() => {
                Err(self.missing(&format!("the commit before this push, {before},"), 0).into())
            }
            _ => match self.name_of_default() {
                Ok(default) if self.has_left(&default)? => self.left(&default),
                _ => self.parent("the commit before the last, since none before this push is known"),
            },
        }
    }

    /// The commit with this id, and its description.
    fn present(&self, id: &str, description: &str) -> Result<Found, GitError> {
        let commit = self.commit(id)?.ok_or_else(|| self.missing(&format!("{description}, {id},"), 0))?;
        Ok((commit, description.to_owned()))
    }

    fn parent(&self, description: &str) -> Result<Found, GitError> {
        let commit = self.commit("HEAD^1")?.ok_or_else(|| self.missing("HEAD^1", 2))?;
        Ok((commit, description.to_owned()))
    }

    /// The commit where this branch left the default branch; on the default branch itself, the last commit
    /// that differs from the working tree.
    fn default_branch(&self) -> Result<Found, GitError> {
        let default = self.name_of_default()?;
        match self.is_on(&default)? {
            false => self.left(&default),
            true if self.status()?.lines().any(|line| !line.starts_with("??")) => {
                Ok(("HEAD".to_owned(), "the last commit".to_owned()))
            }
            true => self.parent(&format!("the commit before the last of {default}")),
        }
    }

    /// Returns whether this is another branch, and the clone shows where it left.
    fn has_left(&self, branch: &str) -> Result<bool, GitError> {
        let left = self.git.ask_for(&["merge-base", "HEAD", branch])?;
        Ok(!self.is_shallow() && left.is_some() && !self.is_on(branch)?)
    }

    fn is_on(&self, branch: &str) -> Result<bool, GitError> {
        Ok(match self.git.ask_for(&["symbolic-ref", "--short", "HEAD"])? {
            Some(here) => branch.trim_start_matches("origin/") == here,
            // CI jobs often check out a commit and no branch.
            None => self.is_ancestor("HEAD", branch)?,
        })
    }

    pub(super) fn name_of_default(&self) -> Result<String, GitError> {
        let of_origin = self.git.ask_for(&["symbolic-ref", "--short", "refs/remotes/origin/HEAD"])?;
        let of_github = || self.event("repository.default_branch").ok();
        let of_job = (self.variables)("CI_DEFAULT_BRANCH").or_else(of_github);
        let names =
            of_job.map_or_else(|| vec!["main".to_owned(), "master".to_owned()], |branch| vec![branch]);
        let known = names.into_iter().flat_map(|name| [format!("origin/{name}"), name]);
        for branch in of_origin.into_iter().chain(known) {
            if self.commit(&branch)?.is_some() {
                return Ok(branch);
            }
        }
        Err((self.missing("the default branch", 0) + ", or name a revision").into())
    }

    fn is_ancestor(&self, commit: &str, of: &str) -> Result<bool, GitError> {
        Ok(self.git.ask_for(&["merge-base", "--is-ancestor", commit, of])?.is_some())
    }
}

#[cfg(test)]
mod tests;
