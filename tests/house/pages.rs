//! What the pages say is tested: a test for each promise, and a file and a heading for each link.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{entries, text, workspace};

/// Promises, as their pages word them, each above its test.
const PROMISES: &str = include_str!("promises.txt");

#[test]
fn every_promise_is_tried_by_a_test() {
    let lines: Vec<&str> = PROMISES.lines().map(str::trim).collect();
    let (pairs, rest) = lines.as_chunks();
    assert_eq!((pairs.len(), rest), (14, &[][..]));
    for [promise, test] in pairs {
        let (page, promise) = promise.split_once(": ").expect("a page and its words");
        // A line may end anywhere.
        let words = text(page).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(promise), "{page} does not say: {promise}");
        let (file, name) = test.split_once("::").expect("a file and a name");
        let source = text(file);
        let (before, _) = source.split_once(&format!("fn {name}() {{")).expect(test);
        let above = before.trim_end().lines().rev().map(str::trim);
        let above: Vec<&str> = above.take_while(|line| line.starts_with("#[")).collect();
        assert!(above.contains(&"#[test]"), "{test} is no test: {above:?}");
        assert!(!above.iter().any(|line| line.starts_with("#[ignore")), "{test} is not run: {above:?}");
    }
}

#[test]
fn the_exit_codes_are_the_same_in_every_place() {
    let rows = |path: &str| -> Vec<String> {
        let text = text(path).replace("//! ", "").replace('`', "");
        let is_code =
            |line: &&str| ["| 0 |", "| 101 |", "| 2 |", "| 3 |"].iter().any(|code| line.starts_with(code));
        text.lines().filter(is_code).map(str::to_owned).collect()
    };
    let of_page = rows("docs/ci.md");
    assert_eq!(of_page.len(), 4, "{of_page:?}");
    assert_eq!(of_page, rows("bench_diff_harness/src/lib.rs"));
    let help = text("bench_diff_harness/src/settings/expected/help.txt");
    for row in &of_page {
        let meaning = row.trim_end_matches(" |").split(" | ").nth(1).expect("a code and its meaning");
        assert!(meaning.split("; ").all(|part| help.contains(part)), "the help does not say: {meaning}");
    }
}

/// Links to files of this repository lead to a file, and to one of its headings.
#[test]
fn every_link_of_a_page_leads_somewhere() {
    let mut links = 0;
    for page in
        [".", "docs", "docs/measurements", "examples", "bench_diff_original"].into_iter().flat_map(pages_in)
    {
        let text = fs::read_to_string(&page).expect("a page can be read");
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        for (target, _) in
            targets.filter(|(target, _)| !target.contains("://") && !target.contains(char::is_whitespace))
        {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(path.exists(), "{}: no {target}", page.display());
            let is_there = heading.is_empty() || headings(&path).contains(heading);
            assert!(is_there, "{}: no heading {target}", page.display());
            links += 1;
        }
    }
    assert!(links > 60, "{links}");
}

fn pages_in(folder: &str) -> Vec<PathBuf> {
    let mut paths = entries(&workspace().join(folder));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths
}

/// The anchors that GitHub makes of the headings of a page.
fn headings(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("a page can be read");
    let headings =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}
