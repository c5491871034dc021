//! Keeps what ends the process of a run, or a handler of its end, from making it green.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{mem, process};

use crate::system::exit::Exit;
#[cfg(unix)]
use crate::system::stderr;

/// What an orderly end of the process would cut short.
static RUNNING: Mutex<Running> = Mutex::new(Running { guards: 0, process: 0, pair: None });

struct Running {
    /// How many guards live.
    guards: usize,
    /// The process. A function may fork another one, whose end is its own affair.
    process: u32,
    /// The pair whose `args` are evaluated.
    pair: Option<String>,
}

/// While it lives, an orderly end of the process, by `std::process::exit` or otherwise, has the code of
/// [`Exit::Error`] and names the pair whose `args` are evaluated, where it is one.
///
/// Only where such an end calls exit handlers, which it does on Unix and does not on Windows.
pub(crate) struct ExitGuard(());

impl ExitGuard {
    /// Guards what this process does.
    pub(crate) fn new() -> Self {
        install();
        let mut running = running();
        running.guards += 1;
        running.process = process::id();
        Self(())
    }

    /// From here on it is this pair, for as long as this guard lives.
    pub(crate) fn pair(&self, name: &str) {
        self.come_first();
        running().pair = Some(name.to_owned());
    }

    /// Comes before the exit handlers that there are by now: the last one is called first, and it may end the
    /// process with another code.
    pub(crate) fn come_first(&self) {
        install();
    }

    /// Ends with a run that ended like this. One that is red calls no exit handlers, and is guarded to its
    /// end against threads that call them.
    pub(crate) fn end(self, exit: Exit) -> Exit {
        if exit != Exit::Success {
            mem::forget(self);
        }
        exit
    }
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        let mut running = running();
        running.guards -= 1;
        running.pair = None;
    }
}

/// The pair whose `args` are evaluated.
pub(crate) fn running_pair() -> Option<String> {
    running().pair.clone()
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(not(unix))]
fn install() {}

#[cfg(unix)]
fn install() {
    // Miri has none.
    if cfg!(miri) {
        return;
    }
    // SAFETY: `at_exit` is a function, so it lives as long as the process, and it does not unwind.
    #[expect(unsafe_code, reason = "the standard library has no exit handlers")]
    let _ = unsafe { libc::atexit(at_exit) };
}

#[cfg(unix)]
extern "C" fn at_exit() {
    use std::sync::TryLockError;

    let (is_guarded, pair) = match RUNNING.try_lock() {
        Ok(mut running) => running.end(),
        Err(TryLockError::Poisoned(running)) => running.into_inner().end(),
        // Another thread ends the process while the run goes from one pair to the next.
        Err(TryLockError::WouldBlock) => (true, None),
    };
    if is_guarded {
        let who = pair.map_or_else(|| "what `args` started".to_owned(), |pair| format!("pair `{pair}`"));
        stderr::error(format_args!("{who} ended the process; nothing after it was measured"));
        Exit::Error.leave();
    }
}

#[cfg(unix)]
impl Running {
    /// Whether this process was guarded to its end, and at which pair.
    fn end(&mut self) -> (bool, Option<String>) {
        let guards = mem::take(&mut self.guards);
        (guards > 0 && self.process == process::id(), self.pair.take())
    }
}
