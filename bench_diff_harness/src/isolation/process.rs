//! A process and its end, which a time limit may bring about.

use std::fmt::Display;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::{Condvar, Mutex, PoisonError};
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
    running: &mut dyn FnMut(),
) -> Result<(), String> {
    let start = Instant::now();
    let child = SharedChild::spawn(&mut command).map_err(not_started)?;
    let ended = Ended::default();
    let wait = || ended.tell(child.wait());
    thread::scope(|scope| {
        let waiting = thread::Builder::new().spawn_scoped(scope, wait);
        if let Err(error) = waiting {
            stop(&child);
            return Err(not_started(error));
        }
        let left = || limit.map(|limit| limit.time.saturating_sub(start.elapsed()));
        let mut status = ended.within(left().map_or(SOON, |left| left.min(SOON)));
        if status.is_none() {
            running();
            status = ended.within(left().unwrap_or(Duration::MAX));
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

/// How a process ended, once one thread has told another.
#[derive(Default)]
struct Ended {
    status: Mutex<Option<io::Result<ExitStatus>>>,
    told: Condvar,
}

impl Ended {
    fn tell(&self, status: io::Result<ExitStatus>) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = Some(status);
        self.told.notify_one();
    }

    /// None where it takes longer.
    fn within(&self, time: Duration) -> Option<io::Result<ExitStatus>> {
        let status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.told.wait_timeout_while(status, time, |status| status.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// How a program ended, and whether it took long enough to wonder.
    fn ran(program: &str, argument: &str, limit: Option<Duration>) -> (Result<(), String>, bool) {
        let mut command = Command::new(program);
        command.arg(argument);
        let mut wondered = false;
        let result = run(command, limited(limit).as_ref(), &mut || wondered = true);
        (result, wondered)
    }

    fn limited(limit: Option<Duration>) -> Option<TimeLimit> {
        limit.map(|time| TimeLimit { time, source: "--timeout".to_owned() })
    }

    #[test]
    fn an_end_in_time_is_that_of_the_process() {
        for limit in [None, Some(Duration::from_secs(60)), Some(Duration::MAX)] {
            assert_eq!(ran("true", "", limit).0, Ok(()));
            assert_eq!(ran("false", "", limit).0.unwrap_err(), "ended the process with code 1");
        }
    }

    #[test]
    fn a_process_that_does_not_end_soon_is_told_once_and_waited_for() {
        for limit in [Some(Duration::from_secs(60)), None, Some(Duration::MAX)] {
            let (input, end_of_input) = io::pipe().unwrap();
            let mut end_of_input = Some(end_of_input);
            let mut command = Command::new("cat");
            command.stdin(input);
            // It reads for as long as the other end of its input is there.
            let result = run(command, limited(limit).as_ref(), &mut || drop(end_of_input.take().unwrap()));
            assert_eq!(result, Ok(()));
        }
    }

    #[test]
    fn a_process_is_gone_at_its_limit() {
        let start = Instant::now();
        let (result, wondered) = ran("sleep", "60", Some(Duration::from_millis(150)));
        assert_eq!(result.unwrap_err(), "took longer than --timeout and was ended");
        assert!(wondered && start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_that_is_not_there_is_told() {
        let error = ran("/absent/program", "", None).0.unwrap_err();
        assert!(error.starts_with("its process could not be started: No such file"), "{error}");
    }
}
