//! The messages of the attribute to its users: every one of ours, as rustc shows it.

use std::path::Path;
use std::{env, fs};

use serde_json::Value;

use crate::checked::{cases, check, stem};

#[test]
fn each_is_as_its_case_says() {
    let cases = cases("fail");
    let messages = check("fail", r#"["tokio"]"#, &cases);
    for case in &cases {
        let path = case.with_extension("stderr");
        let shown = shown(&messages, &stem(case));
        if env::var_os("UPDATE_EXPECTED").is_some_and(|update| update == "1") {
            fs::write(&path, &shown).unwrap();
        }
        assert_eq!(shown, fs::read_to_string(&path).unwrap(), "of {}", case.display());
    }
}

/// What rustc shows of a case, with paths relative to this package.
fn shown(messages: &[Value], name: &str) -> String {
    let own = messages.iter().filter(|message| message["target"]["name"] == name);
    // The last ones count the others.
    let own =
        own.filter(|message| message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty()));
    let folder = format!("{}/", Path::new(env!("CARGO_MANIFEST_DIR")).display());
    let text = |message: &Value| message["message"]["rendered"].as_str().unwrap().replace(&folder, "");
    own.map(text).collect::<String>().trim_end().to_owned() + "\n"
}
