//! Checks that this bench binary was built from the tree in which cargo runs it.
//!
//! Cargo names its output by paths inside the workspace, and compares the times of sources. If two checkouts
//! share a target directory, or one was copied with its target directory, cargo may take a binary or a
//! library of one checkout for the other's.

mod check;
mod libraries;

use std::path::PathBuf;

pub(crate) use self::check::check;

/// A part of the binary that was built in another checkout.
#[derive(Debug, PartialEq, Eq)]
struct Foreign {
    /// What the part is.
    what: String,
    there: PathBuf,
    here: PathBuf,
    /// The source to touch so that cargo builds the part again.
    source: PathBuf,
}

/// The error about these parts.
fn refusal(foreign: &[Foreign]) -> String {
    let Foreign { what, there, here, .. } = &foreign[0];
    let sources: Vec<String> = foreign.iter().map(|part| format!("'{}'", part.source.display())).collect();
    format!(
        "{what} was built from another checkout: from {}, and not from {}. If two checkouts share a target directory, \
         cargo takes what it built in one for the other: give each its own, or have cargo build it again with \
         `touch {}`",
        there.display(),
        here.display(),
        sources.join(" ")
    )
}
