//! Pipes where files are expected: no one waits for their other end, or these tests would not end.

use std::fs;
use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::fixture::{Ran, VERDICTS, command, run_in, temporary_folder};

fn pipe(path: &Path) {
    mkfifo(path, Mode::S_IRWXU).unwrap();
}

#[test]
fn a_pipe_is_no_report() {
    let folder = temporary_folder();
    let path = folder.path().join("pipe");
    pipe(&path);
    let path = path.display();
    for flag in ["--json", "--csv", "--junit", "--markdown", "--bencher", "--html"] {
        let ran = run_in(VERDICTS, &format!("equal --bench {flag} {path}"), &[]).ends_with(3);
        ran.complains(&format!("for '{flag}': "));
    }
    let summary = [("GITHUB_STEP_SUMMARY", &*path.to_string())];
    run_in(VERDICTS, "equal --bench --github always", &summary).ends_with(3).complains("GITHUB_STEP_SUMMARY");
}

#[test]
fn a_pipe_is_no_stored_run() {
    let folder = temporary_folder();
    pipe(&folder.path().join("run.jsonl"));
    for path in [folder.path(), &folder.path().join("run.jsonl")] {
        for flag in ["--merge", "--replay"] {
            let ran = run_in(VERDICTS, &format!("{flag} {}", path.display()), &[]).ends_with(3);
            ran.complains("run.jsonl: it is not a regular file");
        }
    }
    run_in(VERDICTS, "--merge /dev/zero", &[]).ends_with(3).complains("/dev/zero: it is not a regular file");
}

/// The place of the store is a pipe, which is left as it is.
#[test]
fn a_pipe_is_no_store() {
    let folder = temporary_folder();
    let store = folder.path().join("bench_diff/bench_diff_tests/verdicts");
    fs::create_dir_all(&store).unwrap();
    pipe(&store.join("run.jsonl"));
    let output = command(VERDICTS, "equal --bench", folder.path()).output().unwrap();
    Ran::from(output).ends_with(0).complains("is not a stored run");
    assert!(!fs::metadata(store.join("run.jsonl")).unwrap().is_file());
}

/// A shell turns `--json >(cat)` into such a path.
#[test]
fn a_stream_of_this_process_is_a_report() {
    for path in ["/dev/stdout", "/dev/fd/1"] {
        let ran = run_in(VERDICTS, &format!("equal --bench -q --json {path}"), &[]).ends_with(0);
        assert!(
            ran.stdout.lines().any(|line| line.starts_with("{\"schema\":2,\"event\":\"pair\"")),
            "{}",
            ran.stdout
        );
    }
}
