//! Ten thousand pairs.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::fixture::{TEN_THOUSAND_ARGS, THOUSAND_ATTRIBUTES, command, run, temporary_folder};

const LIMIT: Duration = Duration::from_millis(50);

/// What a run takes of a core, which is its time on one that has nothing else to do. The least of ten: even this is
/// more on a busy machine.
fn time(executable: &str, arguments: &str) -> Duration {
    let folder = temporary_folder();
    let times = (0..10).map(|_| {
        let mut child = command(executable, arguments, folder.path()).stdout(Stdio::null()).spawn().unwrap();
        // It ends, but its figures stay until it is waited for.
        let id = Id::Pid(Pid::from_raw(child.id().try_into().unwrap()));
        waitid(id, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).unwrap();
        let figures = fs::read_to_string(format!("/proc/{}/schedstat", child.id())).unwrap();
        assert!(child.wait().unwrap().success());
        Duration::from_nanos(figures.split(' ').next().unwrap().parse().unwrap())
    });
    times.min().unwrap()
}

#[test]
fn ten_thousand_pairs_start_at_once() {
    for (executable, name) in [(TEN_THOUSAND_ARGS, "family/7777"), (THOUSAND_ATTRIBUTES, "c::a::f/7")] {
        let list = run(executable, "--list").ends_with(0);
        assert_eq!(list.stdout.lines().count(), 10_002);
        for arguments in ["--list", "--list --format terse", &format!("--exact {name} --test")] {
            let time = time(executable, arguments);
            assert!(Duration::ZERO < time && time < LIMIT, "{executable} {arguments}: {time:?}");
        }
        run(executable, &format!("--exact {name} --test")).ends_with(0).says("1 passed; 0 failed");
    }
}
