//! Keeps a function that ends the process from making the run green.

use std::sync::{Mutex, PoisonError};

use crate::system::exit::Exit;
#[cfg(unix)]
use crate::system::stderr;

/// The pair that runs, or ran last; none outside a run.
static RUNNING: Mutex<Option<String>> = Mutex::new(None);

/// While it lives, an orderly end of the process, by `std::process::exit` or otherwise, names the pair that
/// runs and has the code of [`Exit::Error`].
///
/// Only where such an end calls exit handlers, which it does on Unix and does not on Windows.
pub(crate) struct ExitGuard(());

impl ExitGuard {
    pub(crate) fn new() -> Self {
        install();
        Self(())
    }

    /// From here on it is this pair.
    pub(crate) fn pair(&self, name: &str) {
        set_running(Some(name.to_owned()));
    }
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        set_running(None);
    }
}

/// The pair that runs, or ran last.
pub(crate) fn running() -> Option<String> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set_running(pair: Option<String>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = pair;
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
        Err(TryLockError::WouldBlock) => Some("unknown".to_owned()),
    };
    if let Some(pair) = running {
        stderr::error(format_args!("pair `{pair}` ended the process; nothing after it was measured"));
        Exit::Error.leave();
    }
}
