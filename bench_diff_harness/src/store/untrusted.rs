//! Records that somebody wrote who wants something of their reader: what `docs/security.md` says of them.

use std::fs::{self, File};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use serde_json::Value;

use super::fixture::{stored, write};
use super::mutations::places;
use crate::fixture::{entry, equal, panicking, slower};
use crate::fuzz::read;
use crate::system::exit::Exit;

fn run() -> Vec<String> {
    let entries = [entry("a", 1, equal), entry("b", 2, slower).baseline("f"), entry("c", 3, panicking)];
    stored("--seed 8f3a", &entries)
}

/// The run with one value after the other replaced where this says by what.
fn changed(replaced: impl Fn(&Value) -> Option<Value>) -> Vec<Vec<String>> {
    let run = run();
    let mut changed = Vec::new();
    for (number, line) in run.iter().enumerate() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        for place in places(&record) {
            let value = record.pointer_mut(&place).unwrap();
            let Some(new) = replaced(value) else { continue };
            let old = mem::replace(value, new);
            let mut lines = run.clone();
            lines[number] = record.to_string();
            changed.push(lines);
            *record.pointer_mut(&place).unwrap() = old;
        }
    }
    changed
}

/// Reads these records and has every report written; all that came of it.
fn all_reports(lines: &[String], flag: &str) -> (Exit, Vec<(&'static str, String)>) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "run.jsonl", lines);
    let out = tempfile::tempdir().unwrap();
    let names = ["json", "junit", "markdown", "csv", "bencher", "html"];
    let path = |name: &str| out.path().join(name).display().to_string();
    let flags: Vec<String> = names.iter().flat_map(|name| [format!("--{name}"), path(name)]).collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).chain(["-v"]).collect();
    let (exit, said) = read(flag, &flags, folder.path());
    let text = |name: &'static str| (name, fs::read_to_string(out.path().join(name)).unwrap_or_default());
    (exit, names.into_iter().map(text).chain([("output", said)]).collect())
}

#[test]
fn no_text_of_a_record_is_obeyed_by_who_reads_a_report() {
    // Reports for programs don't escape texts.
    const OF_PROGRAMS: [&str; 1] = ["csv"];
    const HOSTILE: &str = "\u{1b}[2J\n::add-mask::x\r##[group]<img src=x onerror=alert(1)>`|\u{202e}\"'&";

    let texts = changed(|value| value.as_str().map(|_| HOSTILE.into()));
    assert!(texts.len() > 50, "{}", texts.len());
    let mut shown = 0;
    for lines in texts {
        let (_, reports) = all_reports(&lines, "--merge");
        for (name, text) in reports.into_iter().filter(|(name, _)| !OF_PROGRAMS.contains(name)) {
            let obeyed = |line: &str| {
                let of_terminal =
                    line.contains(|c: char| c.is_control() && !"\t\u{1b}".contains(c) || c == '\u{202e}');
                of_terminal || line.trim_start().starts_with("::add-mask")
            };
            assert!(!text.split('\n').any(obeyed), "{name}: {text:?}");
            assert!(!text.contains("\u{1b}[2J"), "{name}: {text:?}");
            if ["html", "junit"].contains(&name) {
                assert!(!text.contains("<img"), "{name}: {text}");
                shown += usize::from(text.contains("&lt;img"));
            }
            // An input without records makes no report.
            if name == "junit" && !text.is_empty() {
                roxmltree::Document::parse(&text).unwrap();
            }
        }
    }
    assert!(shown > 10, "what is shown is escaped: {shown}");
}

#[test]
fn no_number_of_a_record_takes_memory_or_a_panic() {
    for number in [u64::MAX, 1 << 40, 0] {
        let numbers = changed(|value| value.is_number().then(|| number.into()));
        assert!(numbers.len() > 100, "{}", numbers.len());
        for lines in numbers {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), "run.jsonl", &lines);
            for flag in ["--replay", "--merge"] {
                // A pair in it is red in any case.
                assert_ne!(read(flag, &["--format", "terse"], folder.path()).0, Exit::Success);
            }
        }
    }
}

#[test]
fn no_path_of_a_record_is_opened() {
    const SECRET: &str = "what nobody may read";

    let others = tempfile::tempdir().unwrap();
    let path = others.path().join("secret");
    fs::write(&path, SECRET).unwrap();
    let (pipe, is_opened) = watched_pipe(others.path());
    // The pipe shows that a path was opened, and the secret that a path relative to the record was.
    let beside = Path::new("..").join(others.path().file_name().unwrap()).join("secret");
    for path in [&beside, &pipe] {
        for lines in changed(|value| value.as_str().map(|_| path.display().to_string().into())) {
            for flag in ["--merge", "--replay"] {
                let (_, reports) = all_reports(&lines, flag);
                assert!(reports.iter().all(|(_, text)| !text.contains(SECRET)));
            }
        }
    }
    assert!(is_opened.try_recv().is_err());
    // The thread that waits for a reader ends.
    drop(File::open(&pipe).unwrap());
    is_opened.recv().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), SECRET);
    assert_eq!(fs::read_dir(others.path()).unwrap().count(), 2);
}

/// A pipe in this folder, and who is told when somebody opens it for reading.
fn watched_pipe(folder: &Path) -> (PathBuf, Receiver<()>) {
    let pipe = folder.join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (tell, told) = mpsc::channel();
    let path = pipe.clone();
    thread::spawn(move || {
        // It waits for a reader.
        let _opened = fs::OpenOptions::new().write(true).open(path);
        tell.send(()).unwrap();
    });
    (pipe, told)
}
