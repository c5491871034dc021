//! A process and its end, which a time limit may bring about.

use std::fmt::Display;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use shared_child::SharedChild;

use super::end;
use crate::config::TimeLimit;

/// Who waits longer than this wonders what runs.
const SOON: Duration = Duration::from_millis(100);

/// Runs a process to its end, or ends it at the limit. `running` is called once if it does not end soon.
///
/// # Errors
///
/// Why it did not end as it should.
pub(super) fn run(
    mut command: Command,
    limit: Option<&TimeLimit>,
    running: impl FnOnce(),
) -> Result<(), String> {
    let start = Instant::now();
    let child = SharedChild::spawn(&mut command).map_err(not_started)?;
    let (send, ended) = mpsc::channel();
    let wait = || {
        // The other end is there until this one is done.
        let _ = send.send(child.wait());
    };
    thread::scope(|scope| {
        let waiting = thread::Builder::new().spawn_scoped(scope, wait);
        if let Err(error) = waiting {
            stop(&child);
            return Err(not_started(error));
        }
        let left = || limit.map(|limit| limit.time.saturating_sub(start.elapsed()));
        let mut status = within(&ended, Some(left().map_or(SOON, |left| left.min(SOON))));
        if status.is_none() {
            running();
            status = within(&ended, left());
        }
        match (status, limit) {
            (Some(status), _) => end::result(status),
            (None, Some(limit)) => {
                stop(&child);
                Err(format!("took longer than {} and was ended", limit.source))
            }
            (None, None) => Err("its process was lost".to_owned()),
        }
    })
}

pub(super) fn not_started(error: impl Display) -> String {
    format!("its process could not be started: {error}")
}

/// Kills it and waits until it is gone.
fn stop(child: &SharedChild) {
    // Neither fails for a process of our own, unless it is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

/// How the process ended, unless it takes longer.
fn within(
    ended: &Receiver<io::Result<ExitStatus>>,
    time: Option<Duration>,
) -> Option<io::Result<ExitStatus>> {
    match time {
        Some(time) => ended.recv_timeout(time).ok(),
        None => ended.recv().ok(),
    }
}
