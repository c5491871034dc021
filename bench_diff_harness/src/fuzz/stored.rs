//! Files of records for `--replay` and `--merge`.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::report::{Reports, Subject};
use crate::settings::{Config, Environment, Target, cli};
use crate::store::read_back;
use crate::system::exit::Exit;
use crate::system::temporary::TempFolder;

/// The forms of the report for people that are tried, which are also those for machines.
const FORMATS: [&str; 5] = ["terse", "pretty", "json", "junit", "bencher"];

/// A file that is judged again.
pub fn replay(bytes: &[u8]) {
    check("--replay", bytes);
}

/// A file that is joined with others.
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

/// How a reader of the files in this folder ends that is given these flags, and what it prints: nothing that
/// a terminal or a runner obeys.
pub(crate) fn read(flag: &str, arguments: &[&str], folder: &Path) -> (Exit, String) {
    let line = ["--bench", flag].map(OsString::from).into_iter();
    let line = line.chain([folder.into()]).chain(arguments.iter().map(OsString::from));
    let typed = cli::parse(line).expect("these are flags");
    let config = Config::new(typed, &Environment::default()).expect("they fit each other");
    let joined = read_back(&config, &Target::EXAMPLE).expect("it was asked for");
    let mut out = Vec::new();
    let subject = Subject::new(joined.count(), 0, &Target::EXAMPLE, &config);
    let mut reports = Reports::new(&config, &subject, &mut out, None).expect("its files can be written");
    let exit = joined.emit(&mut reports).max(reports.exit());
    let out = String::from_utf8(out).expect("a report is text");
    let is_safe = |line: &str| !line.chars().any(char::is_control) && !line.trim_start().starts_with("::");
    assert!(without_styles(&out).lines().all(is_safe), "{flag} prints {out:?}");
    (exit, out)
}

/// A text without the styles that a report gives it, and with any other sequence.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| match part.split_once('m') {
        Some((style, rest)) if style.bytes().all(|byte| byte.is_ascii_digit()) => plain + rest,
        _ => plain + "\u{1b}[" + part,
    })
}
