//! What a bench binary contains from another checkout, and what to do about it.

use std::path::PathBuf;

/// A part of the binary that was built in another checkout.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// What the part is.
    pub(super) what: String,
    pub(super) there: PathBuf,
    pub(super) here: PathBuf,
    /// The source to touch so that cargo builds the part again.
    pub(super) source: PathBuf,
}

/// The error about these parts.
pub(super) fn refusal(foreign: &[Foreign]) -> String {
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
