//! Functions that break in the old revision, in the new one or in both: which of them are not judged, and which
//! are errors.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};
use std::{fs, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::fixture::{Ran, command, run_in, temporary_folder};
use crate::processes::{Process, descendants};
use crate::revisions::{by_name, line};
use crate::sides::ways::{ENDLESS, WAYS};
use crate::sides::{builds, executable};

fn run(functions: &str, more: &str) -> Ran {
    let names: Vec<String> = WAYS.iter().map(|way| format!("breaks::{functions}/{way}")).collect();
    run_in(executable("functions"), &line(&format!("--exact {} {more}", names.join(" "))), &[])
}

/// What a function that breaks ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    NotJudged,
    /// The old side is to blame, but not the function.
    ErrorThere,
    Error,
}

fn end(record: &Value) -> End {
    let reason = record["reason"].as_str().unwrap();
    let is_of_old = reason.starts_with("in the old revision: ");
    match (record["outcome"].as_str().unwrap(), is_of_old, &record["fails_in_old"]) {
        ("ignored", true, Value::Bool(true)) => End::NotJudged,
        ("error", true, Value::Null) if reason.ends_with("leave it out with `ignore`") => End::ErrorThere,
        ("error", false, Value::Null) => End::Error,
        _ => panic!("{record}"),
    }
}

fn ends(records: &BTreeMap<String, Value>) -> Vec<(&str, End)> {
    records.iter().map(|(name, record)| (name.rsplit('/').next().unwrap(), end(record))).collect()
}

/// The ways with their ends, in the order of their names.
fn expected(end: impl Fn(&str) -> End) -> Vec<(&'static str, End)> {
    let mut ends: Vec<_> = WAYS.iter().map(|way| (*way, end(way))).collect();
    ends.sort_by_key(|(way, _)| *way);
    ends
}

#[test]
fn what_breaks_by_itself_in_the_old_revision_alone_is_not_judged() {
    let is_signal = |way: &str| ["is_killed", "is_terminated"].contains(&way);
    let records = by_name(&run("old", "").ends_with(3));
    let at_once = expected(|way| if is_signal(way) { End::ErrorThere } else { End::NotJudged });
    assert_eq!(ends(&records), at_once);
    let is_reported = |way: &str| ["panics", "returns_an_error"].contains(&way);
    let records = by_name(&run("old_later", "").ends_with(3));
    let later = expected(|way| if is_reported(way) { End::NotJudged } else { End::ErrorThere });
    assert_eq!(ends(&records), later);
    let reason = |way: &str| records[&format!("breaks::old_later/{way}")]["reason"].as_str().unwrap();
    assert!(reason("exits").contains(": ended the process with code 0 after its first call; "));
}

#[test]
fn what_breaks_in_the_new_revision_is_an_error() {
    for functions in ["new", "new_later"] {
        assert_eq!(ends(&by_name(&run(functions, "").ends_with(3))), expected(|_| End::Error), "{functions}");
    }
}

/// Which side broke first was once enough for a green run.
#[test]
fn what_breaks_on_both_sides_is_an_error_whichever_comes_first() {
    for seed in ["1", "2", "3"] {
        let records = by_name(&run("both", &format!("--seed {seed}")).ends_with(3));
        assert_eq!(ends(&records), expected(|_| End::Error), "seed {seed}");
        let records = by_name(&run("both_later", &format!("--seed {seed}")).ends_with(3));
        for (way, end) in ends(&records) {
            let is_reported = ["panics", "returns_an_error"].contains(&way);
            assert!(
                end == End::Error || end == End::ErrorThere && !is_reported,
                "seed {seed}: {way} {end:?}"
            );
        }
    }
}

#[test]
fn what_breaks_first_in_the_old_revision_and_then_in_the_new_one_is_an_error_of_the_new_one() {
    let ran = run_in(executable("functions"), &line("breaks::old_first"), &[]).ends_with(3);
    let records = by_name(&ran);
    assert_eq!(records.len(), 3);
    assert!(ends(&records).iter().all(|(_, end)| *end == End::Error), "{records:?}");
}

#[test]
fn an_end_that_does_not_come_again_is_an_error() {
    let notes = temporary_folder();
    let folder = [("NOTES", notes.path().to_str().unwrap())];
    let records = by_name(&run_in(executable("functions"), &line("breaks::once"), &folder).ends_with(3));
    assert_eq!(records.len(), 2);
    for record in records.values() {
        assert_eq!(end(record), End::ErrorThere);
        assert!(
            record["reason"].as_str().unwrap().contains(", but not when it was started again; "),
            "{record}"
        );
    }
}

/// They do nothing but wait.
#[test]
fn what_a_limit_ends_is_an_error_on_either_side() {
    let functions = ["new", "new_later", "old", "old_later", "both", "both_later"];
    thread::scope(|scope| {
        for (function, way) in functions.into_iter().flat_map(|function| ENDLESS.map(|way| (function, way))) {
            scope.spawn(move || {
                let name = format!("breaks::{function}/{way}");
                let ran =
                    run_in(executable("functions"), &line(&format!("--exact {name} --timeout 3s")), &[]);
                let record = &by_name(&ran.ends_with(3))[&name];
                assert!(end(record) != End::NotJudged, "{record}");
                let reason = record["reason"].as_str().unwrap();
                assert!(reason.contains("took longer than --timeout 3s and was ended"), "{reason}");
            });
        }
    });
}

#[test]
fn a_list_of_the_old_revision_is_whole_unless_its_args_end_it_themselves() {
    let listed = |way: &str| {
        let limit = if way == "hangs" { "--timeout 1s" } else { "" };
        let flags = line(&format!("equal unlisted {limit}"));
        run_in(executable("functions"), &flags, &[("LISTED", way)])
    };
    for way in ["exits", "aborts", "crashes"] {
        let ran = listed(way).ends_with(0);
        assert!(ran.stdout.contains("\"not_compared\":[\"unlisted/2000\"]"), "{way}: {}", ran.stdout);
    }
    let why = "bench_diff cannot list the functions of the old revision: while its `args` were listed: ";
    for way in ["is_killed", "is_terminated", "hangs"] {
        listed(way).ends_with(3).complains(why);
    }
}

/// A process of the old program below this run, if there is one.
fn process_of_old(run: u32) -> Option<Pid> {
    let old = fs::canonicalize(builds()).unwrap();
    let is_old = |process: &Process| {
        fs::read_link(format!("/proc/{}/exe", process.pid))
            .is_ok_and(|exe| exe.starts_with(&old) && exe.extension().is_none())
    };
    descendants(run).into_iter().rfind(is_old).map(|process| Pid::from_raw(process.pid))
}

#[test]
fn a_slowdown_is_never_green_since_somebody_killed_the_old_side() {
    let mut killed = 0;
    for delay in [0, 10, 30, 60, 100] {
        let folder = temporary_folder();
        let mut command =
            command(executable("functions"), &line("--exact four_times --alpha 0.0001%"), folder.path());
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        while run.try_wait().unwrap().is_none() {
            if let Some(process) = process_of_old(run.id())
                && start.elapsed() > Duration::from_millis(delay)
            {
                // It may have ended by now.
                killed += usize::from(kill(process, Signal::SIGKILL).is_ok());
                break;
            }
        }
        let code = run.wait().unwrap().code().unwrap();
        assert!([3, 101].contains(&code), "{code} after {delay} ms");
    }
    assert!(killed > 0, "no process of the old side was there to be killed");
}
