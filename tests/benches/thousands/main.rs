//! Ten thousand pairs, of which a thousand stay open for forty rounds: the memory of the run is below 200 MB
//! and does not grow from round to round, and an interrupt ends it within a second. Prints what it sees, and
//! ends with 101 where that is not so:
//!
//! ```text
//! cargo bench -p bench_diff_tests --bench thousands
//! ```
//!
//! It is left out of a plain `cargo bench`, since it takes minutes.

#[path = "../../tests/common/heard.rs"]
mod heard;
#[cfg(target_os = "linux")]
mod watched;

use std::process::ExitCode;

#[cfg(target_os = "linux")]
fn main() -> ExitCode {
    match watched::all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(101),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> ExitCode {
    eprintln!("error: only Linux tells what memory another process has");
    ExitCode::from(3)
}
