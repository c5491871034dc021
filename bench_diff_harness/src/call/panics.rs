//! Catches panics of measured functions, with their locations.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::marker::PhantomPinned;
use std::mem;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use bench_diff_system::stderr;
use bench_diff_system::text::beginning;

thread_local! {
    /// The last panic of this thread.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
    /// True while this thread's panics are caught here.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// The first panic in a thread that a measured function started; it may have caused a panic in ours.
static ELSEWHERE: Mutex<Option<String>> = Mutex::new(None);

/// Runs the functions of a pair. The error of a panic contains its location and message, even if the panic
/// came from a thread that the function started and waited for.
pub(crate) fn catch<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    *elsewhere() = None;
    catch_here(function).map_err(|panic| match elsewhere().take() {
        Some(cause) => panic + BEFORE + &cause,
        None => panic,
    })
}

/// What stands between two panics in a reason.
pub(crate) const BEFORE: &str = "\n  before, another thread ";

/// Like [`catch`], for one of our threads that runs a part of the calls: the error is only about the panic of
/// this thread.
pub(crate) fn catch_here<T>(function: impl FnOnce() -> T) -> Result<T, String> {
    install_hook();
    LAST.set(None);
    let outer = IS_CAUGHT.replace(true);
    // A panic may leave the state of the pair half changed, but the pair is not run again.
    let result = panic::catch_unwind(AssertUnwindSafe(function));
    IS_CAUGHT.set(outer);
    result.map_err(|payload| {
        // If a panic of another thread is resumed here, no hook is called.
        let message = LAST.take().unwrap_or_else(|| format!("panicked: {}", text(&*payload)));
        // Dropping the payload may panic as well, and nothing would catch that.
        mem::forget(payload);
        message
    })
}

/// The payload of [`leave`], a type that no other panic uses. The compiler puts its id into the code of every
/// function that leaves. The id of a type of this crate changes with each build of the crate, and an
/// unchanged function would look changed; that of a type of `core` stays.
type Leaving = PhantomPinned;

/// Unwinds to [`catch_leaving`]. Does nothing in a program that cannot unwind.
pub(crate) fn leave() {
    if cfg!(panic = "unwind") {
        panic::resume_unwind(Box::new(PhantomPinned));
    }
}

/// Like [`catch`], but a call of [`leave`] counts as success.
pub(crate) fn catch_leaving(function: impl FnOnce()) -> Result<(), String> {
    catch(|| {
        let Err(payload) = panic::catch_unwind(AssertUnwindSafe(function)) else { return };
        if !payload.is::<Leaving>() {
            panic::resume_unwind(payload);
        }
    })
}

fn elsewhere() -> MutexGuard<'static, Option<String>> {
    ELSEWHERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panics with the message of another thread, which was already shown when that thread panicked.
pub(crate) fn resume(message: String) -> ! {
    LAST.set(Some(message));
    panic::resume_unwind(Box::new("the panic of another thread"))
}

fn install_hook() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        panic::set_hook(Box::new(|info| {
            if IS_CAUGHT.get() {
                LAST.set(Some(describe(info)));
            } else {
                elsewhere().get_or_insert_with(|| describe(info));
            }
            show(info);
        }));
    });
}

/// Shows a panic as the hook of std does, but without control characters in the message, which a terminal
/// would obey.
fn show(info: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let mut shown = format!("\nthread '{}' {}", thread.name().unwrap_or("<unnamed>"), describe(info));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        shown += &format!("\nstack backtrace:\n{}", of_user(&backtrace.to_string()));
    }
    stderr::say(&shown);
}

/// The frames of a backtrace between those of the panic, which the standard library marks, and ours; all of
/// them if there are no names.
fn of_user(backtrace: &str) -> String {
    let frames = backtrace.lines().skip_while(|line| !line.contains("__rust_end_short_backtrace")).skip(1);
    let frames = frames.skip_while(|line| line.trim_start().starts_with("at "));
    let frames: Vec<&str> = frames.take_while(|line| !line.contains("bench_diff_harness::")).collect();
    if frames.is_empty() { backtrace.to_owned() } else { frames.join("\n") }
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let message = beginning(text(info.payload()));
    match info.location() {
        Some(place) => format!("panicked at {place}: {message}"),
        None => format!("panicked: {message}"),
    }
}

fn text(payload: &(dyn Any + Send)) -> &str {
    let literal = payload.downcast_ref::<&str>().copied();
    literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::any;

    use super::*;

    #[test]
    fn a_panic_is_reported_with_its_location_and_message() {
        let error = catch(|| panic!("out of {}", "order")).unwrap_err();
        assert!(error.starts_with("panicked at "), "{error}");
        assert!(error.contains("panics.rs:"), "{error}");
        assert!(error.ends_with(": out of order"), "{error}");
    }

    #[test]
    fn a_backtrace_begins_behind_the_panic_and_ends_before_our_frames() {
        let user = "   5: core::panicking::panic_fmt\n             at /rustc/core/panicking.rs:1:2\n   6: sorting::unstable";
        let backtrace = format!(
            "   0: bench_diff_harness::call::panics::show\n   4: std::sys::backtrace::__rust_end_short_backtrace\n             \
             at /rustc/std/backtrace.rs:3:4\n{user}\n   7: <bench_diff_harness::call::X as Y>::call\n   8: main\n"
        );
        assert_eq!(of_user(&backtrace), user);
        assert_eq!(of_user("   0: <unknown>\n"), "   0: <unknown>\n");
    }

    #[test]
    fn a_panic_of_another_thread_can_be_resumed() {
        let error = catch(|| resume("panicked elsewhere".to_owned())).unwrap_err();
        assert_eq!(error, "panicked elsewhere");
    }

    #[test]
    fn the_payload_of_a_panic_may_panic_when_it_is_dropped() {
        struct Payload;
        impl Drop for Payload {
            fn drop(&mut self) {
                panic!("and once more");
            }
        }
        let error = catch(|| panic::panic_any(Payload)).unwrap_err();
        assert!(error.ends_with(": no message"), "{error}");
    }

    #[test]
    fn leaving_is_no_panic() {
        assert_eq!(catch_leaving(leave), Ok(()));
        assert!(any::type_name::<Leaving>().starts_with("core::"));
        let error = catch_leaving(|| panic!("out of order")).unwrap_err();
        assert!(error.contains("panics.rs:") && error.ends_with(": out of order"), "{error}");
    }

    #[test]
    fn without_a_panic_the_result_is_returned() {
        assert_eq!(catch(|| 7), Ok(7));
    }
}
