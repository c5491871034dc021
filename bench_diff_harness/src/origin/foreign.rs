//! What a program has from another checkout, and what to do about it.

use std::path::{Path, PathBuf};

/// Something in the program that was built in another checkout.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// What it is.
    pub(super) what: String,
    pub(super) there: PathBuf,
    pub(super) here: PathBuf,
    /// The source whose time has cargo build it again.
    pub(super) source: PathBuf,
}

/// The refusal of a program with these.
pub(super) fn refusal(foreign: &[Foreign]) -> String {
    let Foreign { what, there, here, .. } = &foreign[0];
    let sources: Vec<String> = foreign.iter().map(|it| format!("'{}'", it.source.display())).collect();
    format!(
        "{what} was built from another checkout: from {}, and not from {}. If two checkouts share a target directory, \
         cargo takes what it built in one for the other: give each its own, or have cargo build it again with \
         `touch {}`",
        there.display(),
        here.display(),
        sources.join(" ")
    )
}

/// Returns whether two paths lead to one folder.
pub(super) fn is_one(one: &Path, other: &Path) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}
