//! Keeps what ends the process of a run, or a handler of its end, from making it green.

use std::process;
use std::sync::{Mutex, PoisonError};

use crate::system::exit::Exit;
#[cfg(unix)]
use crate::system::stderr;

/// What an orderly end of the process would cut short; none outside a run.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

struct Running {
    /// The process. A function may fork another one, whose end is its own affair.
    process: u32,
    /// The pair whose `args` are evaluated.
    pair: Option<String>,
}

/// While it lives, an orderly end of the process, by `std::process::exit` or otherwise, has the code of
/// [`Exit::Error`] and names the pair whose `args` are evaluated, where it is one.
///
/// Only where such an end calls exit handlers, which it does on Unix and does not on Windows.
pub(crate) struct ExitGuard {
    outer: Option<Running>,
}

impl ExitGuard {
    /// Guards what this process does with no pair.
    pub(crate) fn new() -> Self {
        install();
        Self { outer: replace(Some(Running { process: process::id(), pair: None })) }
    }

    /// From here on it is this pair.
    pub(crate) fn pair(&self, name: &str) {
        replace(Some(Running { process: process::id(), pair: Some(name.to_owned()) }));
    }
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        replace(self.outer.take());
    }
}

/// The pair whose `args` are evaluated.
pub(crate) fn running() -> Option<String> {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.as_ref().and_then(|running| running.pair.clone())
}

fn replace(running: Option<Running>) -> Option<Running> {
    std::mem::replace(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner), running)
}

#[cfg(not(unix))]
fn install() {}

#[cfg(unix)]
fn install() {
    use std::sync::Once;

    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        // SAFETY: `at_exit` is a function, so it lives as long as the process, and it does not unwind.
        #[expect(unsafe_code, reason = "the standard library has no exit handlers")]
        let _ = unsafe { libc::atexit(at_exit) };
    });
}

#[cfg(unix)]
extern "C" fn at_exit() {
    use std::sync::TryLockError;

    let running = match RUNNING.try_lock() {
        Ok(mut running) => running.take(),
        Err(TryLockError::Poisoned(running)) => running.into_inner().take(),
        // Another thread ends the process while the run goes from one pair to the next.
        Err(TryLockError::WouldBlock) => Some(Running { process: process::id(), pair: None }),
    };
    if let Some(Running { process, pair }) = running
        && process == process::id()
    {
        let who = pair.map_or_else(|| "what `args` started".to_owned(), |pair| format!("pair `{pair}`"));
        stderr::error(format_args!("{who} ended the process; nothing after it was measured"));
        Exit::Error.leave();
    }
}
