//! Texts of others stay text, and what is told again is the same page.

use std::fs;

use serde_json::Value;

use crate::driver::Browser;
use crate::fixture::{HOSTILE_NAMES, Run, VERDICTS};

#[test]
fn a_hostile_name_is_a_name() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(HOSTILE_NAMES, "");
    browser.open(&run.page(), "");
    assert!(run.records.len() >= 6);
    let names: Vec<String> = serde_json::from_value(
        browser.value("[...document.querySelectorAll('tbody th a')].map((link) => link.textContent)"),
    )
    .unwrap();
    let escaped = |name: &Value| {
        name.as_str().unwrap().chars().fold(String::new(), |text, c| match c {
            '\u{202e}' | '\u{2066}' => format!("{text}\\u{{{:x}}}", u32::from(c)),
            _ => format!("{text}{c}"),
        })
    };
    for record in &run.records {
        assert!(names.contains(&escaped(&record["name"])), "{} in {names:?}", record["name"]);
    }
    assert!(browser.text("document.title").starts_with("bench_diff_tests::hostile_names: 6 passed"));
    assert_eq!(browser.number("document.querySelectorAll('script').length"), 1.0);
    assert_eq!(browser.number("document.querySelectorAll('img, h1 ~ h1, [onclick], [onerror]').length"), 0.0);
    // Each of them can be linked to.
    for (index, name) in names.iter().enumerate() {
        let target = browser.value(&format!(
            "(() => {{ const link = document.querySelectorAll('tbody th a')[{index}]; link.click(); \
             return document.getElementById(decodeURIComponent(link.hash.slice(1))).classList.contains('open'); }})()"
        ));
        assert_eq!(target, true, "{name}");
    }
    assert_eq!(browser.console(), Vec::<Value>::new());
    assert_eq!(browser.requests(), [""; 0]);
}

/// From the table on: what stands above tells of the run as a whole.
fn table(run: &Run, name: &str) -> String {
    let page = fs::read_to_string(run.path(name)).unwrap();
    page.split_once("<table").unwrap().1.to_owned()
}

#[test]
fn a_replay_and_a_merge_make_the_same_page() {
    let run = Run::new(VERDICTS, "");
    let stored = run.path("bench_diff/bench_diff_tests/verdicts");
    for (flag, page) in [("--replay", "replay.html"), ("--merge", "merge.html")] {
        run.tell(VERDICTS, &format!("{flag} {} --html {page}", stored.display()));
        assert_eq!(table(&run, page), table(&run, "page.html"), "{flag}");
    }
}
