//! Panics of measured functions, with the place where they happened.

use std::cell::RefCell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::report::progress;

thread_local! {
    /// The last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `function`; if it panics, the error says where and with what message.
pub(crate) fn catch<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    LAST.set(None);
    // What a panic leaves half done belongs to the pair, which is not run again.
    panic::catch_unwind(AssertUnwindSafe(function))
        .map_err(|_| LAST.take().unwrap_or_else(|| "panicked".to_owned()))
}

/// Panics with the message of another thread, which was shown when that panicked.
pub(crate) fn resume(message: String) -> ! {
    LAST.set(Some(message));
    panic::resume_unwind(Box::new("the panic of another thread"))
}

fn install_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            LAST.set(Some(describe(info)));
            clear_progress();
            previous(info);
        }));
    });
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let literal = payload.downcast_ref::<&str>().copied();
    let message =
        literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
    match info.location() {
        Some(place) => format!("panicked at {place}: {message}"),
        None => format!("panicked: {message}"),
    }
}

/// A message starts on a line of its own, not behind a progress bar.
pub(crate) fn clear_progress() {
    if progress::is_visible() {
        let _ = write!(io::stderr(), "\r\x1b[2K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_where_and_what() {
        let error = catch(|| panic!("out of {}", "order")).unwrap_err();
        assert!(error.starts_with("panicked at "), "{error}");
        assert!(error.contains("panics.rs:"), "{error}");
        assert!(error.ends_with(": out of order"), "{error}");
    }

    #[test]
    fn a_panic_can_be_that_of_another_thread() {
        assert_eq!(
            catch(|| resume("panicked elsewhere".to_owned())),
            Err::<(), _>("panicked elsewhere".to_owned())
        );
    }

    #[test]
    fn what_does_not_panic_returns() {
        assert_eq!(catch(|| 7), Ok(7));
    }
}
