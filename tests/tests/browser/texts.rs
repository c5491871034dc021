//! Texts of others stay text.

use serde_json::Value;

use crate::driver::Browser;
use crate::fixture::{HOSTILE, Run};

#[test]
fn a_hostile_name_is_a_name() {
    let Some(browser) = Browser::new() else { return };
    let run = Run::new(HOSTILE, "named/");
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
    assert!(browser.text("document.title").starts_with("bench_diff_tests::hostile: 6 passed"));
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
