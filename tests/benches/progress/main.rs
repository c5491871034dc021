//! The effect of the progress bar on the measurement: one fixture under a pseudo terminal, with the bar, and
//! on a pipe, without, one after the other and again. Prints a markdown table:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench progress
//! cargo bench -p bench_diff_tests --bench progress -- --rounds 5 --slots 2000
//! ```
//!
//! It is left out of a plain `cargo bench`, and wants a machine that does nothing else.

#[cfg(unix)]
#[path = "../../tests/common/heard.rs"]
mod heard;
#[cfg(unix)]
mod measured;
#[cfg(unix)]
#[path = "../../tests/harness/pseudo_terminal.rs"]
mod pseudo_terminal;
#[cfg(unix)]
mod study;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    match study::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("error: there is no pseudo terminal here");
    ExitCode::from(3)
}
