//! Tests that a machine has no tool for.

use std::io::{self, Write};
use std::thread;

/// Says which test proves nothing here, and why, although it passes.
pub(crate) fn skipped(why: &str) {
    let test = thread::current();
    let name = test.name().unwrap_or("a test");
    // `eprintln!` is what libtest keeps back.
    let mut stderr = io::stderr().lock();
    writeln!(stderr, "skipped: {name}: {why}").unwrap();
}
