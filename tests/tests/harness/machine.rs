//! The machine that a run shares with others.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{self, Stdio};

#[cfg(target_os = "linux")]
use crate::common::skip::skipped;
use crate::fixture::{LASTING, Ran, VERDICTS, command, temporary_folder};

#[test]
fn a_run_waits_for_another_one() {
    let folder = temporary_folder();
    let mut lock = File::create(folder.path().join("bench_diff.lock")).unwrap();
    lock.lock().unwrap();
    write!(lock, "{}", process::id()).unwrap();

    // None of them measures anything, under nextest either.
    for (arguments, nextest) in [
        ("equal --test", false),
        ("--exact equal --nocapture", true),
        ("--list", false),
        ("--list --format terse", true),
        ("absent --bench", false),
        ("nested::left_out --bench", false),
    ] {
        let mut quick = command(VERDICTS, arguments, folder.path());
        if nextest {
            quick.envs([("NEXTEST_RUN_ID", "1"), ("BENCH_DIFF_AGAINST", "main")]);
        }
        let quick = quick.output().unwrap();
        let complaint = String::from_utf8(quick.stderr).unwrap();
        assert!(quick.status.success() && !complaint.contains("waiting"), "{arguments}: {complaint}");
    }

    let mut waiting = command(VERDICTS, "equal --bench", folder.path());
    let mut waiting = waiting.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut errors = BufReader::new(waiting.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    // If a locked file cannot be read, the holder is not known.
    let holder =
        if cfg!(windows) { "another process".to_owned() } else { format!("process {}", process::id()) };
    let expected = format!("waiting for {holder}, which measures on this machine, for up to 10 minutes\n");
    assert_eq!(line, expected);
    assert!(waiting.try_wait().unwrap().is_none(), "it waits");
    drop(lock);

    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(!rest.contains("waiting"), "once is enough: {rest}");
    let output = waiting.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{rest}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("1 passed"));
}

#[cfg(target_os = "linux")]
#[test]
fn without_proc_the_error_names_it() {
    let unshare = |arguments: &[&str]| {
        let mut unshare = command("unshare", "--user --map-root-user --mount sh -c", &std::env::temp_dir());
        unshare.arg("mount -t tmpfs none /proc && exec \"$@\"").arg("sh").args(arguments).output()
    };
    if !unshare(&["true"]).is_ok_and(|ran| ran.status.success()) {
        skipped("/proc cannot be left out");
        return;
    }
    let ran = Ran::from(unshare(&[VERDICTS, "--test"]).unwrap()).ends_with(3);
    ran.complains("error: cannot find this executable by /proc/self/exe: No such file or directory")
        .complains(": mount /proc\n");
}

#[test]
fn eight_runs_at_once_wait_for_each_other() {
    const RUNS: usize = 8;

    let folder = temporary_folder();
    let started: Vec<_> = (1..=RUNS)
        .map(|number| {
            let mut command =
                command(LASTING, &format!("alone --bench --format json --seed {number}"), folder.path());
            command.env("ALONE", folder.path().join("alone"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for run in started {
        Ran::from(run.wait_with_output().unwrap()).ends_with(0).says("\"outcome\":\"pass\"");
    }
}

#[test]
fn a_run_goes_on_where_nothing_can_be_locked() {
    let folder = temporary_folder();
    let absent = folder.path().join("absent");
    let mut command = command(VERDICTS, "equal --bench", &absent);
    let output = command.output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{complaint}");
    assert!(complaint.contains("warning: cannot lock "), "{complaint}");
}
