//! Errors that only rustc can find must stand on the user's own tokens.
//!
//! A line of `ui/rustc*/*.rs` that ends in `//~ CODE TEXT` has one error, of that code and under that text;
//! the words of rustc are its own and are not compared. Ours are, where a value is refused while it is
//! compiled (E0080): they stand behind the text, and rustc adds no note.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::checked::{cases, check, stem};

/// The name of a case, a line, the code of an error or `-`, and what is underlined.
type Place = (String, u64, String, String);

#[test]
fn with_every_feature() {
    assert_errors("rustc", r#"["tokio"]"#);
}

#[test]
fn with_default_features() {
    assert_errors("rustc_default_features", "[]");
}

/// Checks the cases of a directory with these features of the harness.
fn assert_errors(dir: &str, features: &str) {
    let cases = cases(dir);
    let expected: BTreeSet<Place> = cases.iter().flat_map(|case| expected(case)).collect();
    let reported = reported(&check(dir, features, &cases));
    assert!(!expected.is_empty());
    assert_eq!(reported, expected, "reported on the left, expected on the right");
}

fn expected(case: &Path) -> Vec<Place> {
    let source = fs::read_to_string(case).unwrap();
    let lines = source.lines().zip(1..);
    lines
        .filter_map(|(line, number)| {
            let (code, text) = line.split_once("//~ ")?.1.split_once(' ')?;
            Some((stem(case), number, code.to_owned(), text.to_owned()))
        })
        .collect()
}

fn reported(messages: &[Value]) -> BTreeSet<Place> {
    let note = messages.iter().find(|message| message["message"]["level"] == "note");
    assert!(note.is_none(), "{note:?}");
    let errors = messages.iter().filter(|message| message["message"]["level"] == "error");
    let places = errors.flat_map(|error| {
        let name = error["target"]["name"].as_str().unwrap();
        let code = error["message"]["code"]["code"].as_str().unwrap_or("-");
        let spans = error["message"]["spans"].as_array().unwrap();
        let primary = spans.iter().filter(|span| span["is_primary"] == true);
        let rendered = error["message"]["rendered"].as_str().unwrap();
        assert!(!rendered.contains("try_into"), "no conversion would help: {rendered}");
        let words = match (code, error["message"]["message"].as_str().unwrap().split_once('`')) {
            ("E0080", Some((_, ours))) => format!(" `{ours}"),
            _ => String::new(),
        };
        primary.map(move |span| {
            let text = underlined(span) + &words;
            (name.to_owned(), span["line_start"].as_u64().unwrap(), code.to_owned(), text)
        })
    });
    places.collect()
}

fn underlined(span: &Value) -> String {
    let line = &span["text"][0];
    let column = |key: &str| usize::try_from(line[key].as_u64().unwrap()).unwrap() - 1;
    let text: Vec<char> = line["text"].as_str().unwrap().chars().collect();
    text[column("highlight_start")..column("highlight_end")].iter().collect()
}
