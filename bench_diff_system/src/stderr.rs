//! The error stream: the one place that writes to it.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::text;

/// True while a progress bar is on the line where the next text would begin.
static HAS_BAR: AtomicBool = AtomicBool::new(false);

const CLEAR_LINE: &str = "\r\x1b[2K";

/// Reports why a run fails.
pub fn error(message: impl Display) {
    say(&format!("error: {message}"));
}

/// Warns of less reliable figures, or of a setting without an effect.
pub fn warning(message: impl Display) {
    say(&format!("warning: {message}"));
}

/// Reports something that the reader may want to know.
pub fn note(message: impl Display) {
    say(&format!("note: {message}"));
}

/// Writes a message on its own lines.
pub fn say(message: &str) {
    // Errors of the error stream cannot be reported anywhere.
    let _ = Stderr.write_all(format!("{}\n", text::lines(message)).as_bytes());
}

/// Says why a test proves nothing on this machine, although it passes.
pub fn skipped(why: &str) {
    say(&format!("skipped: {why}"));
}

/// Replaces the progress bar.
pub fn show_bar(bar: &str) {
    // A single system call, so that nothing comes in between.
    let _ = io::stderr().write_all(format!("\r{}\x1b[K", text::one_line(bar)).as_bytes());
    HAS_BAR.store(true, Ordering::Relaxed);
}

/// Removes the progress bar, if there is one.
pub fn clear_bar() {
    if HAS_BAR.swap(false, Ordering::Relaxed) {
        let _ = io::stderr().write_all(CLEAR_LINE.as_bytes());
    }
}

/// A writer for text that is safe to show. The text begins on its own line, not after a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct Stderr;

impl Write for Stderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        clear_bar();
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
