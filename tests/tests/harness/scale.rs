//! Ten thousand pairs.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use crate::fixture::{HUNDRED_ATTRIBUTES, TEN_THOUSAND_ARGS, command, run, temporary_folder};

/// The CPU time of a run, which is its time on an idle core, with this number of args for each attribute.
fn time(executable: &str, arguments: &str, args: usize) -> Duration {
    let folder = temporary_folder();
    let mut command = command(executable, arguments, folder.path());
    let mut child = command.env("ARGS", args.to_string()).stdout(Stdio::null()).spawn().unwrap();
    // It ends, but its figures stay until it is waited for.
    let id = Id::Pid(Pid::from_raw(child.id().try_into().unwrap()));
    waitid(id, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT).unwrap();
    let figures = fs::read_to_string(format!("/proc/{}/schedstat", child.id())).unwrap();
    assert!(child.wait().unwrap().success());
    Duration::from_nanos(figures.split(' ').next().unwrap().parse().unwrap())
}

/// The growth of a run's time with a hundred times as many pairs: the least of two runs of each, in turns,
/// since other users of a core's caches and pipelines make both slower.
fn growth(executable: &str, arguments: &str, few: usize) -> f64 {
    let times = (0..2).map(|_| [few, 100 * few].map(|args| time(executable, arguments, args)));
    let [few, many] = times.reduce(|[a, b], [c, d]| [a.min(c), b.min(d)]).unwrap();
    many.div_duration_f64(few)
}

/// A hundred pairs take little more than a process does, so ten thousand take some ten times as long; if each
/// were held against all others it would be a hundred times and more.
#[test]
fn ten_thousand_pairs_start_at_once() {
    for (executable, few, early, late) in [
        (TEN_THOUSAND_ARGS, 100, "family/49", "family/9800#200"),
        (HUNDRED_ATTRIBUTES, 1, "j::j/0", "c::f/77"),
    ] {
        let list = run(executable, "--list").ends_with(0);
        assert_eq!(list.stdout.lines().count(), 10_002);
        for arguments in ["--list", &format!("--exact {early} --test")] {
            let growth = growth(executable, arguments, few);
            assert!((1.0..50.0).contains(&growth), "{executable} {arguments}: {growth} times as long");
        }
        run(executable, &format!("--exact {late} --test")).ends_with(0).says("1 passed; 0 failed");
    }
}
