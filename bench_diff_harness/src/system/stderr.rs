//! The error stream: the one place that writes to it.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::text;

/// Whether a progress bar stands on the line on which the next text would begin.
static HAS_BAR: AtomicBool = AtomicBool::new(false);

const CLEAR_LINE: &str = "\r\x1b[2K";

/// What made a run go another way than it was asked to.
pub(crate) fn error(message: impl Display) {
    prefixed("error", &message);
}

/// What makes figures worth less, or was asked for in vain.
pub(crate) fn warning(message: impl Display) {
    prefixed("warning", &message);
}

/// What a reader should know.
pub(crate) fn note(message: impl Display) {
    prefixed("note", &message);
}

fn prefixed(severity: &str, message: &dyn Display) {
    say(&format!("{severity}: {message}"));
}

/// A message to the user and its severity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Diagnostic {
    /// Progress that the user asked for.
    Info(String),
    Note(String),
    Warning(String),
}

impl Diagnostic {
    pub(crate) fn say(&self) {
        match self {
            Self::Info(message) => say(message),
            Self::Note(message) => note(message),
            Self::Warning(message) => warning(message),
        }
    }
}

/// Says something on lines of its own.
pub(crate) fn say(message: &str) {
    // The error stream has nobody to be told of its own errors.
    let _ = Stderr.write_all(format!("{}\n", text::lines(message)).as_bytes());
}

/// Shows a progress bar in the place of the former one.
pub(crate) fn show_bar(bar: &str) {
    // In one piece, which is one call of the system.
    let _ = io::stderr().write_all(format!("\r{}\x1b[K", text::one_line(bar)).as_bytes());
    HAS_BAR.store(true, Ordering::Relaxed);
}

/// Takes the progress bar away, where there is one.
pub(crate) fn clear_bar() {
    if HAS_BAR.swap(false, Ordering::Relaxed) {
        let _ = io::stderr().write_all(CLEAR_LINE.as_bytes());
    }
}

/// Text that is safe to show as it is. It begins on a line of its own, not behind a progress bar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        clear_bar();
        if cfg!(test) {
            // Where the test harness finds it.
            eprint!("{}", String::from_utf8_lossy(bytes));
            return Ok(bytes.len());
        }
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
