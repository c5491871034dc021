//! The rules of the house that no tool of Rust looks after: which crate may use which, what each file begins
//! with and how long it may be, and that what the pages promise and link to is there.

mod pages;

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that users compile, each with those of ours that it may use.
const CRATES: [(&str, &[&str]); 12] = [
    ("bench_diff_core", &[]),
    ("bench_diff_system", &[]),
    ("bench_diff_binary", &["core", "system"]),
    ("bench_diff_git", &["system"]),
    ("bench_diff_revision", &["git", "system"]),
    ("bench_diff_report", &["core", "system"]),
    ("bench_diff_macros", &[]),
    ("bench_diff_harness", &["core", "system", "binary", "revision", "report", "macros"]),
    ("bench_diff_original", &["core"]),
    ("drop_in/criterion", &["harness"]),
    ("drop_in/divan", &["harness", "divan_macros"]),
    ("drop_in/divan_macros", &[]),
];

/// The crates that are given what they need of the arguments and the environment.
const WITHOUT_ENVIRONMENT: [&str; 4] =
    ["bench_diff_binary", "bench_diff_git", "bench_diff_revision", "bench_diff_report"];

/// The columns that rustfmt keeps code to.
const WIDTH: usize = 110;

/// The lines of a file, without its tests and comments.
const LONGEST: usize = 400;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a file, by its path in the workspace.
fn text(path: &str) -> String {
    fs::read_to_string(workspace().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The sources of a crate, with their paths in the workspace.
fn sources(krate: &str) -> Vec<(String, String)> {
    let folder = workspace();
    let inside = |path: &PathBuf| path.strip_prefix(&folder).expect("it lies there").display().to_string();
    let paths = files(&folder.join(krate).join("src"));
    paths.iter().map(inside).map(|path| (path.clone(), text(&path))).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let files = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let all = entries(folder).into_iter().flat_map(files);
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder can be read");
    entries.map(|entry| entry.expect("an entry can be read").path()).collect()
}

/// The part of a file before its tests.
fn production(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(before, _)| before)
}

/// Whether only tests compile this file.
fn is_of_tests(path: &str) -> bool {
    path.contains("tests/") || path.ends_with("tests.rs") || path.ends_with("fixture.rs")
}

#[test]
fn a_crate_uses_those_below_it() {
    for (krate, allowed) in CRATES {
        let manifest = text(&format!("{krate}/Cargo.toml"));
        let dependencies = manifest.split_once("[dependencies]").map_or("", |(_, rest)| rest);
        for line in dependencies.lines() {
            let used = line.strip_prefix("bench_diff_").and_then(|rest| rest.split(['.', ' ']).next());
            assert!(used.is_none_or(|used| allowed.contains(&used)), "{krate} may not use {line}");
        }
    }
}

#[test]
fn files_say_what_they_are_about_in_few_narrow_lines() {
    for (path, text) in CRATES.into_iter().flat_map(|(krate, _)| sources(krate)) {
        assert!(text.starts_with("//! "), "{path}: what is it about?");
        let lines = production(&text).lines().filter(|line| !line.trim_start().starts_with("//")).count();
        assert!(lines <= LONGEST || is_of_tests(&path), "{path}: {lines} lines are two topics");
        for (number, line) in (1..).zip(text.lines()) {
            // The row of a table has to be one line.
            let is_prose =
                line.trim_start().starts_with("//") && !line.contains("//! |") && !line.contains("/// |");
            let is_too_wide = is_prose && line.chars().count() > WIDTH;
            assert!(!is_too_wide, "{path}:{number}: a comment of more than {WIDTH} columns");
        }
    }
}

#[test]
fn no_crate_below_the_harness_looks_at_its_surroundings() {
    for (path, text) in
        WITHOUT_ENVIRONMENT.into_iter().flat_map(sources).filter(|(path, _)| !is_of_tests(path))
    {
        let asks =
            ["env::var", "env::args", "env::current_dir"].iter().find(|ask| production(&text).contains(*ask));
        assert_eq!(asks, None, "{path}: the harness hands in what is needed");
    }
}

/// The loop of a clock is compiled where it becomes a `dyn SlotClock`, and a user may have the harness compiled
/// without optimization.
#[test]
fn what_is_timed_is_compiled_in_the_core() {
    for (path, text) in sources("bench_diff_harness").iter().filter(|(path, _)| !is_of_tests(path)) {
        let own =
            ["InstantClock", "CpuClock", "impl Clock"].iter().find(|own| production(text).contains(*own));
        assert_eq!(own, None, "{path}: take it from `SystemClocks`");
    }
}
