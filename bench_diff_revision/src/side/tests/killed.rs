//! Kills a run while cargo builds the old side.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, thread};

use super::*;
use crate::fixture::names_in;

/// A build script that reports its start and waits until cargo is gone, but only the first time.
fn waiting([begun, orphaned]: [&Path; 2]) -> String {
    format!(
        "use std::os::unix::process::parent_id;
        fn main() {{
            if std::path::Path::new({begun:?}).exists() {{ return }}
            let cargo = parent_id();
            std::fs::write({begun:?}, \"\").unwrap();
            for _ in 0..60_000 {{
                if parent_id() != cargo {{ return std::fs::write({orphaned:?}, \"\").unwrap() }}
                std::thread::sleep(std::time::Duration::from_millis(1));
            }}
        }}"
    )
}

fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < Duration::from_secs(300), "no {}", file.display());
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn cargo_ends_with_the_run_and_the_next_run_builds_again() {
    const TEST: &str = "side::tests::killed::cargo_ends_with_the_run_and_the_next_run_builds_again";
    const TOP: &str = "BENCH_DIFF_TEST_OF_A_KILLED_BUILD";
    if let Ok(top) = env::var(TOP) {
        let _ = User(Repository::of_another_process(top.into())).built("HEAD");
        return;
    }
    let user = User::new(1);
    let [begun, orphaned] = ["begun", "orphaned"].map(|name| user.0.top.with_file_name(name));
    user.0.write(&[("build.rs", &waiting([&begun, &orphaned]))]);
    let old = user.commit();
    user.source(2);
    let mut run = Command::new(env::current_exe().unwrap());
    let mut run = run.args(["--exact", TEST]).env(TOP, &user.0.top).stdout(Stdio::null()).spawn().unwrap();
    wait_for(&begun);
    run.kill().unwrap();
    run.wait().unwrap();
    wait_for(&orphaned);
    assert_eq!(said(&user.program(&old)), "today's: 1");
    let folder = user.tree("HEAD").with_file_name("");
    assert_eq!(names_in(&folder), ["in_use", "modules", "target", "tree", "written"]);
    assert_eq!(names_in(&user.against()).len(), 2, "the folder and the lock");
}
