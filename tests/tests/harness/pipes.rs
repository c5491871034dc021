//! Pipes where files are expected: no one waits for their other end, or these tests would not end.

use std::path::Path;

use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::fixture::{VERDICTS, run_in, temporary_folder};

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
