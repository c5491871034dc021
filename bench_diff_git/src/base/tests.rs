//! Tests the search for the commit that a change started from, in CI jobs of every kind.

mod texts;

use std::collections::HashMap;
use std::fs;

use crate::fixture::Repository;
use crate::git::Git;
use crate::revision::Revision;

/// A job of a CI service: its clone and its environment variables.
struct Job {
    clone: Repository,
    variables: HashMap<&'static str, String>,
}

impl Job {
    fn new(clone: Repository, variables: &[(&'static str, &str)]) -> Self {
        let variables = variables.iter().map(|&(name, value)| (name, value.to_owned())).collect();
        Self { clone, variables }
    }

    /// A GitHub job for this event.
    fn github(clone: Repository, name: &str, event: &str) -> Self {
        let path = clone.path(".git/event.json");
        fs::write(&path, event).unwrap();
        let path = path.display().to_string();
        Self::new(
            clone,
            &[("GITHUB_ACTIONS", "true"), ("GITHUB_EVENT_NAME", name), ("GITHUB_EVENT_PATH", &path)],
        )
    }

    /// The subject of the commit that the job compares with, and how that commit was found.
    fn base(&self) -> Result<String, String> {
        let variables = |name: &str| self.variables.get(name).cloned();
        let revision = Revision::resolve(&Git::of(&self.clone.top)?, "base", &variables)?;
        Ok(format!("{}: {}", revision.subject, revision.found.unwrap()))
    }
}

/// A pull request as GitHub stores it: two commits that left `main` after its first commit, and a merge made
/// after `main` moved on.
struct Request {
    repository: Repository,
    base: String,
    head: String,
}

impl Request {
    fn new() -> Self {
        let repository = Repository::new();
        repository.git("checkout --quiet -b request");
        repository.commit("own", &[("b", "1\n")]);
        let head = repository.commit("own, again", &[("b", "2\n")]);
        repository.git("checkout --quiet main");
        let base = repository.commit("two", &[("a", "2\n")]);
        repository.git("checkout --quiet --detach");
        repository.git("merge --quiet --no-ff -m merge request");
        repository.git("update-ref refs/pull/1/merge HEAD");
        repository.git("checkout --quiet main");
        Self { repository, base, head }
    }

    /// A clone as actions/checkout makes it for a ref.
    fn checked_out(&self, depth: &str, reference: &str) -> Repository {
        let clone = Repository::empty();
        clone.git("init --quiet -b main");
        // A path with blanks.
        let url = format!("file://{}", self.repository.top.display()).replace(' ', "%20");
        clone.git(&format!("remote add origin {url}"));
        clone.git(&format!("fetch --quiet {depth} origin {reference}"));
        clone.git("checkout --quiet --detach FETCH_HEAD");
        clone
    }

    fn event(&self) -> String {
        let Self { base, head, .. } = self;
        format!(
            r#"{{"number": 1, "before": "x", "pull_request": {{"draft": false, "base": {{"ref": "main", "sha": "{base}"}}, "head": {{"sha": "{head}"}}}}}}"#
        )
    }

    /// The same for a request whose branch is in a fork of the repository.
    fn event_of_fork(&self) -> String {
        let Self { base, head, .. } = self;
        let repository = |owner: &str, fork: bool| {
            format!(r#""repo": {{"full_name": "{owner}/mine", "default_branch": "main", "fork": {fork}}}"#)
        };
        let [of_base, of_head] = [repository("somebody", false), repository("else", true)];
        format!(
            r#"{{"number": 1, "pull_request": {{"draft": false,
                "base": {{"label": "somebody:main", "ref": "main", "sha": "{base}", {of_base}}},
                "head": {{"label": "else:main", "ref": "main", "sha": "{head}", {of_head}}}}}}}"#
        )
    }

    /// A clone of a fork whose `main` is the branch of the request, with the commits of the base.
    fn fork(&self) -> Repository {
        let fork = self.checked_out("", "request");
        fork.git("checkout --quiet -B main");
        fork.git("fetch --quiet origin main");
        fork
    }

    fn job(&self, depth: &str, reference: &str) -> Result<String, String> {
        Job::github(self.checked_out(depth, reference), "pull_request", &self.event()).base()
    }
}

#[test]
fn a_pull_request_is_compared_with_what_it_is_merged_into() {
    let request = Request::new();
    let merge = "refs/pull/1/merge";
    assert_eq!(request.job("--depth 2", merge).unwrap(), "two: what this change is merged into");
    assert_eq!(request.job("", merge).unwrap(), "two: what this change is merged into");
    assert_eq!(
        request.job("--depth 1", merge).unwrap_err(),
        "HEAD^1 is not in this clone, which is shallow: give actions/checkout the line `fetch-depth: 2` below `with:`"
    );
    // The event of a review has the same fields.
    let clone = request.checked_out("--depth 2", merge);
    assert!(Job::github(clone, "pull_request_review", &request.event()).base().is_ok());
}

#[test]
fn a_pull_request_of_a_fork_has_the_base_of_the_repository() {
    let request = Request::new();
    let of = |clone: Repository| Job::github(clone, "pull_request", &request.event_of_fork()).base();
    let merged = request.checked_out("--depth 2", "refs/pull/1/merge");
    assert_eq!(of(merged).unwrap(), "two: what this change is merged into");
    assert_eq!(of(request.fork()).unwrap(), "one: where this pull request left its base");
    // A job that checks out the fork has no other commits of the repository.
    let error = of(request.checked_out("", "request")).unwrap_err();
    assert!(
        error.starts_with(&format!("the base of this pull request, {}, is not in", request.base)),
        "{error}"
    );
}

#[test]
fn without_a_merge_it_is_where_the_request_left_its_base() {
    let request = Request::new();
    let everything = "request +refs/heads/*:refs/remotes/origin/*";
    assert_eq!(request.job("", everything).unwrap(), "one: where this pull request left its base");
    let error = request.job("--depth 1", "request").unwrap_err();
    assert!(
        error.starts_with(&format!("the base of this pull request, {}, is not in", request.base)),
        "{error}"
    );
    assert!(error.contains("fetch-depth: 0"), "{error}");
    // A merge that somebody made inside the request is not GitHub's merge.
    request.repository.git("checkout --quiet request");
    request.repository.git("merge --quiet --no-ff -m inside main");
    let event = Request { head: request.repository.id("HEAD"), ..request };
    assert_eq!(event.job("", everything).unwrap(), "two: where this pull request left its base");
}

#[test]
fn a_job_with_the_rights_of_the_repository_builds_no_change() {
    let request = Request::new();
    let clone = request.checked_out("", "refs/pull/1/merge");
    let mut job = Job::github(clone, "pull_request_target", &request.event());
    let error = job.base().unwrap_err();
    assert!(error.contains("run it on `pull_request`, or name a revision"), "{error}");
    job.variables.insert("GITHUB_EVENT_NAME", "pull_request".to_owned());
    job.variables.remove("GITHUB_EVENT_PATH");
    assert_eq!(job.base().unwrap_err(), "GITHUB_EVENT_PATH is not set");
    fs::write(job.clone.path(".git/event.json"), "{}").unwrap();
    let path = job.clone.path(".git/event.json").display().to_string();
    job.variables.insert("GITHUB_EVENT_PATH", path.clone());
    assert_eq!(job.base().unwrap_err(), format!("{path} has no pull_request.head.sha"));
    fs::write(job.clone.path(".git/event.json"), "{").unwrap();
    assert!(job.base().unwrap_err().starts_with(&format!("cannot read {path}: ")));
}

#[test]
fn a_merge_group_is_compared_with_its_base() {
    let request = Request::new();
    let event = format!(r#"{{"merge_group": {{"base_sha": "{}"}}}}"#, request.base);
    let of = |depth: &str, reference: &str| {
        Job::github(request.checked_out(depth, reference), "merge_group", &event).base()
    };
    assert_eq!(of("--depth 2", "refs/pull/1/merge").unwrap(), "two: the base of this merge group");
    request.repository.git("checkout --quiet -b rebased request");
    request.repository.git("rebase --quiet main");
    assert_eq!(of("", "rebased").unwrap(), "two: the base of this merge group");
    let error = of("--depth 2", "rebased").unwrap_err();
    assert!(
        error.starts_with("the base of this merge group, ") && error.contains("fetch-depth: 0"),
        "{error}"
    );
}

#[test]
fn a_push_is_compared_with_what_was_there_before() {
    let repository = Repository::new();
    let before = repository.id("HEAD");
    repository.commit("two", &[]);
    repository.commit("three", &[]);
    let of = |clone: Repository, before: &str| {
        Job::github(clone, "push", &format!(r#"{{"before": "{before}", "base_ref": null}}"#)).base()
    };
    assert_eq!(of(repository.clone(""), &before).unwrap(), "one: the commit before this push");
    let before_last = "two: the commit before the last, since none before this push is known";
    // The last commit alone may not be the whole push.
    let error = of(repository.clone("--depth 2"), &before).unwrap_err();
    assert!(error.starts_with(&format!("the commit before this push, {before}, is not")), "{error}");
    assert!(error.contains("fetch-depth: 0"), "{error}");
    assert_eq!(of(repository.clone("--depth 2"), &"0".repeat(40)).unwrap(), before_last);
    let branch = repository.clone("");
    branch.git("checkout --quiet -b new HEAD^");
    branch.commit("more", &[]);
    branch.commit("even more", &[]);
    let left = "two: where this branch left origin/main (origin/main is 1 commit further)";
    assert_eq!(of(branch, &"0".repeat(40)).unwrap(), left, "a new branch has no commit before");
    let forced = repository.clone("");
    forced.git("checkout --quiet --orphan other");
    let other = forced.commit("other", &[]);
    forced.git("checkout --quiet main");
    assert_eq!(of(forced, &other).unwrap(), before_last, "the earlier commit is no ancestor");
    assert!(of(repository.clone("--depth 1"), &"0".repeat(40)).unwrap_err().contains("fetch-depth: 2"));

    let of_gitlab = |branch: &str| {
        let clone = repository.clone("");
        clone.git(&format!("checkout --quiet -B {branch}"));
        let variables = [
            ("GITLAB_CI", "true"),
            ("CI_COMMIT_BEFORE_SHA", &*before),
            ("CI_COMMIT_BRANCH", branch),
            ("CI_DEFAULT_BRANCH", "main"),
        ];
        Job::new(clone, &variables).base().unwrap()
    };
    assert_eq!(of_gitlab("main"), "one: the commit before this push");
    assert_eq!(of_gitlab("other"), "three: the end of origin/main");
}

#[test]
fn the_default_branch_is_the_one_that_the_job_names() {
    let repository = Repository::new();
    repository.git("checkout --quiet -b develop");
    repository.commit("two", &[("a", "2\n")]);
    let clone = || {
        let clone = repository.clone("");
        clone.git("remote set-head origin --delete");
        clone.git("checkout --quiet -b mine");
        clone
    };
    assert!(Job::new(clone(), &[]).base().unwrap().starts_with("one: "), "without a name");
    let of_gitlab = Job::new(clone(), &[("GITLAB_CI", "true"), ("CI_DEFAULT_BRANCH", "develop")]);
    let of_github =
        Job::github(clone(), "workflow_dispatch", r#"{"repository": {"default_branch": "develop"}}"#);
    for job in [of_gitlab, of_github] {
        assert_eq!(job.base().unwrap(), "two: the end of origin/develop");
    }
}

#[test]
fn a_merge_request_of_gitlab_is_compared_with_its_base() {
    let request = Request::new();
    let first = request.repository.id("main~1");
    let of = |reference: &str, depth: &str, head: &str| {
        let clone = request.checked_out(depth, reference);
        let variables = [
            ("GITLAB_CI", "true"),
            ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &first),
            ("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", head),
        ];
        Job::new(clone, &variables).base()
    };
    assert_eq!(of("request", "", "").unwrap(), "one: the base of this merge request");
    let merged = of("refs/pull/1/merge", "", &request.head);
    assert_eq!(merged.unwrap(), "two: what this change is merged into");
    assert!(
        of("request", "--depth 1", "").unwrap_err().ends_with("the line `GIT_DEPTH: 0` below `variables:`")
    );
}

#[test]
fn a_shallow_clone_of_any_other_job_is_refused_with_the_line_to_add() {
    let request = Request::new();
    let refusal = |clone: Repository| Job::github(clone, "workflow_dispatch", "{}").base().unwrap_err();
    let line = "which is shallow: give actions/checkout the line `fetch-depth: ";
    assert_eq!(
        refusal(request.repository.clone("--depth 1")),
        format!("HEAD^1 is not in this clone, {line}2` below `with:`")
    );
    assert_eq!(
        refusal(request.checked_out("--depth 1", "request")),
        format!("the default branch is not in this clone, {line}0` below `with:`, or name a revision")
    );
}

#[test]
fn elsewhere_it_is_where_this_branch_left_the_default_branch() {
    let repository = Repository::new();
    repository.commit("two", &[("a", "2\n")]);
    let of = |clone: &Repository| Job::new(clone.clone(""), &[]).base();
    let here = Job::new(repository, &[]);
    assert_eq!(here.base().unwrap(), "one: the commit before the last of main");
    assert_eq!(of(&here.clone).unwrap(), "one: the commit before the last of origin/main");
    // A scheduled job has no change to compare.
    let scheduled = Job::github(here.clone.clone(""), "schedule", "{}");
    assert_eq!(scheduled.base().unwrap(), "one: the commit before the last of origin/main");
    here.clone.write(&[("a", "3\n")]);
    assert_eq!(here.base().unwrap(), "two: the last commit", "the uncommitted edits are the change");
    here.clone.git("checkout --quiet -b mine");
    assert_eq!(here.base().unwrap(), "two: the end of main");
    here.clone.commit("own", &[]);
    assert_eq!(here.base().unwrap(), "two: the end of main");
    here.clone.git("branch --quiet -m main master");
    assert_eq!(here.base().unwrap(), "two: the end of master");
    here.clone.git("checkout --quiet --detach master");
    assert_eq!(here.base().unwrap(), "one: the commit before the last of master", "as CI jobs check it out");
    // With jj, the last commit of git is older than the files.
    here.clone.write(&[(".jj/.gitignore", "*\n"), ("a", "4\n")]);
    assert_eq!(here.base().unwrap(), "two: the last commit");
    here.clone.git("checkout --quiet a");
    here.clone.git("branch --quiet -m master trunk");
    assert!(here.base().unwrap_err().ends_with(", or name a revision"));
}
