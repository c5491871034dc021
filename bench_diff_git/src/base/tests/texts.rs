//! Tests what a change says of itself.

use super::{Job, Request};
use crate::fixture::Repository;
use crate::git::Git;
use crate::revision::Revision;

impl Job {
    /// The texts since the base: what comes from a commit by its first line.
    fn texts(&self) -> Vec<String> {
        self.texts_since("base")
    }

    fn texts_since(&self, name: &str) -> Vec<String> {
        let variables = |name: &str| self.variables.get(name).cloned();
        let revision = Revision::resolve(&Git::of(&self.clone.top).unwrap(), name, &variables).unwrap();
        let shown = |(by, text): (String, String)| {
            if by == "the description" {
                return format!("{by}: {text}");
            }
            let subject = self.clone.git(&format!("log -1 --format=%s {by}"));
            assert_eq!(text.lines().next(), Some(&*subject));
            subject
        };
        revision.texts.into_iter().map(shown).collect()
    }
}

impl Request {
    /// The texts of a job that checks out this ref, if the description of the request is this JSON.
    fn texts(&self, depth: &str, reference: &str, description: &str) -> Vec<String> {
        let body = format!(r#""draft": false, "body": {description}"#);
        let event = self.event().replace(r#""draft": false"#, &body);
        Job::github(self.checked_out(depth, reference), "pull_request", &event).texts()
    }
}

const MERGE: &str = "refs/pull/1/merge";
const EVERYTHING: &str = "request +refs/heads/*:refs/remotes/origin/*";

#[test]
fn a_pull_request_has_a_description_and_commits() {
    let request = Request::new();
    let description = r#""First.\r\nAllow-Slowdown: b 12%""#;
    let last = ["the description: First.\r\nAllow-Slowdown: b 12%", "merge", "own, again"];
    assert_eq!(request.texts("--depth 2", MERGE, description), last);
    assert_eq!(request.texts("", MERGE, "null"), ["merge", "own, again", "own"]);
    assert_eq!(request.texts("", EVERYTHING, "null"), ["own, again", "own"]);
    let with_body = request.event().replace(r#""draft": false"#, r#""body": "Allow-Slowdown: b 12%""#);
    let alone = Job::github(request.checked_out("--depth 1", MERGE), "pull_request", &with_body);
    assert!(alone.base().is_err(), "a description alone names no base");
}

#[test]
fn what_stands_on_the_side_of_the_base_is_not_the_change_s() {
    let request = Request::new();
    let repository = &request.repository;
    repository.git("checkout --quiet request");
    repository.git("merge --quiet --no-ff -m inside main");
    let head = repository.id("HEAD");
    repository.git("checkout --quiet main");
    for subject in ["three", "four", "five", "six"] {
        repository.commit(subject, &[]);
    }
    let base = repository.id("HEAD");
    repository.git("checkout --quiet --detach");
    repository.git("merge --quiet --no-ff -m again request");
    repository.git("update-ref refs/pull/1/merge HEAD");
    let request = Request { base, head, ..request };
    assert_eq!(request.texts("", MERGE, "null"), ["again", "inside", "own, again", "own"]);
    assert_eq!(request.texts("", EVERYTHING, "null"), ["inside", "own, again", "own"]);
    // This clone doesn't know that `two` is an ancestor of `six`.
    assert_eq!(request.texts("--depth 4", MERGE, "null"), ["again", "inside"]);
}

#[test]
fn a_squashed_commit_speaks_on_the_default_branch() {
    let repository = Repository::new();
    let before = repository.id("HEAD");
    repository.commit("squashed\n\n* own\n\nAllow-Slowdown: b 12%", &[("a", "2\n")]);
    let push = format!(r#"{{"before": "{before}"}}"#);
    assert_eq!(Job::github(repository.clone("--depth 2"), "push", &push).texts(), ["squashed"]);
    let here = Job::new(repository, &[]);
    assert_eq!(here.texts(), ["squashed"]);
    here.clone.write(&[("a", "3\n")]);
    assert_eq!(here.texts(), [""; 0], "the uncommitted edits are the change");
    here.clone.commit("third", &[]);
    assert_eq!(here.texts_since("HEAD~2"), [""; 0], "asked for by another name");
}

#[test]
fn a_merge_group_has_commits_and_a_merge_request_its_own_description() {
    let request = Request::new();
    let event = format!(r#"{{"merge_group": {{"base_sha": "{}"}}}}"#, request.base);
    let group = Job::github(request.checked_out("--depth 2", MERGE), "merge_group", &event);
    assert_eq!(group.texts(), ["merge", "own, again"]);
    let variables = [
        ("GITLAB_CI", "true"),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", &*request.repository.id("main~1")),
        ("CI_MERGE_REQUEST_DESCRIPTION", "Slower."),
    ];
    let job = Job::new(request.checked_out("", "request"), &variables);
    assert_eq!(job.texts(), ["the description: Slower.", "own, again", "own"]);
}
