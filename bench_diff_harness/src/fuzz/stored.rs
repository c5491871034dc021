//! Files of records for `--replay` and `--merge`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::report::{Reports, Subject};
use crate::settings::{Config, Environment, Target, cli};
use crate::store::read_back;
use crate::system::exit::Exit;
use crate::system::temporary::TempFolder;

/// The formats of the report that are tried, for people and for machines.
const FORMATS: [&str; 3] = ["terse", "pretty", "json"];

/// Replays a file.
pub fn replay(bytes: &[u8]) {
    check("--replay", bytes);
}

/// Merges a file with others.
pub fn merge(bytes: &[u8]) {
    check("--merge", bytes);
}

fn check(flag: &str, bytes: &[u8]) {
    let folder = TempFolder::of_run().expect("a folder for a file");
    fs::write(folder.path().join("run.jsonl"), bytes).expect("a file can be written");
    let ends = bytes.windows(13).any(|word| word == b"\"event\":\"run\"");
    for format in FORMATS {
        let (exit, out) = read(flag, &["--format", format], folder.path());
        assert!(exit != Exit::Success || ends, "green of a run that did not end:\n{out}");
    }
}

/// Reads the files in this folder with these flags, and returns the exit code and the output, in which
/// nothing may be obeyed by a terminal or a runner.
pub(crate) fn read(flag: &str, arguments: &[&str], folder: &Path) -> (Exit, String) {
    let line = ["--bench", flag].map(OsString::from).into_iter();
    let line = line.chain([folder.into()]).chain(arguments.iter().map(OsString::from));
    let typed = cli::parse(line).expect("these are flags");
    let config = Config::new(typed, &Environment::default()).expect("they fit each other");
    let joined = read_back(&config, &Target::EXAMPLE).expect("it was asked for");
    let mut out = Vec::new();
    let subject = Subject::new(&Target::EXAMPLE, &config);
    let mut reports = Reports::new(&config, &subject, &mut out, None).expect("its files can be written");
    let exit = joined.emit(&mut reports).max(reports.exit());
    let out = String::from_utf8(out).expect("a report is text");
    let is_safe = |line: &str| !line.chars().any(char::is_control) && !line.trim_start().starts_with("::");
    assert!(without_styles(&out).lines().all(is_safe), "{flag} prints {out:?}");
    (exit, out)
}

/// Removes the styles of a report, but no other escape sequence.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| match part.split_once('m') {
        Some((style, rest)) if style.bytes().all(|byte| byte.is_ascii_digit()) => plain + rest,
        _ => plain + "\u{1b}[" + part,
    })
}
