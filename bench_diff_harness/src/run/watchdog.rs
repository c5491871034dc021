//! Ends the process when `args` take longer than they may: they are evaluated in the process of the run, and
//! what does not return cannot be stopped otherwise.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::call::exit_guard;
use crate::settings::TimeLimit;
use crate::system::exit::Exit;
use crate::system::stderr;

/// Evaluates `args`, for no longer than this.
pub(crate) fn within<T>(limit: Option<&TimeLimit>, evaluate: impl FnOnce() -> T) -> T {
    match limit {
        None => evaluate(),
        Some(TimeLimit { time, source }) => watched(*time, evaluate, || end(source)),
    }
}

/// Calls `late` in another thread when `evaluate` takes longer than this.
fn watched<T>(time: Duration, evaluate: impl FnOnce() -> T, late: impl FnOnce() + Send) -> T {
    let is_over = &AtomicBool::new(false);
    thread::scope(|scope| {
        let start = Instant::now();
        let watcher = scope.spawn(move || {
            while !is_over.load(Ordering::Acquire) {
                let left = time.saturating_sub(start.elapsed());
                if left.is_zero() {
                    return late();
                }
                thread::park_timeout(left);
            }
        });
        let _over = Over { is_over, watcher: watcher.thread() };
        evaluate()
    })
}

/// Lets the watcher go, also where `args` panic.
struct Over<'a> {
    is_over: &'a AtomicBool,
    watcher: &'a Thread,
}

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

/// Ends the process. Nothing was measured.
fn end(source: &str) {
    let pair =
        exit_guard::running_pair().map_or_else(|| "no pair".to_owned(), |name| format!("pair `{name}`"));
    stderr::error(format_args!(
        "the `args` of {pair} took longer than {source}; every process evaluates them, so that heavy work belongs in `setup`"
    ));
    Exit::Error.leave();
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn what_takes_too_long_is_noticed() {
        let (sender, receiver) = mpsc::channel();
        let value = watched(
            Duration::from_millis(20),
            || receiver.recv().map(|()| 7),
            move || sender.send(()).unwrap(),
        );
        assert_eq!(value, Ok(7));
    }

    #[test]
    fn what_panics_is_not_waited_for() {
        let panicked = std::panic::catch_unwind(|| watched(Duration::MAX, || panic!("no"), || ()));
        assert!(panicked.is_err());
    }

    #[test]
    fn what_ends_in_time_is_forgotten() {
        for limit in [Duration::from_secs(60), Duration::MAX] {
            assert_eq!(watched(limit, || 7, || panic!("late")), 7);
        }
    }
}
