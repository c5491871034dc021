//! Resolves names of revisions, in repositories of a few commits.

use std::process::Command;
use std::time::{Duration, SystemTime};

use bench_diff_system::executable::Executable;

use super::*;
use crate::fixture::Repository;
use crate::git;

fn nothing(_: &str) -> Option<String> {
    None
}

fn resolve(repository: &Repository, name: &str) -> Result<Revision, String> {
    Ok(Revision::resolve(&Git::of(&repository.top)?, name, &nothing)?)
}

fn line(repository: &Repository, name: &str) -> String {
    let revision = resolve(repository, name).unwrap();
    assert_eq!(revision.id, repository.id(&revision.id));
    assert_eq!(revision.tree, repository.id(&format!("{}^{{tree}}", revision.id)));
    revision.to_string().replace(&revision.short, "ID")
}

/// `main` with three commits, and a branch that left it after the first and has one commit.
fn branched() -> Repository {
    let repository = Repository::new();
    repository.git("tag -a -m first v1");
    repository.commit("two", &[("a", "2\n")]);
    repository.commit("three", &[("a", "3\n")]);
    repository.git("checkout --quiet -b mine HEAD~2");
    repository.commit("own", &[("b", "1\n")]);
    repository
}

#[test]
fn the_name_of_a_branch_means_where_this_one_left_it() {
    let repository = branched();
    assert_eq!(
        line(&repository, "main"),
        "ID \"one\", where this branch left main (main is 2 commits further)"
    );
    assert_eq!(
        line(&repository, "refs/heads/main"),
        "ID \"one\", where this branch left refs/heads/main (refs/heads/main is 2 commits further)"
    );
    // So has a detached HEAD.
    repository.git("checkout --quiet --detach");
    assert_eq!(resolve(&repository, "main").unwrap().subject, "one");
    repository.git("checkout --quiet -b next main");
    repository.commit("own", &[("c", "1\n")]);
    assert_eq!(line(&repository, "main"), "ID \"three\", the end of main");
}

#[test]
fn any_other_name_means_the_commit_that_git_resolves() {
    let repository = branched();
    assert_eq!(line(&repository, "v1"), "ID \"one\", v1");
    assert_eq!(line(&repository, "main~1"), "ID \"two\", main~1");
    assert_eq!(line(&repository, "HEAD^1"), "ID \"one\", HEAD^1");
    assert_eq!(line(&repository, &repository.id("main")), "ID \"three\"");
    assert_eq!(line(&repository, &repository.id("main")[..9]), "ID \"three\"");
}

#[test]
fn an_equal_tree_is_noticed_before_anything_is_built() {
    let repository = branched();
    let is_same = |name: &str| resolve(&repository, name).unwrap().is_same;
    assert!(is_same("HEAD"));
    for (path, text) in [("new", "1\n"), ("b", "2\n")] {
        let before = repository.path(path).exists();
        repository.write(&[(path, text)]);
        assert!(!is_same("HEAD"), "{path}");
        if !before {
            fs::remove_file(repository.path(path)).unwrap();
        }
    }
    repository.git("checkout --quiet b");
    // The tree counts, and not the commit.
    repository.commit("nothing", &[]);
    assert!(is_same("HEAD~1"));
}

#[test]
fn changes_are_noticed_in_files_that_git_is_told_to_skip() {
    let repository = branched();
    let base = || resolve(&repository, "base").unwrap().subject;
    let is_same = || resolve(&repository, "HEAD").unwrap().is_same;
    repository.git("checkout --quiet main");
    for mark in ["assume-unchanged", "skip-worktree"] {
        repository.git(&format!("update-index --{mark} a"));
        assert!(is_same() && base() == "two", "{mark}");
        repository.write(&[("a", "4\n")]);
        assert_eq!(repository.git("status --porcelain"), "", "{mark}");
        assert!(!is_same() && base() == "three", "{mark}");
        repository.write(&[("a", "3\n")]);
        assert!(is_same(), "{mark}");
        repository.git(&format!("update-index --no-{mark} a"));
    }
    // As in a sparse checkout.
    repository.git("update-index --skip-worktree a");
    fs::remove_file(repository.path("a")).unwrap();
    assert!(is_same());
    repository.git("update-index --no-skip-worktree --assume-unchanged a");
    assert!(!is_same(), "removed");
}

#[test]
fn a_branch_that_only_the_other_repository_has_is_found() {
    let clone = branched().clone("--branch mine");
    assert_eq!(
        line(&clone, "main"),
        "ID \"one\", where this branch left origin/main (origin/main is 2 commits further)"
    );
}

#[test]
fn a_branch_that_was_not_updated_is_left_where_the_fetched_one_was() {
    let origin = branched();
    let clone = origin.clone("--branch main");
    clone.git("reset --quiet --hard HEAD~2");
    assert_eq!(line(&clone, "main"), "ID \"one\", the end of main", "nothing is further on the same branch");
    clone.git("checkout --quiet -b next origin/main");
    clone.commit("own", &[("c", "1\n")]);
    assert_eq!(line(&clone, "main"), "ID \"three\", the end of origin/main");
    // This one follows the other branch as well, and is not its copy.
    clone.git("branch --quiet before main");
    clone.git("branch --quiet --set-upstream-to origin/main before");
    assert_eq!(line(&clone, "before"), "ID \"one\", the end of before");
    // Commits that were not pushed are not part of the change.
    clone.git("checkout --quiet -B main origin/main");
    clone.commit("unpushed", &[("d", "1\n")]);
    clone.git("checkout --quiet -b later");
    clone.commit("own", &[("e", "1\n")]);
    assert_eq!(line(&clone, "main"), "ID \"unpushed\", the end of main");
    origin.git("checkout --quiet main");
    origin.commit("four", &[("f", "1\n")]);
    clone.git("fetch --quiet");
    clone.git("merge --quiet --no-edit origin/main");
    assert_eq!(line(&clone, "main"), "ID \"unpushed\", the end of main", "with newer commits of others");
}

#[test]
fn missing_revisions_are_refused_with_a_remedy() {
    let repository = branched();
    let refusal = |name: &str| resolve(&repository, name).unwrap_err();
    let unknown = "is not in this repository: `git branch --all` lists what is here, ";
    let fetch = "`git fetch` gets what others have pushed";
    for name in ["nonsense", "main..mine", "--all", "HEAD:b", "nonsense~9", "v1^{tree}"] {
        assert_eq!(refusal(name), format!("`{name}` {unknown}{fetch}"));
    }
    for (name, start, history) in [
        ("HEAD~2", "HEAD", "2 commits"),
        ("HEAD^^^", "HEAD", "2 commits"),
        ("main~1^9", "main", "3 commits"),
        ("v1~20", "v1", "1 commit"),
    ] {
        let beyond = format!("`{name}` does not exist: the history of {start} has {history}");
        assert_eq!(refusal(name), beyond);
    }
    repository.git("checkout --quiet --orphan other");
    repository.commit("alone", &[]);
    assert_eq!(refusal("main"), "this branch and main have no commit in common: name a commit");

    let outside = tempfile::tempdir().unwrap();
    let error = String::from(Git::of(outside.path()).unwrap_err());
    assert!(
        error.starts_with("git: not a git repository")
            && error.ends_with("\n`--against PATH` takes a folder with another checkout"),
        "{error}"
    );
    let error = String::from(git::run(&mut Command::new("/absent/git")).unwrap_err());
    assert!(error.starts_with("cannot start git: "), "{error}");
}

#[test]
fn a_shallow_clone_is_refused_with_the_line_to_add() {
    let clone = branched().clone("--depth 1 --branch mine --no-single-branch");
    let refusal_of = |clone: &Repository, name: &str, variable: &'static str| {
        let variables = |name: &str| (name == variable).then(|| "true".to_owned());
        String::from(Revision::resolve(&Git::of(&clone.top).unwrap(), name, &variables).unwrap_err())
    };
    let refusal = |name, variable| refusal_of(&clone, name, variable);
    let github = "give actions/checkout the line `fetch-depth: ";
    let next = refusal("HEAD^1", "GITHUB_ACTIONS");
    assert_eq!(next, format!("`HEAD^1` is not in this clone, which is shallow: {github}2` below `with:`"));
    let branch = refusal("main", "GITHUB_ACTIONS");
    assert_eq!(
        branch,
        format!(
            "where this branch left origin/main is not in this clone, which is shallow: {github}0` below `with:`"
        )
    );
    // As actions/checkout does it, without any other branch.
    let alone = refusal_of(&branched().clone("--depth 1 --branch mine"), "main", "GITHUB_ACTIONS");
    assert_eq!(alone, format!("`main` is not in this clone, which is shallow: {github}0` below `with:`"));
    assert!(refusal("v0", "GITLAB_CI").ends_with("give the job the line `GIT_DEPTH: 0` below `variables:`"));
    assert!(refusal("v0", "").ends_with("which is shallow: run `git fetch --unshallow`"));
}

#[test]
fn a_name_like_that_of_a_branch_or_tag_is_taken_for_a_slip() {
    let repository = branched();
    repository.git("tag v1.2.0");
    let meant = |repository: &Repository, name: &str| {
        let refusal = resolve(repository, name).unwrap_err();
        refusal.split_once(" here: did you mean ").unwrap().1.to_owned()
    };
    for (typed, name) in
        [("mian", "main"), ("mne", "mine"), ("v1.20", "v1.2.0"), ("HEAD9", "HEAD"), ("bas", "base")]
    {
        assert_eq!(meant(&repository, typed), format!("`{name}`?"));
    }
    // The two usual names of the default branch are not alike.
    assert_eq!(meant(&repository, "master"), "`main`?");
    repository.git("checkout --quiet main");
    let clone = repository.clone("--branch mine");
    assert_eq!([meant(&clone, "master"), meant(&clone, "man")], ["`origin/main`?", "`main`?"]);
}

#[test]
fn a_repository_without_a_commit_is_refused_with_the_remedy() {
    let repository = Repository::empty();
    repository.git("init --quiet -b main");
    for name in ["HEAD", "main", "base", "nonsense"] {
        assert_eq!(resolve(&repository, name), Err(NOTHING_COMMITTED.to_owned()));
    }
}

#[test]
fn a_tree_that_changed_after_the_build_is_not_the_same() {
    let repository = branched();
    let git = Git::of(&repository.top).unwrap();
    let program = repository.top.join(".git/program");
    fs::write(&program, "").unwrap();
    let is_same_for = |program: &Path| {
        let revision = Revision::resolve(&git, "HEAD", &nothing)?.built_into(&git, program)?;
        Ok::<bool, GitError>(revision.is_same)
    };
    let is_same = || is_same_for(&program);
    assert!(is_same().unwrap());
    let this = Executable::this().unwrap().path;
    assert!(!is_same_for(&this).unwrap(), "the repository is newer than the program of this test");
    let later = SystemTime::now() + Duration::from_secs(2);
    let file = fs::File::options().write(true).open(repository.top.join("a")).unwrap();
    file.set_modified(later).unwrap();
    assert!(!is_same().unwrap(), "a file is newer, though it has the same content");
}
