//! Ends the process when a pair takes longer than it may: a function that does not return cannot be stopped otherwise.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::config::TimeLimit;
use crate::exit::Exit;
use crate::exit_guard;
use crate::system::stderr;

/// A thread that sleeps until something takes too long. It does nothing while a pair is measured, so that it can neither
/// disturb the pair nor be taken for a part of it.
pub(crate) struct Watchdog {
    limit: Duration,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    watched: Mutex<Watched>,
    changed: Condvar,
}

#[derive(Default)]
enum Watched {
    #[default]
    Nothing,
    Until(Instant),
    /// There is nothing more to come.
    End,
}

/// While it lives, something is watched.
pub(crate) struct Watch<'a>(&'a Shared);

impl Watchdog {
    /// One that ends the process when a pair takes too long.
    pub(crate) fn of_pairs(limit: &TimeLimit) -> Self {
        let source = limit.source.clone();
        Self::with(
            limit.time,
            Box::new(move || {
                let pair = running();
                end(&format!(
                    "{pair} took longer than {source} and cannot be stopped in this process, so the run ends here; with \
                     --isolate it goes on"
                ));
            }),
        )
    }

    /// One that ends the process when `args` take too long.
    pub(crate) fn of_args(limit: &TimeLimit) -> Self {
        let source = limit.source.clone();
        Self::with(
            limit.time,
            Box::new(move || {
                let pair = running();
                end(&format!(
                    "the `args` of {pair} took longer than {source}; every process evaluates them, so that heavy work \
                     belongs in `setup`"
                ));
            }),
        )
    }

    /// One that calls `late` when something takes longer than this.
    fn with(limit: Duration, late: Box<dyn FnOnce() + Send>) -> Self {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            if of_thread.is_late() {
                late();
            }
        });
        Self { limit, shared, thread: Some(thread) }
    }

    /// Watches something from here on.
    pub(crate) fn watch(&self) -> Watch<'_> {
        // Some limits are beyond all clocks.
        self.shared.set(Instant::now().checked_add(self.limit).map_or(Watched::Nothing, Watched::Until));
        self.shared.changed.notify_one();
        Watch(&self.shared)
    }
}

impl Shared {
    fn set(&self, watched: Watched) {
        *self.lock() = watched;
    }

    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sleeps until something is late; false where there is nothing more to come.
    fn is_late(&self) -> bool {
        let mut watched = self.lock();
        loop {
            watched = match *watched {
                Watched::End => return false,
                Watched::Nothing => self.changed.wait(watched).unwrap_or_else(PoisonError::into_inner),
                Watched::Until(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return true;
                    }
                    self.changed.wait_timeout(watched, left).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

fn running() -> String {
    exit_guard::running().map_or_else(|| "no pair".to_owned(), |name| format!("pair `{name}`"))
}

/// Ends the process. What is finished has been told, save by the reports that docs/faults.md names.
fn end(message: &str) -> ! {
    stderr::error(message);
    exit_guard::leave(Exit::Error);
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        // The thread sleeps on: what it would do when woken is to fall asleep again.
        self.0.set(Watched::Nothing);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.set(Watched::End);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Longer than the busiest machine takes to do nothing.
    const LIMIT: Duration = Duration::from_secs(1);

    #[test]
    fn what_takes_too_long_is_noticed() {
        let (tell, told) = mpsc::channel();
        let watchdog = Watchdog::with(LIMIT, Box::new(move || tell.send(()).unwrap()));
        drop(watchdog.watch());
        let start = Instant::now();
        let _watch = watchdog.watch();
        assert_eq!(told.recv(), Ok(()));
        assert!(start.elapsed() >= LIMIT);
    }

    #[test]
    fn what_ends_in_time_is_forgotten() {
        let (tell, told) = mpsc::channel();
        let watchdog = Watchdog::with(LIMIT, Box::new(move || tell.send(()).unwrap()));
        drop(watchdog.watch());
        assert!(told.recv_timeout(2 * LIMIT).is_err());
        drop(watchdog);
        assert_eq!(told.recv(), Err(mpsc::RecvError), "its thread is gone");
    }

    /// Else it would be another thread that computes, and the choice of the clock would be another one.
    #[cfg(target_os = "linux")]
    #[test]
    fn nothing_runs_while_something_is_watched() {
        let (tell, told) = mpsc::channel();
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            tell.send(std::fs::read_link("/proc/thread-self").unwrap()).unwrap();
            assert!(!of_thread.is_late());
        });
        let watchdog = Watchdog { limit: Duration::from_secs(60), shared, thread: Some(thread) };
        let figures = std::path::Path::new("/proc").join(told.recv().unwrap()).join("schedstat");
        let _watch = watchdog.watch();
        // It falls asleep, on a busy machine after a while.
        let slept = (0..50).any(|_| {
            let before = std::fs::read_to_string(&figures).unwrap();
            thread::sleep(Duration::from_millis(200));
            before == std::fs::read_to_string(&figures).unwrap()
        });
        assert!(slept, "it was woken again and again");
    }

    #[test]
    fn a_limit_beyond_all_clocks_is_none() {
        let watchdog = Watchdog::with(Duration::MAX, Box::new(|| panic!("late")));
        drop(watchdog.watch());
    }
}
